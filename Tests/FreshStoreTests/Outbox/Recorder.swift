import Synchronization

/// Keeps what it is given, in order.
final class Recorder<Element: Sendable>: Sendable {
  private let state = Mutex<[Element]>([])

  var all: [Element] { state.withLock { $0 } }
  var last: Element? { all.last }

  func add(_ element: Element) { state.withLock { $0.append(element) } }
}
