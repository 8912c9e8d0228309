package import Strategies

/// The head of the outbox.
package struct WritePage: Sendable {
  /// The writes, in order.
  package var writes: [WaitingWrite] = []
  /// The shares with more due writes than the page holds.
  package var truncated: Set<FairShare> = []
  /// The next due time of the others.
  package var next: Timestamp?

  /// An empty page.
  package init() {}
}
