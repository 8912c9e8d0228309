internal import FreshStore
package import Strategies

/// The facts in a store's file that show its condition.
package struct StoreFacts: Sendable, Hashable {
  /// An origin in a pause.
  package struct DownOrigin: Sendable, Hashable {
    /// Its name.
    package let name: String
    /// The end of its pause.
    package let until: Timestamp
  }

  /// The format version of the file.
  package var format = 0
  /// Bytes of one page.
  package var pageSize = 0
  /// Pages of the file.
  package var pages = 0
  /// Free pages.
  package var freePages = 0
  /// The first findings of SQLite's `quick_check` about the structure; empty when all is well.
  package var problems: [String] = []
  /// The boot in which the file was last checked, 0 for none.
  package var checkedBoot: Int64 = 0
  /// Local writes that wait for their sources.
  package var waitingWrites = 0
  /// Local writes that their sources refused for good.
  package var parkedWrites = 0
  /// The time of the oldest of them.
  package var oldestWrite: Timestamp?
  /// Records that wait for a refetch now.
  package var overdue = 0
  /// The time since which the first of them has been waiting.
  package var oldestDue: Timestamp?
  /// The next due time of the others.
  package var nextDue: Timestamp?
  /// Origins in a pause, by name.
  package var downOrigins: [DownOrigin] = []
  /// Records whose last update lies in the future.
  package var futureUpdates = 0
  /// The latest of them.
  package var latestUpdate: Timestamp?
}
