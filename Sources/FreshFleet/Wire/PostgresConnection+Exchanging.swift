#if Fleet
  internal import CPostgres
  internal import FreshStore

  extension PostgresConnection {
    /// What the next result answers.
    private enum Expected {
      case prepared(String)
      /// The rows of a statement; a new one was prepared in the same round trip.
      case rows(isNew: Bool)
      /// The end of a transaction, and of a call with its last one.
      case end(isLast: Bool)
    }

    /// The call whose results are read.
    private struct Answering {
      var rows: [[Row]] = []
      var failure: SharedTierError?
      var hasCommitted = false

      mutating func note(_ error: SharedTierError) {
        guard failure == nil else { return }
        failure = error
        if hasCommitted { failure?.isUncertain = true }
      }

      var outcome: Result<[[Row]], SharedTierError> {
        failure.map { .failure($0) } ?? .success(rows)
      }
    }

    /// Sends all calls at once, each in transactions of its own, and hands over their answers in their order.
    ///
    /// - Parameter answer: Called once for each call that was answered.
    func exchange(
      _ calls: [[Step]], until deadline: Waiting.Deadline,
      answer: (Int, Result<[[Row]], SharedTierError>) -> Void
    ) throws(SharedTierError) {
      var expected: [Expected] = []
      for steps in calls { try send(steps, &expected) }
      var (place, answered, gaps) = (0, 0, 0)
      var call = Answering()
      while answered < calls.count {
        try pump(until: deadline)
        while answered < calls.count, unsafe library.PQisBusy(handle) == 0 {
          guard let result = unsafe PostgresResult(library.PQgetResult(handle), library) else {
            // One stands between the results of two statements; more of them say that none will come.
            gaps += 1
            guard isAlive, gaps < 3 else { throw lost() }
            continue
          }
          gaps = 0
          guard place < expected.count else { throw lost() }
          if result.status == PGRES_FATAL_ERROR {
            call.note(try error(in: result, expected[place]))
          }
          switch expected[place] {
          case .prepared(let name):
            if result.status != PGRES_COMMAND_OK { prepared.remove(name) }
          case .rows:
            if result.isSuccess { call.rows.append(result.rows) }
          case .end(let isLast):
            // An error of the commit comes before the end.
            guard result.status == PGRES_PIPELINE_SYNC else { continue }
            call.hasCommitted = call.failure == nil
            guard isLast else { break }
            hasServed = true
            answer(answered, call.outcome)
            answered += 1
            call = Answering()
          }
          place += 1
        }
      }
      noteNotifications()
      if isSpent { throw lost() }
    }

    /// The error of a result, which may tell that the connection is of no use any more.
    private func error(
      in result: borrowing PostgresResult, _ expected: Expected
    ) throws(SharedTierError) -> SharedTierError {
      let error = result.error(cleanedBy: address)
      // Once it has ended, the connection's last words come in place of an answer.
      guard isAlive else {
        isSpent = true
        throw SharedTierError(.unreachable, error.message, state: error.state)
      }
      // A server that was demoted while the connection stood: another one can be written by now.
      if error.isStatementLost || error.code == .readOnly { isSpent = true }
      if case .rows(isNew: false) = expected, error.isPlanOutdated { isSpent = true }
      if error.isNoticeRefused { canNotify = false }
      return error
    }

    private func send(_ steps: [Step], _ expected: inout [Expected]) throws(SharedTierError) {
      for (index, step) in steps.enumerated() {
        if !step.isNotice || canNotify {
          let name = step.statement.name
          let isNew = prepared.insert(name).inserted
          if isNew {
            guard unsafe library.PQsendPrepare(handle, name, step.statement.text, 0, nil) == 1
            else { throw lost() }
            expected.append(.prepared(name))
          }
          guard send(step) else { throw lost() }
          expected.append(.rows(isNew: isNew))
        }
        let isLast = index == steps.count - 1
        guard isLast || step.isCommitted else { continue }
        guard unsafe library.PQpipelineSync(handle) == 1 else { throw lost() }
        expected.append(.end(isLast: isLast))
      }
    }

    private func send(_ step: Step) -> Bool {
      let count = step.parameters.count
      var bytes: [UInt8] = []
      var offsets: [Int?] = []
      for parameter in step.parameters {
        offsets.append(parameter.bytes == nil ? nil : bytes.count)
        bytes += parameter.bytes ?? []
        // Bytes for the pointer of an empty value, which would be NULL without them.
        bytes.append(0)
      }
      let lengths = step.parameters.map { Int32($0.bytes?.count ?? 0) }
      let formats = [Int32](repeating: 1, count: count)
      return unsafe bytes.withUnsafeBytes { buffer in
        let values = unsafe offsets.map { offset -> UnsafePointer<CChar>? in
          guard let offset, let base = buffer.baseAddress else { return nil }
          return unsafe (base + offset).assumingMemoryBound(to: CChar.self)
        }
        return unsafe library.PQsendQueryPrepared(
          handle, step.statement.name, Int32(count), values, lengths, formats, 1) == 1
      }
    }

    /// Sends what waits to be sent and reads what has come; waits until there is something to do.
    private func pump(until deadline: Waiting.Deadline) throws(SharedTierError) {
      while true {
        let unsent = unsafe library.PQflush(handle)
        guard unsent >= 0 else { throw lost() }
        if unsafe library.PQisBusy(handle) == 0 { return }
        let isReady = Waiting.wait(
          for: [Waiting.Interest(descriptor: socket, isWriting: unsent > 0)], until: deadline)[0]
        guard isReady else {
          isSpent = true
          throw SharedTierError(.slow, "\(address.description) did not answer in time")
        }
        try read()
      }
    }

    /// Reads what has come, without waiting. Fails when the server has ended the connection.
    func read() throws(SharedTierError) {
      guard unsafe library.PQconsumeInput(handle) == 1 else { throw lost() }
    }

    /// Reads what has come to an idle connection: notices, notifications, or its end.
    func readIdle() throws(SharedTierError) {
      try read()
      guard isAlive else { throw lost() }
    }

    /// Takes what has come from the library, which would keep it for ever: behind a pooler it may come to any
    /// connection.
    private func noteNotifications() {
      while let notification = unsafe library.PQnotifies(handle) {
        isTold = true
        unsafe library.PQfreemem(notification)
      }
    }

    /// True when a notification has come since the last time. Nobody reads its payload, which another application
    /// may have sent: it only has the host ask.
    func takeNotifications() -> Bool {
      noteNotifications()
      defer { isTold = false }
      return isTold
    }

    /// Runs one call alone.
    func run(_ steps: [Step], within limit: Duration) throws(SharedTierError) -> [[Row]] {
      var outcome: Result<[[Row]], SharedTierError>?
      do throws(SharedTierError) {
        try exchange([steps], until: .now + limit) { _, result in outcome = result }
      } catch {
        // An answer after which the connection is of no use says more.
        if outcome == nil { throw error }
      }
      guard let outcome else { throw lost() }
      return try outcome.get()
    }

    /// Runs statements without parameters as one transaction, such as the steps of a migration.
    func script(_ text: String, within limit: Duration) throws(SharedTierError) {
      let deadline = Waiting.Deadline.now + limit
      guard unsafe library.PQexitPipelineMode(handle) == 1,
        unsafe library.PQsendQuery(handle, text) == 1
      else { throw lost() }
      var failure: SharedTierError?
      while true {
        try pump(until: deadline)
        guard let result = unsafe PostgresResult(library.PQgetResult(handle), library) else {
          break
        }
        if result.status == PGRES_FATAL_ERROR {
          failure = failure ?? result.error(cleanedBy: address)
          guard isAlive else { throw lost() }
        }
      }
      guard unsafe library.PQenterPipelineMode(handle) == 1 else { throw lost() }
      if let failure { throw failure }
    }
  }
#endif
