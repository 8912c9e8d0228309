/// The data that a hit reads, and writes rarely: the queue of an entry, its hits, and whether it was
/// used of late, in one byte.
struct EvictionMark: Equatable {
  /// The count at which hits are no longer counted, and so no longer written.
  static let maximumHits: UInt8 = 3
  static let absent = EvictionMark(bits: 0)

  /// It was used since the last turn.
  private static let recent: UInt8 = 0b1_0000
  /// It was used between the last turn and the one before.
  private static let earlier: UInt8 = 0b10_0000
  private static let uses: UInt8 = 0b11_0000

  private var bits: UInt8

  private init(bits: UInt8) {
    self.bits = bits
  }

  init(_ queue: EvictionQueue, hits: UInt8) {
    bits = UInt8(queue.rawValue + 1) << 2 | hits | Self.recent
  }

  var hits: UInt8 { bits & 3 }

  var queue: EvictionQueue? { EvictionQueue(rawValue: Int(bits >> 2 & 3) - 1) }

  /// True where one more hit changes nothing: all three are counted, and it was used since the last turn.
  var isSettled: Bool { bits & 0b1_0011 == 0b1_0011 }

  /// The mark after one more hit.
  var touched: EvictionMark {
    EvictionMark(bits: (hits < Self.maximumHits ? bits + 1 : bits) | Self.recent)
  }

  /// The mark in another place, which is no use.
  func moved(to queue: EvictionQueue, hits: UInt8) -> EvictionMark {
    var moved = EvictionMark(queue, hits: hits)
    moved.bits = moved.bits & ~Self.uses | bits & Self.uses
    return moved
  }

  /// True for an entry that was used since the last turn but one.
  var isUsed: Bool { bits & Self.uses != 0 }

  /// The mark after a turn.
  var turned: EvictionMark {
    EvictionMark(bits: bits & ~Self.uses | (bits & Self.recent) << 1)
  }
}
