public import BenchmarkKit

/// Requests records, one after the other, and starts over where they end.
public final class Traffic {
  @usableFromInline let popularity: Popularity
  @usableFromInline var turn = 0

  /// The traffic to so many records.
  public convenience init(records: Int, stream: Int = 0) {
    self.init(Popularity(records: records, stream: stream))
  }

  /// The traffic to records of this popularity.
  public init(_ popularity: Popularity) {
    self.popularity = popularity
  }

  /// The number of the next record.
  public func next() -> Int {
    turn &+= 1
    return popularity.order[turn & 65_535]
  }

  /// The key of the next record.
  @inlinable
  public func nextKey() -> String {
    turn &+= 1
    return popularity.keys[turn & 65_535]
  }
}
