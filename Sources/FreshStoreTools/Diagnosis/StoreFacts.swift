internal import FreshStore
package import Strategies

/// What stands in the file of a store, as far as it tells how the store is.
package struct StoreFacts: Sendable, Hashable {
  /// An origin that is left alone for now.
  package struct DownOrigin: Sendable, Hashable {
    /// Its name.
    package let name: String
    /// Until when.
    package let until: Timestamp
  }

  /// The version of the format that the file has.
  package var format = 0
  /// Bytes of one page.
  package var pageSize = 0
  /// Pages of the file.
  package var pages = 0
  /// Pages that hold nothing.
  package var freePages = 0
  /// What SQLite's `quick_check` says of the structure, the first few; empty when all is well.
  package var problems: [String] = []
  /// The boot in which the file was last looked over, 0 for none.
  package var checkedBoot: Int64 = 0
  /// Local writes that wait for their sources.
  package var waitingWrites = 0
  /// Local writes that their sources refused for good.
  package var parkedWrites = 0
  /// When the oldest of them was written.
  package var oldestWrite: Timestamp?
  /// Records that wait for a refetch now.
  package var overdue = 0
  /// Since when the first of them has been waiting.
  package var oldestDue: Timestamp?
  /// When the next of the others is due.
  package var nextDue: Timestamp?
  /// Origins that are left alone, by name.
  package var downOrigins: [DownOrigin] = []
  /// Records whose last update lies in the future.
  package var futureUpdates = 0
  /// The latest of them.
  package var latestUpdate: Timestamp?
}
