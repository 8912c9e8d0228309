/// Measured values of one kind, in one unit.
public struct Samples: Sendable {
  private let sorted: [Double]

  /// Takes the values; there has to be one.
  public init(_ values: [Double]) {
    precondition(!values.isEmpty, "nothing was measured")
    sorted = values.sorted()
  }

  /// The number of values.
  public var count: Int { sorted.count }

  /// The value that half of the samples do not exceed.
  public var median: Double { percentile(50) }

  /// The greatest value.
  public var maximum: Double { percentile(100) }

  /// The smallest value that `percent` of the samples do not exceed (nearest rank).
  public func percentile(_ percent: Double) -> Double {
    let rank = Int((percent / 100 * Double(sorted.count)).rounded(.up))
    return sorted[min(max(rank, 1), sorted.count) - 1]
  }
}
