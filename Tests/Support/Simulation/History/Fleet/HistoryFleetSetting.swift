/// The hosts of a history, which share a tier.
public struct HistoryFleetSetting: Codable, Hashable, Sendable {
  /// The seconds by which the wall clock of each host is ahead.
  public var clocks: [Int]
  /// True when marks are kept while the shared tier is out of reach; they are refused otherwise.
  public var keepsMarks: Bool
  /// The most marks of one answer.
  public var newsLimit: Int
  /// After so many seconds without a word from the fleet everything is stale; never when `nil`.
  public var longestAlone: Int?
  /// The record whose value stays with the host that has it; none when `nil`.
  public var withheld: Int?
}
