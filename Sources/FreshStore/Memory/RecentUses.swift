internal import Synchronization

/// What was read last of the records that memory does not have, by numbers of theirs.
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

  /// Has uses age.
  func turn() { state.withLock { $0.turn() } }

  /// Those that were noted since the last turn but one.
  var all: Set<Int64> { state.withLock { $0.recent.union($0.earlier) } }
}
