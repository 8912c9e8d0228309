internal import Strategies

/// The scope of a prune. Pinned records and records with a pending write are never pruned; nor, in a file that belongs to a
/// fleet, is a record that this host alone has marked, before it is fetched again.
///
/// For a limit of count or bytes those go first that this ``Store`` has not read since they were stored, and then the
/// others, the oldest first of both, by their last update. A read is known as long as the record is in memory, and,
/// of the long and the marked ones, which are not, of some thousands that were read last. It is forgotten once about as
/// much was removed since as such a limit leaves. For another process, and for a store that was just opened, age decides.
public struct PruneOptions: Sendable {
  /// Only this collection; `nil` for all.
  public var collection: String?
  /// Records whose last update is at least this long ago.
  public var olderThan: Duration?
  /// The most records to keep.
  public var maximumCount: Int?
  /// The most bytes to keep, counted as the space of records in the file: values, names, details,
  /// and the fixed cost of each.
  public var maximumBytes: Int?
  /// The most records removed in one write transaction. The actual number depends on ``holdTime``.
  package var batchSize = 1000
  /// The target time for which one write transaction blocks other writers.
  package var holdTime = Duration.milliseconds(2)
  /// Counts the records to remove and writes nothing.
  public var isDryRun = false
  /// Called after every batch with the running totals.
  public var progress: (@Sendable (PruneResult) -> Void)?

  /// Removes nothing until a limit is set.
  public init() {}
}

extension PruneOptions {
  /// The check of its numbers.
  var numbers: NumberCheck {
    var numbers = NumberCheck()
    numbers.require("olderThan", olderThan)
    numbers.require("maximumCount", maximumCount, from: 0)
    numbers.require("maximumBytes", maximumBytes, from: 0)
    numbers.require("batchSize", batchSize, from: 1)
    numbers.require("holdTime", holdTime, from: .nanoseconds(1))
    return numbers
  }
}
