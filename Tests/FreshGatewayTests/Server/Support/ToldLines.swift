internal import Synchronization

/// The lines that a gateway has told its operators.
final class ToldLines: Sendable {
  private let told = Mutex<[String]>([])

  func add(_ line: String) { told.withLock { $0.append(line) } }

  var lines: [String] { told.withLock { $0 } }
}
