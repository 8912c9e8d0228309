package import FreshStore
package import Strategies

/// The facts in a store's file that show its condition.
package struct StoreFacts: Sendable, Hashable {
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
  /// What waits to be fetched and pushed.
  package var work = WaitingWork()
  /// The host's place in the order of its fleet's marks; `nil` where it has none.
  package var fleet: FleetPlace?
  /// Records whose last update lies in the future.
  package var futureUpdates = 0
  /// The latest of them.
  package var latestUpdate: Timestamp?
}
