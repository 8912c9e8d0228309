#if Fleet
  internal import FreshStore

  /// Decides whether calls are sent: pure state, without a clock.
  ///
  /// It opens after several failures in a row, and at once when no connection can be made. While it is open,
  /// calls fail at once with the error that opened it, and the ``Watch`` probes the tier. A probe that
  /// succeeds closes the breaker; the first failure of a call after that opens it again.
  struct TierBreaker: Sendable {
    private enum State {
      /// Nothing was answered yet.
      case unknown(failures: Int)
      case closed(failures: Int)
      case open(SharedTierError)
    }

    private var state = State.unknown(failures: 0)
    private let threshold: Int
    /// The number of times that it has opened.
    private(set) var outages = 0

    init(threshold: Int) {
      self.threshold = threshold
    }

    /// The reason why no call is sent; `nil` when calls may be sent.
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
      // A late answer of an earlier call says nothing about the present state.
      if case .open = state { return }
      state = .closed(failures: 0)
    }

    /// Notes a failure. True when it opens the breaker.
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

    /// Notes that the probe has succeeded.
    mutating func noteReached() {
      switch state {
      case .open: state = .closed(failures: threshold - 1)
      case .unknown(let failures): state = .closed(failures: failures)
      case .closed: break
      }
    }
  }

  /// Watches the connection to the shared tier, on a thread of its own. It listens for marks, announces
  /// possible news every second, and probes the tier while the breaker is open.
  struct Watch {
    private let pool: ConnectionPool
    private var line: PostgresConnection? {
      didSet { pool.noteLine(isOpen: line != nil) }
    }
    private var pause: Duration
    /// The earliest time of another line.
    private var nextTry = Waiting.Deadline.now
    private var nextRound = Waiting.Deadline.now

    /// The interval of announcements, with or without notifications. A notification may be lost. Behind a
    /// pooler, or on a server that was demoted, none may come at all.
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

    /// The time before the next attempt: each time twice as long, and at random up to a half less. Hosts that
    /// lost the tier together do not return together.
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

    /// Checks whether the tier can be reached, over a new line if necessary.
    private mutating func probe() {
      // A line that ends at once is not reopened again and again.
      nextTry = .now + Self.round
      do throws(SharedTierError) {
        line = try probed()
        pool.noteReached()
        announce()
      } catch {
        line = nil
        // The pool's own connections may work when the database grants no further one.
        if error.state != SharedTierError.crowded { pool.note(error, opens: true) }
        if !pool.hasFailed { nextTry = .now + nextPause() }
      }
    }

    /// A connection that has just answered.
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
        // An engine without notifications returns an error, and its connection remains usable.
        if connection.isSpent { throw error }
      }
      return connection
    }

    /// Waits for a notification or the end of the interval. Notices the end of the line.
    private mutating func listen() {
      var interests = [Waiting.Interest(descriptor: pool.watchSignal.reading)]
      if let line { interests.append(Waiting.Interest(descriptor: line.socket)) }
      let ready = Waiting.wait(
        for: interests, until: line == nil ? min(nextRound, nextTry) : nextRound)
      if ready[0] { pool.watchSignal.clear() }
      // The line leads to the server that the calls used before.
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
      // After a failed call nothing is announced: the probe succeeds, and calls do not.
      guard !pool.hasFailed else { return }
      if line != nil { pause = pool.configuration.firstProbePause }
      if isTold || .now >= nextRound { announce() }
    }

    private static let listen = Statement("listen", "LISTEN freshstore_mark")
  }
#endif
