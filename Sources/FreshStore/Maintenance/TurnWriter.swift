/// Writes much in many short turns. Each holds the write lock for about as long as asked for, commit
/// and checkpoint included, and after each the lock is left alone for long enough that every writer
/// that waits for it gets it: SQLite keeps no queue, who waits looks again now and then.
struct TurnWriter {
  private let store: Store
  private let operation: Operation
  private var rows: Pace
  private var pages: Pace
  private var pagesPerRow = 1.0
  private var pagesInLog = 0
  private var pagesCheckpointed = 0
  private var released: ContinuousClock.Instant?
  /// The longest time for which the write lock was held.
  private(set) var longestHold = Duration.zero

  /// How long the write lock is left alone: longer than the pauses of ``BusyHandler`` when it has
  /// waited for a few milliseconds.
  private static let pause = Duration.microseconds(700)

  /// - Parameters:
  ///   - hold: How long one turn should hold the write lock.
  ///   - most: The most records of one turn.
  init(_ store: Store, _ operation: Operation, hold: Duration, most: Int) {
    self.store = store
    self.operation = operation
    rows = Pace(target: hold, start: 64, least: 16, most: most)
    pages = Pace(target: hold, start: 64, least: 64, most: 1000)
  }

  /// How many records fit into the next turn. No more than dirty as many pages as a checkpoint can
  /// move in its turn.
  var room: Int { min(rows.amount, max(1, Int(Double(pages.amount) / pagesPerRow))) }

  /// Takes one turn; the checkpoint that falls due with it is a turn of its own.
  mutating func write(
    _ turn: @escaping @Sendable () throws(StoreError) -> Database.Turn
  ) async throws(StoreError) -> Database.Work {
    await leaveToOthers()
    let turn = try await store.queue.run(turn)
    note(turn)
    rows.note(turn.work.done, took: turn.held)
    // The log is shorter than before when somebody has started it anew.
    let written = turn.pagesInLog - pagesInLog
    if written > 0, turn.work.done > 0 {
      pagesPerRow = (pagesPerRow + Double(written) / Double(turn.work.done)) / 2
    }
    pagesInLog = turn.pagesInLog
    if pagesInLog < pagesCheckpointed { pagesCheckpointed = 0 }
    if pagesInLog - pagesCheckpointed >= pages.amount { try await checkpoint() }
    return turn.work
  }

  private mutating func checkpoint() async throws(StoreError) {
    await leaveToOthers()
    let turn = try await store.queue.run { [store, operation] () throws(StoreError) in
      try store.storage.database.checkpointTurn(operation)
    }
    if let turn {
      note(turn)
      pages.note(pagesInLog - pagesCheckpointed, took: turn.held)
    }
    // Where a reader was in the way, the next try is as many pages later.
    pagesCheckpointed = pagesInLog
  }

  private mutating func note(_ turn: Database.Turn) {
    longestHold = max(longestHold, turn.held)
    released = .now
  }

  private func leaveToOthers() async {
    guard let released else { return }
    let left = Self.pause - (ContinuousClock.now - released)
    guard left > .zero else { return }
    // Cancelled, the work ends after this turn, and need not wait.
    try? await ContinuousClock().sleep(for: left)
  }
}
