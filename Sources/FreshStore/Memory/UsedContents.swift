internal import Synchronization

/// The values in blocks that were read last: most are too long for memory, which knows of all others what is used.
///
/// There are two generations. Each use is forgotten with the second turn.
final class UsedContents: Sendable {
  private struct State {
    var recent: Set<Int64> = []
    var earlier: Set<Int64> = []

    mutating func turn() { (earlier, recent) = (recent, []) }
  }

  private let state = Mutex(State())
  private let capacity: Int

  /// - Parameter capacity: The most values of one generation.
  init(capacity: Int = 4096) { self.capacity = capacity }

  /// Notes that somebody begins to read a value.
  func note(_ content: ContentReference) {
    state.withLock { state in
      if state.recent.count >= capacity, !state.recent.contains(content.id) { state.turn() }
      state.recent.insert(content.id)
    }
  }

  /// Has uses age.
  func turn() { state.withLock { $0.turn() } }

  /// Those that were read since the last turn but one.
  var all: Set<Int64> { state.withLock { $0.recent.union($0.earlier) } }
}
