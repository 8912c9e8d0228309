/// The data that a hit reads, and writes at most once: the queue of an entry and its hits, in one
/// byte.
struct EvictionMark: Equatable {
  /// The count at which hits are no longer counted, and so no longer written.
  static let maximumHits: UInt8 = 3
  static let absent = EvictionMark(bits: 0)

  private var bits: UInt8

  private init(bits: UInt8) {
    self.bits = bits
  }

  init(_ queue: EvictionQueue, hits: UInt8) {
    bits = UInt8(queue.rawValue + 1) << 2 | hits
  }

  var hits: UInt8 { bits & 3 }

  var queue: EvictionQueue? { EvictionQueue(rawValue: Int(bits >> 2) - 1) }

  /// The mark after one more hit.
  var touched: EvictionMark { EvictionMark(bits: bits + 1) }
}
