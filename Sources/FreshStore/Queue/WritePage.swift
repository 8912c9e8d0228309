package import Strategies

/// The head of the outbox.
package struct WritePage: Sendable {
  /// The writes, in order.
  package var writes: [WaitingWrite] = []
  /// The origins for which more was due than the page holds.
  package var truncated: Set<ExactName> = []
  /// When the next of those that are not due yet will be.
  package var next: Timestamp?

  /// An empty page.
  package init() {}
}
