#if Fleet
  internal import CPostgres
  internal import FreshStore

  extension PostgresConnection {
    /// The part of a call that the next result answers.
    private enum Expected {
      case prepared(String)
      /// The rows of a statement; `isNew` if it was prepared in the same round trip.
      case rows(isNew: Bool)
      /// The end of a transaction, which is the last one of a call if `isLast`.
      case end(isLast: Bool)
    }

    /// The answer to a call while its results are read.
    private struct CallAnswer {
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

    /// Sends all calls at once, each in transactions of its own, and passes their answers on in their order.
    ///
    /// - Parameter answer: Called once for each call that was answered.
    func exchange(
      _ calls: [[Step]], until deadline: Waiting.Deadline,
      answer: (Int, Result<[[Row]], SharedTierError>) -> Void
    ) throws(SharedTierError) {
      var expected: [Expected] = []
      for steps in calls { try send(steps, &expected) }
      var (place, answered, gaps) = (0, 0, 0)
      var call = CallAnswer()
      while answered < calls.count {
        try pump(until: deadline)
        while answered < calls.count, unsafe library.PQisBusy(handle) == 0 {
          guard let result = unsafe PostgresResult(library.PQgetResult(handle), library) else {
            // One NULL separates the results of two statements. Several in a row mean that no result follows.
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
            call = CallAnswer()
          }
          place += 1
        }
      }
      noteNotifications()
      if isSpent { throw lost() }
    }

    /// The error of a result. Some make the connection useless.
    private func error(
      in result: borrowing PostgresResult, _ expected: Expected
    ) throws(SharedTierError) -> SharedTierError {
      let error = result.error(cleanedBy: address)
      // After its end, the last message of the connection comes in place of an answer.
      guard isAlive else {
        isSpent = true
        throw SharedTierError(.unreachable, error.message, state: error.state)
      }
      // A server that was demoted while the connection was open is read-only. Another one may be writable by now.
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
        // An empty value needs a byte for its pointer, which would be NULL without one.
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

    /// Sends the bytes that wait to be sent and reads the bytes that have come; waits until there are some.
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

    /// Reads the bytes that have come, without waiting. Fails when the server has ended the connection.
    func read() throws(SharedTierError) {
      guard unsafe library.PQconsumeInput(handle) == 1 else { throw lost() }
    }

    /// Reads the bytes that have come to an idle connection: notices, notifications, or its end.
    func readIdle() throws(SharedTierError) {
      try read()
      guard isAlive else { throw lost() }
    }

    /// Takes notifications out of the library, which would keep them for ever. Behind a pooler they may come
    /// to any connection.
    private func noteNotifications() {
      while let notification = unsafe library.PQnotifies(handle) {
        isTold = true
        unsafe library.PQfreemem(notification)
      }
    }

    /// True when a notification has come since the last call. Its payload is not read, as another application
    /// may have sent it: it only makes the host ask for news.
    func takeNotifications() -> Bool {
      noteNotifications()
      defer { isTold = false }
      return isTold
    }

    /// Runs one call.
    func run(_ steps: [Step], within limit: Duration) throws(SharedTierError) -> [[Row]] {
      var outcome: Result<[[Row]], SharedTierError>?
      do throws(SharedTierError) {
        try exchange([steps], until: .now + limit) { _, result in outcome = result }
      } catch {
        // An answer that makes the connection useless says more than this error.
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
