import Synchronization

/// The violations of laws, in the order in which they were found.
final class BrokenLaws: Sendable {
  private let state = Mutex<[String]>([])

  var all: [String] { state.withLock { $0 } }

  func note(_ words: String) { state.withLock { $0.append(words) } }
}
