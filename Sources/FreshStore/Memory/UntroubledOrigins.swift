internal import Synchronization

/// The origins of which the file has no row, as nothing has failed there: as of a header of the log's index. Whoever asks
/// one over and over need not look into the file each time.
final class UntroubledOrigins: Sendable {
  private struct State {
    /// The header under which the names are known.
    var header: LogHeader?
    var names: Set<ExactName> = []
    /// True from when the store writes a row until it has committed something.
    var isTouched = false
  }

  /// More than a program has origins; beyond it they are looked up anew.
  private static let capacity = 1024

  private let state = Mutex(State())

  func contains(_ name: String, under header: LogHeader) -> Bool {
    state.withLock { $0.header == header && $0.names.contains(ExactName(name)) }
  }

  /// Adds one that was looked up under a header.
  func add(_ name: String, under header: LogHeader) {
    state.withLock { state in
      if state.header != header || state.names.count >= Self.capacity { state.names = [] }
      state.header = header
      state.names.insert(ExactName(name))
    }
  }

  /// The store is about to commit a row of an origin, whichever.
  func touch() { state.withLock { $0.isTouched = true } }

  /// Notes that one commit of the store lies between two headers.
  func advance(from before: LogHeader, to after: LogHeader) {
    state.withLock { state in
      if state.isTouched {
        state = State()
      } else if state.header == before {
        state.header = after
      }
    }
  }

  func forget() { state.withLock { $0 = State() } }
}
