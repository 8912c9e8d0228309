#if Fleet
  internal import CPostgres
  internal import FreshStore
  internal import Platform

  /// One connection, in the hands of one thread that may block; closed when its owner lets it go.
  @safe
  final class PostgresConnection {
    private let handle: OpaquePointer
    private let library: freshstore_libpq
    private let address: PostgresAddress
    private var prepared: Set<String> = []
    /// True once a call has been answered: a later failure may be that of an idle connection alone.
    private(set) var hasServed = false
    /// True when the server must not be asked any more over this connection.
    private(set) var isSpent = false

    private init(_ handle: OpaquePointer, _ library: freshstore_libpq, _ address: PostgresAddress) {
      unsafe (self.handle, self.library, self.address) = (handle, library, address)
    }

    deinit {
      unsafe library.PQfinish(handle)
    }

    var socket: Int32 { unsafe library.PQsocket(handle) }

    private var isAlive: Bool { unsafe library.PQstatus(handle) == CONNECTION_OK }

    // MARK: Opening

    /// Opens a connection to the first host that lets us write.
    ///
    /// - Parameters:
    ///   - limit: The time for each host.
    ///   - stop: Ends the attempt when it is set.
    static func open(
      _ address: PostgresAddress, limit: Duration, stop: () -> Bool
    ) throws(SharedTierError) -> PostgresConnection {
      var failure = SharedTierError(.unreachable, "there is no host to connect with")
      for host in address.hosts {
        do throws(SharedTierError) {
          return try open(host, of: address, until: .now + limit, stop: stop)
        } catch {
          // A wrong password matters more than a host that is down.
          if failure.code == .unreachable || error.code == .refused { failure = error }
        }
      }
      throw failure
    }

    private static func open(
      _ host: [String: String], of address: PostgresAddress, until end: Waiting.Deadline,
      stop: () -> Bool
    ) throws(SharedTierError) -> PostgresConnection {
      let connection = try started(host, of: address)
      var isWriting = true
      while !stop() {
        let descriptor = connection.socket
        if descriptor >= 0 {
          let step = min(end, .now + .milliseconds(100))
          let isReady = Waiting.wait(
            for: [Waiting.Interest(descriptor: descriptor, isWriting: isWriting)], until: step)[0]
          if !isReady, .now >= end {
            throw SharedTierError(.unreachable, "\(address.description) does not answer")
          }
          guard isReady else { continue }
        }
        switch unsafe connection.library.PQconnectPoll(connection.handle) {
        case PGRES_POLLING_OK:
          unsafe _ = connection.library.PQsetnonblocking(connection.handle, 1)
          unsafe _ = connection.library.PQenterPipelineMode(connection.handle)
          return connection
        case PGRES_POLLING_FAILED: throw connection.failureToOpen()
        case PGRES_POLLING_WRITING: isWriting = true
        default: isWriting = false
        }
      }
      throw SharedTierError(.closed, "the client was closed")
    }

    private static func started(
      _ host: [String: String], of address: PostgresAddress
    ) throws(SharedTierError) -> PostgresConnection {
      let library = try PostgresLibrary.shared.get().functions
      var options = host
      options["target_session_attrs"] = options["target_session_attrs"] ?? "read-write"
      options["application_name"] = options["application_name"] ?? "freshstore"
      options["client_encoding"] = "UTF8"
      var keywords = unsafe options.keys.map { unsafe strdup($0) as UnsafeMutablePointer<CChar>? }
      var values = unsafe options.values.map { unsafe strdup($0) as UnsafeMutablePointer<CChar>? }
      unsafe keywords.append(nil)
      unsafe values.append(nil)
      defer { unsafe (keywords + values).forEach { unsafe free($0) } }
      let names = unsafe keywords.map { unsafe UnsafePointer($0) }
      let words = unsafe values.map { unsafe UnsafePointer($0) }
      guard let handle = unsafe library.PQconnectStartParams(names, words, 0) else {
        throw SharedTierError(.other, "no memory for a connection")
      }
      let connection = unsafe PostgresConnection(handle, library, address)
      guard unsafe library.PQstatus(handle) != CONNECTION_BAD else {
        throw connection.failureToOpen()
      }
      // The library would print what the server says beside its answers.
      unsafe _ = library.PQsetNoticeProcessor(handle, { _, _ in }, nil)
      return connection
    }

    private func failureToOpen() -> SharedTierError {
      let message = message
      return SharedTierError(
        SharedTierError.code(ofConnectionMessage: message), message,
        state: SharedTierError.isCrowd(connectionMessage: message) ? SharedTierError.crowded : nil)
    }

    /// The library's message on one line, without secrets.
    private var message: String {
      let text = unsafe library.PQerrorMessage(handle).map { unsafe String(cString: $0) } ?? ""
      let words = address.cleaned(text).split { $0.isNewline }.joined(separator: "; ")
      return words.isEmpty ? "the connection with \(address.description) has ended" : words
    }

    private func lost() -> SharedTierError {
      isSpent = true
      return SharedTierError(.unreachable, message)
    }

    // MARK: Exchanging

    /// What the next result answers.
    private enum Expected {
      case prepared(String)
      case rows
      case end
    }

    /// Sends all calls at once, each a transaction of its own, and hands over their answers in their order.
    ///
    /// - Parameter answer: Called once for each call that was answered.
    func exchange(
      _ calls: [[Step]], until deadline: Waiting.Deadline,
      answer: (Int, Result<[[Row]], SharedTierError>) -> Void
    ) throws(SharedTierError) {
      var expected: [Expected] = []
      for steps in calls { try send(steps, &expected) }
      var place = 0
      var answered = 0
      var (rows, failure): ([[Row]], SharedTierError?) = ([], nil)
      while answered < calls.count {
        try pump(until: deadline)
        while answered < calls.count, unsafe library.PQisBusy(handle) == 0 {
          guard let result = unsafe PostgresResult(library.PQgetResult(handle), library) else {
            guard isAlive else { throw lost() }
            continue
          }
          guard place < expected.count else { throw lost() }
          let status = result.status
          if status == PGRES_FATAL_ERROR {
            let error = result.error(cleanedBy: address)
            // Once it has ended, the connection's last words come in place of an answer.
            guard isAlive else {
              isSpent = true
              throw SharedTierError(.unreachable, error.message, state: error.state)
            }
            failure = failure ?? error
            if error.isStatementLost { isSpent = true }
          }
          if case .end = expected[place] {
            // An error of the commit comes before the end.
            guard status == PGRES_PIPELINE_SYNC else { continue }
            hasServed = true
            answer(answered, failure.map { .failure($0) } ?? .success(rows))
            answered += 1
            (rows, failure) = ([], nil)
          } else if case .prepared(let name) = expected[place] {
            if status != PGRES_COMMAND_OK { prepared.remove(name) }
          } else if status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK {
            rows.append(result.rows)
          }
          place += 1
        }
      }
      if isSpent { throw lost() }
    }

    private func send(_ steps: [Step], _ expected: inout [Expected]) throws(SharedTierError) {
      for step in steps {
        let name = step.statement.name
        if prepared.insert(name).inserted {
          guard unsafe library.PQsendPrepare(handle, name, step.statement.text, 0, nil) == 1 else {
            throw lost()
          }
          expected.append(.prepared(name))
        }
        guard send(step) else { throw lost() }
        expected.append(.rows)
      }
      guard unsafe library.PQpipelineSync(handle) == 1 else { throw lost() }
      expected.append(.end)
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

    /// True when a notification has come since the last time.
    func takeNotifications() -> Bool {
      var isThere = false
      while let notification = unsafe library.PQnotifies(handle) {
        unsafe library.PQfreemem(notification)
        isThere = true
      }
      return isThere
    }

    /// Runs one call alone.
    func run(_ steps: [Step], within limit: Duration) throws(SharedTierError) -> [[Row]] {
      var outcome: Result<[[Row]], SharedTierError>?
      try exchange([steps], until: .now + limit) { _, result in outcome = result }
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
