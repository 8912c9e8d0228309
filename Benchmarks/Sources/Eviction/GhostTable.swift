/// Remembers fingerprints for a number of insertions: a set-associative table instead of a
/// list, so that a ghost takes eight bytes and no links.
struct GhostTable: Sendable {
  /// Eight ways of eight bytes are about one cache line.
  private static let routes = 8

  /// The fingerprint in the high half, the number of its insertion in the low half.
  private var ghosts: [UInt64] = []
  private var insertions: UInt32
  private let buckets: UInt64

  /// - Parameter capacity: the longest window of any request.
  init(capacity: Int) {
    buckets = UInt64((max(1, capacity) + Self.routes - 1) / Self.routes)
    // Ways never written carry the insertion 0, which must look older than any window.
    insertions = UInt32(clamping: capacity) &+ 1
  }

  /// Remembers a fingerprint in place of the oldest one of its bucket.
  mutating func remember(_ fingerprint: UInt32) {
    insertions &+= 1
    if ghosts.isEmpty { ghosts = Array(repeating: 0, count: Int(buckets) * Self.routes) }
    let start = bucketStart(fingerprint)
    var oldest = start
    for route in start..<start + Self.routes where age(of: route) > age(of: oldest) {
      oldest = route
    }
    ghosts[oldest] = UInt64(fingerprint) << 32 | UInt64(insertions)
  }

  /// Whether a fingerprint is among the last `window` remembered; forgets it if so.
  mutating func recall(_ fingerprint: UInt32, window: Int) -> Bool {
    guard !ghosts.isEmpty else { return false }
    let start = bucketStart(fingerprint)
    for route in start..<start + Self.routes
    where ghosts[route] >> 32 == fingerprint && Int(age(of: route)) < window {
      ghosts[route] = UInt64(insertions &- UInt32.max / 2)
      return true
    }
    return false
  }

  private func age(of route: Int) -> UInt32 {
    insertions &- UInt32(truncatingIfNeeded: ghosts[route])
  }

  /// Multiplying mixes the bits: those that chose the shard are equal for all keys here.
  private func bucketStart(_ fingerprint: UInt32) -> Int {
    Int((UInt64(fingerprint &* 0x9E37_79B1) * buckets) >> 32) * Self.routes
  }
}
