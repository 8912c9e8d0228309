/// Writes much in many short turns. Each holds the write lock for about as long as asked for, and after
/// each the lock is left alone for long enough that every writer that waits for it gets it: SQLite
/// keeps no queue, who waits looks again now and then.
package struct TurnWriter {
  private let store: Store
  private var rows: Pace
  private var pagesInLog = 0
  private var pagesTried = 0
  private var released: ContinuousClock.Instant?
  /// The longest time for which the write lock was held.
  private(set) var longestHold = Duration.zero

  /// How long the write lock is left alone: longer than the pauses of ``BusyHandler`` when it has
  /// waited for a few milliseconds.
  private static let pause = Duration.microseconds(700)

  /// - Parameters:
  ///   - hold: How long one turn should hold the write lock.
  ///   - most: The most records of one turn.
  package init(_ store: Store, hold: Duration, most: Int) {
    self.store = store
    rows = Pace(target: hold, start: 64, least: 16, most: most)
  }

  /// How many records fit into the next turn.
  var room: Int { rows.amount }

  /// Takes one turn. When the log has grown long it is moved into the database before the next: what
  /// nobody writes meanwhile need not be waited for at its end.
  package mutating func write(
    _ turn: @escaping @Sendable () throws(StoreError) -> Database.Turn
  ) async throws(StoreError) -> Database.Work {
    await leaveToOthers()
    let turn = try await store.queue.run(turn)
    longestHold = max(longestHold, turn.held)
    released = .now
    rows.note(turn.work.done, took: turn.held)
    pagesInLog = turn.pagesInLog
    // The log is shorter than before when somebody has begun it anew.
    if pagesInLog < pagesTried { pagesTried = 0 }
    if pagesInLog - pagesTried >= Checkpoints.pagesBetween {
      longestHold = max(longestHold, await store.storage.database.moveLog())
      pagesTried = pagesInLog
    }
    return turn.work
  }

  private func leaveToOthers() async {
    guard let released else { return }
    // Where tests decide in which order everything happens, real time must not.
    let isTimed = store.configuration.taskClock == nil
    let left = isTimed ? Self.pause - (ContinuousClock.now - released) : Self.pause
    guard left > .zero else { return }
    // Cancelled, the work ends after this turn, and need not wait.
    try? await store.pause(for: left)
  }
}
