#if Fleet
  internal import FreshStore

  /// The thread that looks after the way to the shared tier: it hears of marks, and while the breaker is open
  /// it asks in the place of the calls.
  struct Watch: Sendable {
    let pool: ConnectionPool

    private struct Line {
      let connection: PostgresConnection
      let canNotify: Bool
    }

    /// How often the tier is asked for news where it does not tell of them.
    private static let round = Duration.seconds(1)

    func run() {
      var line: Line?
      var pause = pool.configuration.firstProbePause
      while !pool.isClosed {
        do throws(SharedTierError) {
          if let line, pool.isInReach {
            try listen(on: line)
            // Not when a call has failed meanwhile: the probe comes through, and calls do not.
            if pool.isInReach { pause = pool.configuration.firstProbePause }
          } else {
            if pool.hasFailed { rest(&pause) }
            guard !pool.isClosed else { return }
            line = try probed(line)
            pool.noteReached()
            pool.announce()
          }
        } catch {
          line = nil
          // The pool's own connections may well work when there is no place for one more.
          if error.state != SharedTierError.crowded { pool.note(error, opens: true) }
          if !pool.hasFailed { rest(&pause) }
        }
      }
    }

    /// Waits before the next probe, each time twice as long, and up to a half less: hosts that lost the tier
    /// together do not come back together.
    private func rest(_ pause: inout Duration) {
      let end = Waiting.Deadline.now + pause * Double.random(in: 0.5...1)
      pause = min(pause * 2, pool.configuration.longestProbePause)
      repeat {
        pool.watchSignal.clear()
        _ = Waiting.wait(
          for: [Waiting.Interest(descriptor: pool.watchSignal.reading)], until: end)
      } while !pool.isClosed && .now < end
    }

    /// A connection that has answered just now.
    private func probed(_ line: Line?) throws(SharedTierError) -> Line {
      let configuration = pool.configuration
      if let line {
        _ = try FleetSchema.look(
          at: line.connection, within: configuration.limit, statementLimit: pool.statementLimit)
        return line
      }
      let connection = try PostgresConnection.open(
        pool.address, limit: configuration.connectLimit, stop: { pool.isClosed })
      let look = try FleetSchema.look(
        at: connection, within: configuration.connectLimit, statementLimit: pool.statementLimit)
      let canNotify = look.canNotify && configuration.listens
      if canNotify {
        _ = try connection.run([Step(Self.listen)], within: configuration.connectLimit)
      }
      return Line(connection: connection, canNotify: canNotify)
    }

    /// Waits for a notification, or a round long; notices that the connection has ended.
    private func listen(on line: Line) throws(SharedTierError) {
      let ready = Waiting.wait(
        for: [
          Waiting.Interest(descriptor: pool.watchSignal.reading),
          Waiting.Interest(descriptor: line.connection.socket),
        ], until: .now + Self.round)
      if ready[0] { pool.watchSignal.clear() }
      if ready[1] { try line.connection.readIdle() }
      let isTold = line.connection.takeNotifications()
      if isTold || !(line.canNotify || ready[0] || ready[1]) { pool.announce() }
    }

    private static let listen = Statement("listen", "LISTEN freshstore_mark")
  }
#endif
