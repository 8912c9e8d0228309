/// Hashes keys for the tables in memory. It folds multiplications under a secret of the process, so that an
/// attacker who chooses keys cannot choose which of them collide.
struct KeyHash: Sendable {
  private let first = UInt64.random(in: .min ... .max)
  private let second = UInt64.random(in: .min ... .max)
  private let third = UInt64.random(in: .min ... .max)

  /// The hash of a key's bytes in a collection.
  @inline(__always)
  func of(_ key: String, in collection: UInt32) -> UInt64 {
    var key = key
    return key.withUTF8 { unsafe of(UnsafeRawBufferPointer($0), in: collection) }
  }

  @inline(__always)
  private func of(_ bytes: UnsafeRawBufferPointer, in collection: UInt32) -> UInt64 {
    var state = first ^ UInt64(bytes.count) ^ UInt64(collection) << 32
    var offset = 0
    while bytes.count - offset > 16 {
      state = Self.fold(
        unsafe load(bytes, offset) ^ second, unsafe load(bytes, offset + 8) ^ state)
      offset += 16
    }
    let (low, high) = unsafe rest(bytes, offset)
    return Self.fold(Self.fold(low ^ second, high ^ state), third)
  }

  /// Up to 16 bytes, as two words that overlap for fewer bytes.
  @inline(__always)
  private func rest(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> (UInt64, UInt64) {
    let count = bytes.count - offset
    if count >= 8 {
      return unsafe (load(bytes, offset), load(bytes, bytes.count - 8))
    }
    if count >= 4 {
      return unsafe (
        UInt64(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)),
        UInt64(bytes.loadUnaligned(fromByteOffset: bytes.count - 4, as: UInt32.self))
      )
    }
    guard count > 0 else { return (0, 0) }
    return unsafe (
      UInt64(bytes[offset]) << 8 | UInt64(bytes[offset + count / 2]),
      UInt64(bytes[bytes.count - 1])
    )
  }

  @inline(__always)
  private func load(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  @inline(__always)
  private static func fold(_ one: UInt64, _ other: UInt64) -> UInt64 {
    let (high, low) = one.multipliedFullWidth(by: other)
    return high ^ low
  }
}

/// Finds slots by hashes: open addressing, one probe for most.
struct SlotTable: Sendable {
  private static let empty: Int32 = -1

  private struct Place: Sendable {
    var hash: UInt32
    var slot: Int32
  }

  private var places = [Place](repeating: Place(hash: 0, slot: Self.empty), count: 16)
  private(set) var count = 0
  private var mask: Int { places.count - 1 }

  /// The slot with that hash that satisfies `matches`.
  @inline(__always)
  func slot(hash: UInt32, where matches: (Int32) -> Bool) -> Int32? {
    var position = Int(hash) & mask
    while places[position].slot != Self.empty {
      let place = places[position]
      if place.hash == hash, matches(place.slot) { return place.slot }
      position = (position + 1) & mask
    }
    return nil
  }

  /// Adds a slot that is not in the table.
  mutating func insert(_ slot: Int32, hash: UInt32) {
    if (count + 1) * 5 > places.count * 4 { grow() }
    place(Place(hash: hash, slot: slot))
    count += 1
  }

  /// Removes a slot; one that is not in the table is ignored.
  mutating func remove(_ slot: Int32, hash: UInt32) {
    var hole = Int(hash) & mask
    while places[hole].slot != slot {
      guard places[hole].slot != Self.empty else { return }
      hole = (hole + 1) & mask
    }
    count -= 1
    // Later entries move up, unless they would then precede their home position.
    var next = (hole + 1) & mask
    while places[next].slot != Self.empty {
      let home = Int(places[next].hash) & mask
      if (next - home) & mask >= (next - hole) & mask {
        places[hole] = places[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    places[hole].slot = Self.empty
  }

  private mutating func grow() {
    let old = places
    places = [Place](repeating: Place(hash: 0, slot: Self.empty), count: old.count * 2)
    for entry in old where entry.slot != Self.empty { place(entry) }
  }

  private mutating func place(_ entry: Place) {
    var position = Int(entry.hash) & mask
    while places[position].slot != Self.empty { position = (position + 1) & mask }
    places[position] = entry
  }
}

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

  /// Multiplying mixes the bits: all keys of a shard have the bits in common that chose the shard.
  private func bucketStart(_ fingerprint: UInt32) -> Int {
    Int((UInt64(fingerprint &* 0x9E37_79B1) * buckets) >> 32) * Self.routes
  }
}

extension Array {
  /// Makes room for `count` elements, and a quarter more: growing by doubling leaves a third of the
  /// memory empty.
  mutating func reserveSlowly(_ count: Int) {
    guard count > capacity else { return }
    reserveCapacity(count + count / 4)
  }
}
