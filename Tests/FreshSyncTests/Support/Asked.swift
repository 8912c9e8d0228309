import Synchronization

/// The requests to a source, batch by batch.
final class Asked: Sendable {
  private let state = Mutex<[[String]]>([])

  var batches: [[String]] { state.withLock { $0 } }

  func note(_ keys: [String]) { state.withLock { $0.append(keys) } }
}
