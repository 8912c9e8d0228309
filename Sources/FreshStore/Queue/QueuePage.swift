package import Strategies

/// The head of the refetch queue.
package struct QueuePage: Sendable {
  /// The records, in order.
  package var records: [QueuedRecord] = []
  /// The origins of which more was due than the page holds.
  package var truncated: Set<ExactName> = []

  /// When it was looked at: what fell due later is on no page yet.
  package let moment: Timestamp

  /// An empty page.
  package init(moment: Timestamp) {
    self.moment = moment
  }
}
