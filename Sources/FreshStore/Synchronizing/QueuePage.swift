/// The head of the refetch queue.
package struct QueuePage: Sendable {
  /// The records, in order.
  package var records: [QueuedRecord] = []
  /// The origins of which more was due than the page holds.
  package var truncated: Set<ExactName> = []

  /// An empty page.
  package init() {}
}
