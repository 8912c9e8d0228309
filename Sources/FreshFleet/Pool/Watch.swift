#if Fleet
  internal import FreshStore

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
