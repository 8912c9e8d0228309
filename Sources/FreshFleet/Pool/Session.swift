#if Fleet
  internal import FreshStore

  /// The thread of one connection of the pool.
  final class Session: Sendable {
    private let pool: ConnectionPool
    let lane: Lane
    let signal: WakeSignal

    /// How long a connection without work is kept.
    private static let idleTime = Duration.seconds(60)

    init(pool: ConnectionPool, lane: Lane) throws(SharedTierError) {
      (self.pool, self.lane) = (pool, lane)
      signal = try WakeSignal()
    }

    func run() {
      var connection: PostgresConnection?
      while let calls = pool.work(for: self) {
        if !calls.isEmpty {
          connection = work(calls, over: connection)
        } else {
          connection = wait(with: connection)
          if connection == nil, pool.leave(self) { return }
        }
      }
      pool.noteEnd(of: lane)
    }

    /// Waits for work, and notices meanwhile that the server has ended the connection. Returns it as long as
    /// it may be used.
    private func wait(with connection: PostgresConnection?) -> PostgresConnection? {
      guard let connection else {
        // What woke it may have failed meanwhile with all calls.
        signal.clear()
        return nil
      }
      let end = Waiting.Deadline.now + Self.idleTime
      while true {
        let ready = Waiting.wait(
          for: [
            Waiting.Interest(descriptor: signal.reading),
            Waiting.Interest(descriptor: connection.socket),
          ], until: end)
        if ready[0] {
          signal.clear()
          return connection
        }
        guard ready[1] else { return nil }
        do throws(SharedTierError) {
          try connection.readIdle()
        } catch {
          // The next call opens another one.
          return nil
        }
      }
    }

    /// Answers the calls; returns the connection as long as it may be used.
    private func work(_ calls: [Call], over old: PostgresConnection?) -> PostgresConnection? {
      guard !calls.allSatisfy(\.isFinished) else { return old }
      let connection: PostgresConnection
      do throws(SharedTierError) {
        if let old {
          connection = old
        } else {
          connection = try open()
        }
      } catch {
        pool.note(error, opens: error.state != SharedTierError.crowded)
        for call in calls { call.finish(.failure(error)) }
        return nil
      }
      let calls = calls.filter { $0.beginSending() }
      var answered = 0
      do throws(SharedTierError) {
        let end = Waiting.Deadline.now + pool.statementLimit + pool.configuration.limit
        try connection.exchange(calls.map(\.steps), until: end) { index, result in
          answered = index + 1
          settle(calls[index], result)
        }
        return connection
      } catch {
        let left = calls[answered...]
        // An idle connection may have ended unseen.
        let again =
          connection.hasServed ? left.filter { error.code != .slow && $0.takeRetry() } : []
        pool.putBack(again, in: lane)
        // Calls that were not answered in time have been counted by then.
        if again.isEmpty, !left.isEmpty, error.code != .slow { pool.note(error, of: lane) }
        for call in left where !again.contains(where: { $0 === call }) {
          call.finish(.failure(error))
        }
        return nil
      }
    }

    private func settle(_ call: Call, _ result: Call.Outcome) {
      switch result {
      case .success:
        let isInTime = Waiting.Deadline.now <= call.deadline
        call.finish(result) { if isInTime { pool.noteAnswer(in: lane) } }
      case .failure(let error):
        if error.code == .readOnly { pool.noteMove() }
        if error.isPassing(of: call.steps), call.takeRetry() {
          return pool.putBack([call], in: lane)
        }
        call.finish(result) { pool.note(error, of: lane) }
      }
    }

    private func open() throws(SharedTierError) -> PostgresConnection {
      let connection = try PostgresConnection.open(
        pool.address, limit: pool.configuration.connectLimit, stop: { pool.isClosed })
      try FleetSchema.look(
        at: connection, within: pool.configuration.connectLimit,
        statementLimit: pool.statementLimit)
      return connection
    }
  }
#endif
