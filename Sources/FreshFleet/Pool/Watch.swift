#if Fleet
  internal import FreshStore

  /// Decides whether calls are sent at all: pure state, without a clock.
  ///
  /// It opens after failures in a row, and at once when there is no connection to be had. While it is open
  /// calls fail at once with what opened it, and the ``Watch`` asks in their place; what it reaches is open
  /// to calls again, the first failure of which closes the way once more.
  struct TierBreaker: Sendable {
    private enum State {
      /// Nothing was ever answered.
      case unknown(failures: Int)
      case closed(failures: Int)
      case open(SharedTierError)
    }

    private var state = State.unknown(failures: 0)
    private let threshold: Int
    /// How often it has opened.
    private(set) var outages = 0

    init(threshold: Int) {
      self.threshold = threshold
    }

    /// The reason why no call is sent; `nil` when one may be.
    var refusal: SharedTierError? {
      guard case .open(let error) = state else { return nil }
      return error
    }

    var reach: SharedTierReach {
      switch state {
      case .unknown: .unknown
      case .closed: .reached
      case .open(let error): .outOfReach(error)
      }
    }

    mutating func noteAnswer() {
      // A late answer of a call from before is none of the present state.
      if case .open = state { return }
      state = .closed(failures: 0)
    }

    /// Returns true when this opens it.
    mutating func noteFailure(_ error: SharedTierError, opens: Bool = false) -> Bool {
      var error = error
      error.isUncertain = false
      switch state {
      case .open: return false
      case .closed(let failures) where !opens && failures + 1 < threshold:
        state = .closed(failures: failures + 1)
        return false
      case .unknown(let failures) where !opens && failures + 1 < threshold:
        state = .unknown(failures: failures + 1)
        return false
      case .unknown, .closed:
        state = .open(error)
        outages += 1
        return true
      }
    }

    /// The probe has come through.
    mutating func noteReached() {
      switch state {
      case .open: state = .closed(failures: threshold - 1)
      case .unknown(let failures): state = .closed(failures: failures)
      case .closed: break
      }
    }
  }

  /// Looks after the way to the shared tier, on a thread of its own: it hears of marks, has everybody ask for
  /// news every second, and while the breaker is open it asks in the place of the calls.
  struct Watch {
    private let pool: ConnectionPool
    private var line: PostgresConnection? {
      didSet { pool.noteLine(isOpen: line != nil) }
    }
    private var pause: Duration
    /// When another line may be opened.
    private var nextTry = Waiting.Deadline.now
    private var nextRound = Waiting.Deadline.now

    /// How often news are asked for, told or not: a notification may be lost, or come to nobody, as behind a
    /// pooler or on a server that was demoted.
    private static let round = Duration.seconds(1)

    init(pool: ConnectionPool) {
      self.pool = pool
      pause = pool.configuration.firstProbePause
    }

    mutating func run() {
      while !pool.isClosed {
        if pool.hasFailed {
          rest()
          if !pool.isClosed { probe() }
        } else if line == nil, .now >= nextTry {
          probe()
        } else {
          listen()
        }
      }
    }

    /// The time before the next attempt, each time twice as long, and up to a half less: hosts that lost the
    /// tier together do not come back together.
    private mutating func nextPause() -> Duration {
      defer { pause = min(pause * 2, pool.configuration.longestProbePause) }
      return pause * Double.random(in: 0.5...1)
    }

    private mutating func rest() {
      let end = Waiting.Deadline.now + nextPause()
      repeat {
        pool.watchSignal.clear()
        _ = Waiting.wait(
          for: [Waiting.Interest(descriptor: pool.watchSignal.reading)], until: end)
      } while !pool.isClosed && .now < end
    }

    private mutating func announce() {
      pool.announce()
      nextRound = .now + Self.round
    }

    /// Finds out whether the tier can be reached, over a new line if need be.
    private mutating func probe() {
      // A line that ends at once is not opened again and again.
      nextTry = .now + Self.round
      do throws(SharedTierError) {
        line = try probed()
        pool.noteReached()
        announce()
      } catch {
        line = nil
        // The pool's own connections may well work when there is no place for one more.
        if error.state != SharedTierError.crowded { pool.note(error, opens: true) }
        if !pool.hasFailed { nextTry = .now + nextPause() }
      }
    }

    /// A connection that has answered just now.
    private func probed() throws(SharedTierError) -> PostgresConnection {
      let configuration = pool.configuration
      if let line {
        try FleetSchema.look(
          at: line, within: configuration.limit, statementLimit: pool.statementLimit)
        return line
      }
      let connection = try PostgresConnection.open(
        pool.address, limit: configuration.connectLimit, stop: { pool.isClosed })
      try FleetSchema.look(
        at: connection, within: configuration.connectLimit, statementLimit: pool.statementLimit)
      guard configuration.listens else { return connection }
      do throws(SharedTierError) {
        _ = try connection.run([Step(Self.listen)], within: configuration.connectLimit)
      } catch {
        // An engine that has no notifications says so, and its connection goes on.
        if connection.isSpent { throw error }
      }
      return connection
    }

    /// Waits for a notification or the end of the round; notices that the line has ended.
    private mutating func listen() {
      var interests = [Waiting.Interest(descriptor: pool.watchSignal.reading)]
      if let line { interests.append(Waiting.Interest(descriptor: line.socket)) }
      let ready = Waiting.wait(
        for: interests, until: line == nil ? min(nextRound, nextTry) : nextRound)
      if ready[0] { pool.watchSignal.clear() }
      // The line leads where the calls went before.
      if pool.takeMove() { line = nil }
      if pool.takeWantedLine() {
        line = nil
        nextTry = .now + ConnectionPool.crowdedTime
      }
      var isTold = false
      if let line, ready[1] {
        do throws(SharedTierError) {
          try line.readIdle()
        } catch {
          self.line = nil
        }
        isTold = line.takeNotifications()
      }
      // Not when a call has failed meanwhile: the probe comes through, and calls do not.
      guard !pool.hasFailed else { return }
      if line != nil { pause = pool.configuration.firstProbePause }
      if isTold || .now >= nextRound { announce() }
    }

    private static let listen = Statement("listen", "LISTEN freshstore_mark")
  }
#endif
