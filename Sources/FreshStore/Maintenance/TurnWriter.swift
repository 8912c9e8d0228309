/// Performs a long write in many short turns. Each holds the write lock for about the requested
/// time, and then leaves it alone for long enough that every waiting writer gets it: SQLite has no
/// queue, a waiting writer retries now and then.
package struct TurnWriter {
  private let store: Store
  private var rows: Pace
  private var pagesInLog = 0
  private var pagesTried = 0
  private var released: ContinuousClock.Instant?
  /// The longest time for which the write lock was held.
  private(set) var longestHold = Duration.zero

  /// How long the write lock is left alone: longer than the pauses of ``BusyHandler`` after a wait
  /// of a few milliseconds.
  private static let pause = Duration.microseconds(700)

  /// - Parameters:
  ///   - hold: The target time for which one turn holds the write lock.
  ///   - most: The most records of one turn.
  package init(_ store: Store, hold: Duration, most: Int) {
    self.store = store
    rows = Pace(target: hold, start: 64, least: 16, most: most)
  }

  /// The number of records that fit into the next turn.
  var room: Int { rows.amount }

  /// Performs one turn. When the log has grown long it is moved into the database before the next:
  /// without writes of its own meanwhile, the end of the checkpoint is short.
  package mutating func write(
    _ turn: @escaping @Sendable () throws(StoreError) -> Database.Turn
  ) async throws(StoreError) -> Database.Work {
    await leaveToOthers()
    let turn = try await store.queue.run(turn)
    longestHold = max(longestHold, turn.held)
    released = .now
    rows.note(turn.work.done, took: turn.held)
    pagesInLog = turn.pagesInLog
    // A log that is shorter than before was restarted.
    if pagesInLog < pagesTried { pagesTried = 0 }
    if pagesInLog - pagesTried >= Checkpoints.pagesBetween {
      longestHold = max(longestHold, await store.storage.database.moveLog())
      pagesTried = pagesInLog
    }
    return turn.work
  }

  private func leaveToOthers() async {
    guard let released else { return }
    // Where tests control the order of all events, real time must not.
    let isTimed = store.configuration.taskClock == nil
    let left = isTimed ? Self.pause - (ContinuousClock.now - released) : Self.pause
    guard left > .zero else { return }
    // After a cancellation the work ends with this turn, and need not wait.
    try? await store.pause(for: left)
  }
}
