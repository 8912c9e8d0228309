package import Strategies

/// The head of the refetch queue.
package struct QueuePage: Sendable {
  /// The records, in order.
  package var records: [QueuedRecord] = []
  /// The shares with more due records than the page holds.
  package var truncated: Set<FairShare> = []

  /// The time of the query: records due later are on no page yet.
  package let moment: Timestamp

  /// An empty page.
  package init(moment: Timestamp) {
    self.moment = moment
  }
}
