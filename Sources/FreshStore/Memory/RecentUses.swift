internal import Synchronization

/// The records that were read last and that memory does not have, known by numbers.
///
/// There are two generations. Each use is forgotten with the second turn.
final class RecentUses: Sendable {
  private struct State {
    var recent: Set<Int64> = []
    var earlier: Set<Int64> = []

    mutating func turn() { (earlier, recent) = (recent, []) }
  }

  private let state = Mutex(State())
  private let capacity: Int

  /// - Parameter capacity: The most numbers of one generation.
  init(capacity: Int = 4096) { self.capacity = capacity }

  func note(_ number: Int64) {
    state.withLock { state in
      if state.recent.count >= capacity, !state.recent.contains(number) { state.turn() }
      state.recent.insert(number)
    }
  }

  /// Ages the uses.
  func turn() { state.withLock { $0.turn() } }

  /// The numbers that were noted since the last turn but one.
  var all: Set<Int64> { state.withLock { $0.recent.union($0.earlier) } }
}

/// The records that this process has used recently: read from the file since they were stored there, or found in
/// memory.
struct UsedRecords: Sendable {
  /// The checksums of rows.
  var checksums: Set<Int64>
  /// The numbers of values in blocks.
  var contents: Set<Int64>

  static let none = UsedRecords(checksums: [], contents: [])

  func contains(checksum: Int64, content: Int64?) -> Bool {
    if checksums.contains(checksum) { return true }
    guard let content else { return false }
    return contents.contains(content)
  }
}

/// The origins of which the file has no row, because no request to them has failed. They are known as of a header
/// of the log's index. With them, repeated questions about one origin need no look into the file.
final class UntroubledOrigins: Sendable {
  private struct State {
    /// The header under which the names are known.
    var header: LogHeader?
    var names: Set<ExactName> = []
    /// True from when the store writes a row until it has committed something.
    var isTouched = false
  }

  /// No program has so many origins. Beyond that number they are looked up again.
  private static let capacity = 1024

  private let state = Mutex(State())

  func contains(_ name: String, under header: LogHeader) -> Bool {
    state.withLock { $0.header == header && $0.names.contains(ExactName(name)) }
  }

  /// Adds an origin that was looked up under a header.
  func add(_ name: String, under header: LogHeader) {
    state.withLock { state in
      if state.header != header || state.names.count >= Self.capacity { state.names = [] }
      state.header = header
      state.names.insert(ExactName(name))
    }
  }

  /// The store is about to commit a row of some origin.
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
