/// Performs a long write in many short turns.
///
/// Each turn holds the write lock for about the requested time, and then frees it for long enough that every waiting
/// writer gets it. SQLite has no queue: a waiting writer retries now and then.
package struct TurnWriter {
  private let store: Store
  private let end: ContinuousClock.Instant?
  private var rows: Pace
  private var pagesTried = 0
  private var released: ContinuousClock.Instant?
  /// True when the log was emptied for a turn that found no room, and no turn has succeeded since.
  private var hasMadeRoom = false
  /// The most records of one turn for which the disk is known to have room.
  private var fitting = Int.max
  /// The most records that the last turn could take.
  private(set) var turnLimit = 0
  /// The longest time for which the write lock was held.
  private(set) var longestHold = Duration.zero

  /// How long the write lock stays free between two turns: longer than the pauses of ``BusyHandler`` after a wait
  /// of a few milliseconds.
  private static let pause = Duration.microseconds(700)

  /// - Parameters:
  ///   - hold: The target time for which one turn holds the write lock.
  ///   - most: The most records of one turn.
  ///   - end: The moment at which the work stops early; `nil` for none.
  package init(
    _ store: Store, hold: Duration, most: Int, until end: ContinuousClock.Instant? = nil
  ) {
    (self.store, self.end) = (store, end)
    rows = Pace(target: hold, start: 64, least: 16, most: most)
  }

  /// True when the work has to stop.
  var isOver: Bool { Task.isCancelled || end.map { $0 <= .now } ?? false }

  /// The number of records that fit into the next turn.
  var room: Int { min(rows.amount, fitting) }

  /// Performs a turn that cannot be made smaller.
  package mutating func write(
    _ turn: @escaping @Sendable () throws(StoreError) -> Database.Turn
  ) async throws(StoreError) -> Database.Work {
    try await write(upTo: 1) { (_) throws(StoreError) in try turn() }
  }

  /// Performs one turn.
  ///
  /// A long log is moved into the database before the next turn: no turn writes meanwhile, so the end of the
  /// checkpoint is short.
  ///
  /// - Parameters:
  ///   - most: The most records that the turn may take.
  ///   - turn: Gets that number, or a smaller one when the disk has no room for so many. It is called again after it
  ///     has failed for lack of room, which has changed nothing.
  mutating func write(
    upTo most: Int, _ turn: @escaping @Sendable (_ most: Int) throws(StoreError) -> Database.Turn
  ) async throws(StoreError) -> Database.Work {
    await freeLock()
    let turn = try await perform(upTo: most, turn)
    longestHold = max(longestHold, turn.held)
    released = .now
    rows.note(turn.work.done, took: turn.held)
    // A log that is shorter than before was restarted.
    if turn.pagesInLog < pagesTried { pagesTried = 0 }
    if turn.pagesInLog - pagesTried >= Checkpoints.pagesBetween {
      longestHold = max(longestHold, await store.storage.database.moveLog())
      pagesTried = turn.pagesInLog
    }
    return turn.work
  }

  /// Performs one turn, also on a full disk.
  /// A removal, too, is written to the log first, so the log is emptied whenever it has filled the room on the disk. A
  /// turn that is too large for all of the room is made smaller. It grows again after smaller turns have succeeded.
  private mutating func perform(
    upTo most: Int, _ turn: @escaping @Sendable (_ most: Int) throws(StoreError) -> Database.Turn
  ) async throws(StoreError) -> Database.Turn {
    turnLimit = min(most, fitting)
    var patience = store.configuration.busyTimeout
    while true {
      let next = turnLimit
      do throws(StoreError) {
        let done = try await store.queue.run { () throws(StoreError) in try turn(next) }
        if turnLimit == fitting { fitting += fitting / 4 + 1 }
        hasMadeRoom = false
        return done
      } catch {
        guard error.code == .full else { throw error }
        if hasMadeRoom {
          guard next > 1 else { throw error }
          (turnLimit, fitting) = (next / 2, next / 2)
        }
        let room = try await store.makeRoom(for: error.operation, waiting: patience)
        longestHold = max(longestHold, room.held)
        // A reader needs longer than the busy timeout: the turn has to do with the room there is.
        if !room.isEmptied { patience = .zero }
        hasMadeRoom = true
      }
    }
  }

  private func freeLock() async {
    guard let released else { return }
    // When a test controls the order of all events, real time must not change it.
    let isTimed = store.configuration.taskClock == nil
    let left = isTimed ? Self.pause - (ContinuousClock.now - released) : Self.pause
    guard left > .zero else { return }
    // After a cancellation the work ends with this turn, and need not wait.
    try? await store.pause(for: left)
  }
}

/// Fits an amount of work into a span of time, by the duration of the last pieces.
struct Pace: Sendable {
  /// The target duration of one piece of work.
  let target: Duration
  /// The smallest piece: below it the fixed cost of every piece would dominate.
  let least: Int
  /// The largest piece.
  let most: Int
  /// The size of the next piece.
  private(set) var amount: Int

  init(target: Duration, start: Int, least: Int = 1, most: Int) {
    self.target = target
    self.most = max(1, most)
    self.least = min(max(1, least), self.most)
    amount = min(max(self.least, start), self.most)
  }

  /// Learns from a piece of work. The amount halves at most and grows by a quarter at most: one slow moment of the
  /// machine tells little.
  mutating func note(_ done: Int, took: Duration) {
    if took > target {
      let fitting = Double(done) * (target / took)
      amount = max(least, amount / 2, min(amount, Int(fitting)))
    } else if done >= amount, took * 4 < target * 3 {
      amount = min(most, amount + amount / 4 + 1)
    }
  }
}
