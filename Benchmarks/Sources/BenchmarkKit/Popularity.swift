internal import Foundation

/// The requested records: 65,536 of them, by Zipf's law with exponent 0.99.
public struct Popularity: Sendable {
  /// Their numbers, in the order of the requests.
  public let order: [Int]
  /// Their keys.
  public let keys: [String]

  /// The popularity of so many records. Different streams have the same popular records.
  public init(records: Int, stream: Int = 0) {
    var sums: [Double] = []
    sums.reserveCapacity(records)
    var sum = 0.0
    for rank in 1...records {
      sum += pow(Double(rank), -0.99)
      sums.append(sum)
    }
    var state = 42 &+ UInt64(stream) &* 0x9E37_79B9_7F4A_7C15
    let order = (0..<65_536).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let point = Double(state >> 11) / 9_007_199_254_740_992 * sum
      var (low, high) = (0, records - 1)
      while low < high {
        let middle = (low + high) / 2
        if sums[middle] < point { low = middle + 1 } else { high = middle }
      }
      // Ranks lie anywhere among the keys, as popular records do.
      return (low * 48_271) % records
    }
    self.order = order
    keys = order.map { "user:\($0)" }
  }
}
