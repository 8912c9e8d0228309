internal import BenchmarkKit

/// The requested keys, one after the other: 65,536 of them, by Zipf's law with exponent 0.99, and
/// then from the beginning. It goes on where the last sample ended.
public final class Traffic {
  /// The keys, in the order of the requests.
  public let order: [String]
  @usableFromInline var turn = 0

  /// The traffic to so many records: the same for every contestant.
  public init(records: Int) {
    order = Popularity(records: records).keys
  }

  /// The next key.
  @inlinable
  public func next() -> String {
    turn &+= 1
    return order[turn & 65_535]
  }
}
