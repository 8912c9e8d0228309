import Synchronization

/// The requests to a source, batch by batch.
package final class Asked: Sendable {
  private let state = Mutex<[[String]]>([])

  package init() {}

  package var batches: [[String]] { state.withLock { $0 } }

  package func note(_ keys: [String]) { state.withLock { $0.append(keys) } }
}
