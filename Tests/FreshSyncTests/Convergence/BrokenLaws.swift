import Synchronization

/// What was found to break a law, in the order of finding.
final class BrokenLaws: Sendable {
  private let state = Mutex<[String]>([])

  var all: [String] { state.withLock { $0 } }

  func note(_ words: String) { state.withLock { $0.append(words) } }
}
