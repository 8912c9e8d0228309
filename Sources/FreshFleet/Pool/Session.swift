#if Fleet
  internal import FreshStore

  /// The thread of one connection of the pool.
  final class Session: Sendable {
    private let pool: ConnectionPool
    let lane: Lane
    let signal: WakeSignal

    /// The time for which a connection without work is kept.
    private static let idleTime = Duration.seconds(60)
    /// The same while other hosts may be waiting for one.
    private static let crowdedIdleTime = Duration.milliseconds(200)

    init(pool: ConnectionPool, lane: Lane) throws(SharedTierError) {
      (self.pool, self.lane) = (pool, lane)
      signal = try WakeSignal()
    }

    /// A connection that counts in its lane as long as it is open.
    private final class OpenConnection {
      let connection: PostgresConnection
      private let pool: ConnectionPool
      private let lane: Lane

      init(_ connection: PostgresConnection, _ pool: ConnectionPool, _ lane: Lane) {
        (self.connection, self.pool, self.lane) = (connection, pool, lane)
        pool.noteConnection(in: lane, isOpen: true)
      }

      deinit { pool.noteConnection(in: lane, isOpen: false) }
    }

    func run() {
      var held: OpenConnection?
      while let calls = pool.work(for: self) {
        if calls.isEmpty {
          if let connection = held?.connection {
            if !wait(with: connection) { held = nil }
          } else {
            // The calls for which it was woken may all have failed meanwhile.
            signal.clear()
          }
          if held == nil, pool.leave(self) { return }
        } else if !calls.allSatisfy(\.isFinished) {
          if held == nil {
            switch open(for: calls) {
            case .opened(let new): held = new
            case .failed: continue
            case .passedOn: return
            }
          }
          if let connection = held?.connection, !work(calls, over: connection) { held = nil }
        }
      }
      held = nil
      pool.noteEnd(of: lane)
    }

    /// Waits for work, and notices when the server ends the connection. True as long as the connection is usable.
    private func wait(with connection: PostgresConnection) -> Bool {
      let end = Waiting.Deadline.now + (pool.isCrowded ? Self.crowdedIdleTime : Self.idleTime)
      while true {
        let ready = Waiting.wait(
          for: [
            Waiting.Interest(descriptor: signal.reading),
            Waiting.Interest(descriptor: connection.socket),
          ], until: end)
        if ready[0] {
          signal.clear()
          return true
        }
        guard ready[1] else { return false }
        do throws(SharedTierError) {
          try connection.readIdle()
        } catch {
          // The next call opens another connection.
          return false
        }
      }
    }

    private enum OpenResult {
      case opened(OpenConnection)
      /// The calls have failed.
      case failed
      /// Another session has the calls, and this one has ended.
      case passedOn
    }

    /// Opens a connection for the calls.
    private func open(for calls: [Call]) -> OpenResult {
      while true {
        let answers = pool.answers
        do throws(SharedTierError) {
          return .opened(OpenConnection(try open(), pool, lane))
        } catch {
          // A pooler without a free connection lets a new one wait in silence.
          let isCrowd =
            error.state == SharedTierError.crowded
            || error.code == .unreachable && pool.answers != answers
          let passing: ConnectionPool.PassOnResult =
            isCrowd ? pool.passOn(calls, of: lane) : .nowhere
          switch passing {
          case .taken: return .passedOn
          case .again where !calls.allSatisfy(\.isFinished):
            // The server takes a moment to notice that a connection has ended.
            _ = Waiting.wait(for: [], until: .now + .milliseconds(20))
          case .again, .nowhere:
            pool.note(error, opens: !isCrowd)
            for call in calls { call.finish(.failure(error)) }
            return .failed
          }
        }
      }
    }

    /// Runs the calls; true as long as the connection is usable.
    private func work(_ calls: [Call], over connection: PostgresConnection) -> Bool {
      let calls = calls.filter { $0.beginSending() }
      var answered = 0
      do throws(SharedTierError) {
        let end = Waiting.Deadline.now + pool.statementLimit + pool.configuration.limit
        try connection.exchange(calls.map(\.steps), until: end) { index, result in
          answered = index + 1
          settle(calls[index], result)
        }
        return true
      } catch {
        let left = calls[answered...]
        // An idle connection may have ended unnoticed.
        let again =
          connection.hasServed ? left.filter { error.code != .slow && $0.takeRetry() } : []
        pool.putBack(again, in: lane)
        // Calls without an answer in time have been counted by then.
        if again.isEmpty, !left.isEmpty, error.code != .slow { pool.note(error, of: lane) }
        for call in left where !again.contains(where: { $0 === call }) {
          call.finish(.failure(error))
        }
        return false
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
        call.finish(.failure(error.advised)) { pool.note(error, of: lane) }
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
