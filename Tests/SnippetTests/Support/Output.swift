import Synchronization

/// The lines that snippets print.
final class Output: Sendable {
  private let state = Mutex<[String]>([])

  var lines: [String] { state.withLock { $0 } }

  func append(_ line: String) { state.withLock { $0.append(line) } }
}

/// Prints to the stage of the test that runs, in place of Swift's own.
func print(_ items: Any...) {
  Stage.current?.output.append(items.map { "\($0)" }.joined(separator: " "))
}
