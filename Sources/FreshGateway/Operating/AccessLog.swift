internal import Platform
internal import Synchronization

/// The log of requests: a line for each that was answered, in the common form or as JSON.
///
/// Lines wait in memory, and are written by whoever adds one when enough have come, or by ``flush()``.
package final class AccessLog: Sendable {
  package enum Form: String, Sendable {
    case common
    case json
  }

  private struct State {
    var waiting: [UInt8] = []
  }

  private let form: Form
  private let write: @Sendable ([UInt8]) -> Void
  private let state = Mutex(State())

  /// - Parameter write: Writes whole lines; called by one thread at a time.
  package init(_ form: Form, write: @escaping @Sendable ([UInt8]) -> Void) {
    (self.form, self.write) = (form, write)
  }

  func add(_ entry: AccessEntry) {
    let line = form == .json ? entry.json : entry.common
    state.withLock { state in
      state.waiting += line.utf8
      state.waiting.append(UInt8(ascii: "\n"))
      guard state.waiting.count >= Self.enough else { return }
      write(state.waiting)
      state.waiting.removeAll(keepingCapacity: true)
    }
  }

  /// Writes what waits.
  package func flush() {
    state.withLock { state in
      guard !state.waiting.isEmpty else { return }
      write(state.waiting)
      state.waiting.removeAll(keepingCapacity: true)
    }
  }

  private static let enough = 32 << 10
}
