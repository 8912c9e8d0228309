#if Fleet
  internal import CPostgres
  internal import FreshStore
  internal import Platform

  /// The library libpq, which is loaded at its first use and kept. A program that never uses it pays nothing.
  @safe
  struct PostgresLibrary: Sendable {
    /// Its functions; all are present.
    let functions: freshstore_libpq

    /// The library, or the reason why it cannot be used.
    static let shared: Result<PostgresLibrary, SharedTierError> = load()

    #if canImport(Darwin)
      private static let names = ["libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib"]
    #else
      private static let names = ["libpq.so.5"]
    #endif

    private static func load() -> Result<PostgresLibrary, SharedTierError> {
      for name in names {
        guard let handle = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) else { continue }
        var functions = freshstore_libpq()
        guard let missing = unsafe freshstore_libpq_load(handle, &functions) else {
          return .success(PostgresLibrary(functions: functions))
        }
        let function = unsafe String(cString: missing)
        return .failure(
          SharedTierError(
            .noLibrary, "\(name) has no \(function): libpq of PostgreSQL 14 or later is needed"))
      }
      return .failure(
        SharedTierError(.noLibrary, "\(names[0]) is not installed (on Debian: apt install libpq5)"))
    }
  }

  /// One connection, used by one thread that may block. It closes when its owner releases it.
  @safe
  final class PostgresConnection {
    let handle: OpaquePointer
    let library: freshstore_libpq
    let address: PostgresAddress
    /// The names of the statements that the server has prepared.
    var prepared: Set<String> = []
    /// True once a call was answered. A later failure may only be the end of an idle connection.
    var hasServed = false
    /// True when this connection must not be used any more.
    var isSpent = false
    /// True once the server has accepted a notification. An engine may have none, or no room for more.
    var canNotify = false
    /// True when a notification has come that nobody has taken.
    var isTold = false

    private init(_ handle: OpaquePointer, _ library: freshstore_libpq, _ address: PostgresAddress) {
      unsafe (self.handle, self.library, self.address) = (handle, library, address)
    }

    deinit {
      unsafe library.PQfinish(handle)
    }

    var socket: Int32 { unsafe library.PQsocket(handle) }

    var isAlive: Bool { unsafe library.PQstatus(handle) == CONNECTION_OK }

    // MARK: Opening

    /// Opens a connection to the first host that can be written.
    ///
    /// - Parameters:
    ///   - limit: The time for each host.
    ///   - stop: Ends the attempt when it returns true.
    static func open(
      _ address: PostgresAddress, limit: Duration, stop: () -> Bool
    ) throws(SharedTierError) -> PostgresConnection {
      var failures: [SharedTierError] = []
      for host in address.hosts {
        do throws(SharedTierError) {
          return try open(host, of: address, until: .now + limit, stop: stop)
        } catch {
          guard error.code != .closed else { throw error }
          failures.append(error)
        }
      }
      throw failure(of: failures)
    }

    /// The failure of all hosts, with the message of each.
    private static func failure(of failures: [SharedTierError]) -> SharedTierError {
      // A wrong password matters more than a host that is down.
      let first =
        failures.last(where: { $0.code == .refused })
        ?? failures.first(where: { $0.code != .unreachable }) ?? failures.last
      guard let first else {
        return SharedTierError(.unreachable, "there is no host to connect with")
      }
      var words: [String] = []
      for failure in failures where !words.contains(failure.message) {
        words.append(failure.message)
      }
      return SharedTierError(first.code, words.joined(separator: "; "), state: first.state)
    }

    private static func open(
      _ host: [String: String], of address: PostgresAddress, until end: Waiting.Deadline,
      stop: () -> Bool
    ) throws(SharedTierError) -> PostgresConnection {
      let connection = try started(host, of: address)
      var isWriting = true
      while !stop() {
        // The limit also ends a host that sends a byte now and then.
        guard .now < end else {
          throw SharedTierError(
            .unreachable, "\(PostgresAddress.name(of: host)) does not answer")
        }
        let descriptor = connection.socket
        if descriptor >= 0 {
          let step = min(end, .now + .milliseconds(100))
          let isReady = Waiting.wait(
            for: [Waiting.Interest(descriptor: descriptor, isWriting: isWriting)], until: step)[0]
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
      // A path that was cut silently is noticed within half a minute, also when nothing is sent.
      options["keepalives_idle"] = options["keepalives_idle"] ?? "10"
      options["keepalives_interval"] = options["keepalives_interval"] ?? "5"
      options["keepalives_count"] = options["keepalives_count"] ?? "3"
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
      // The library would print the notices of the server.
      unsafe _ = library.PQsetNoticeProcessor(handle, { _, _ in }, nil)
      return connection
    }

    private func failureToOpen() -> SharedTierError {
      let message = message
      let code = SharedTierError.code(ofConnectionMessage: message)
      // This is the only fault in an address that is found so late.
      let advice =
        code == .invalidAddress && message.contains("service")
        ? "; services are defined in ~/.pg_service.conf, or in the file that PGSERVICEFILE names"
        : ""
      return SharedTierError(
        code, message + advice,
        state: SharedTierError.isCrowd(connectionMessage: message) ? SharedTierError.crowded : nil)
    }

    /// The library's message on one line, without secrets.
    private var message: String {
      let text = unsafe library.PQerrorMessage(handle).map { unsafe String(cString: $0) } ?? ""
      let words = address.cleaned(text).onOneLine
      return words.isEmpty ? "the connection with \(address.description) has ended" : words
    }

    func lost() -> SharedTierError {
      isSpent = true
      return SharedTierError(.unreachable, message)
    }
  }
#endif
