import Synchronization

/// Keeps its elements, in order.
package final class Recorder<Element: Sendable>: Sendable {
  private let state = Mutex<[Element]>([])

  package init() {}

  package var all: [Element] { state.withLock { $0 } }
  package var last: Element? { all.last }

  package func add(_ element: Element) { state.withLock { $0.append(element) } }
}
