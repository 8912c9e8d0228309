internal import Foundation

/// Which keys are asked for, one after the other: 65,536 of them, by Zipf's law with exponent 0.99, and
/// then from the beginning. It goes on where the last sample ended.
public final class Traffic {
  /// The keys, in the order in which they are asked for.
  public let order: [String]
  @usableFromInline var turn = 0

  /// The traffic to so many records: the same for every one who is asked.
  public init(records: Int) {
    var sums: [Double] = []
    sums.reserveCapacity(records)
    var sum = 0.0
    for rank in 1...records {
      sum += pow(Double(rank), -0.99)
      sums.append(sum)
    }
    var state: UInt64 = 42
    order = (0..<65_536).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let point = Double(state >> 11) / 9_007_199_254_740_992 * sum
      var (low, high) = (0, records - 1)
      while low < high {
        let middle = (low + high) / 2
        if sums[middle] < point { low = middle + 1 } else { high = middle }
      }
      // Ranks lie anywhere among the keys, as popular records do.
      return "user:\((low * 48_271) % records)"
    }
  }

  /// The next key.
  @inlinable
  public func next() -> String {
    turn &+= 1
    return order[turn & 65_535]
  }
}
