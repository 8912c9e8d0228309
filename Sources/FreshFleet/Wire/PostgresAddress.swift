#if Fleet
  internal import CPostgres
  internal import FreshStore

  /// The address of a database as its user wrote it: a URI or keyword/value text, as libpq has them
  /// (https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-CONNSTRING).
  struct PostgresAddress: Sendable {
    /// The options that were written, by libpq's names.
    private let options: [String: String]
    /// The values of the options that libpq marks as secret.
    private let secrets: [String]

    /// The options of each host, in the order in which they are tried.
    let hosts: [[String: String]]

    init(_ text: String) throws(SharedTierError) {
      (options, secrets) = try Self.parsed(text)
      try Self.check(options, in: text)
      hosts = Self.hosts(of: options)
    }

    /// A message of the library without the secrets of the address.
    func cleaned(_ message: String) -> String {
      secrets.reduce(message) { $0.replacing($1, with: "…") }
    }

    /// Refuses an address in which libpq may take a part of a password for a part that is shown: in
    /// `user:pa/ss@host` its host is `user`, its port `pa`, and its database `ss@host`.
    private static func check(
      _ options: [String: String], in text: String
    ) throws(SharedTierError) {
      let isURI = ["postgresql://", "postgres://"].contains { text.hasPrefix($0) }
      // The parts are the scheme, an empty one and the authority. An @ further on belongs to a name or a value.
      let isAmbiguous =
        isURI && text.split(separator: "/").dropFirst(2).contains { $0.contains("@") }
      let shown = ["host", "hostaddr", "port", "dbname"].compactMap { options[$0] }
      guard !isAmbiguous, !shown.contains(where: { $0.contains("@") }),
        options["dbname"]?.contains("=") != true
      else {
        throw SharedTierError(
          .invalidAddress,
          "the address of the fleet is ambiguous: no host and no database has an @ or a = in its name; "
            + "in a URI write %40 for an @, %2F for a / and %3A for a : of a name or a password")
      }
      for port in list(options["port"]) where !port.isEmpty {
        guard let number = Int(port), (1...65_535).contains(number) else {
          throw SharedTierError(
            .invalidAddress,
            "the port in the address of the fleet is no number from 1 to 65535; in a URI write %3A for a "
              + ": and %2F for a / of a name or a password")
        }
      }
    }

    private static func parsed(
      _ text: String
    ) throws(SharedTierError) -> (options: [String: String], secrets: [String]) {
      let library = try PostgresLibrary.shared.get()
      // Cut at the NUL, it would be read as another address.
      guard !text.utf8.contains(0) else {
        throw SharedTierError(.invalidAddress, "the address of the fleet holds a NUL byte")
      }
      if let scheme = ["http", "https"].first(where: { text.lowercased().hasPrefix($0 + "://") }) {
        throw SharedTierError(
          .invalidAddress,
          "the address of the fleet is that of a web server (\(scheme)); it is one of a database: "
            + "postgresql://user@host:port/database, or keyword=value")
      }
      var message: UnsafeMutablePointer<CChar>?
      let parsed = unsafe library.functions.PQconninfoParse(text, &message)
      defer {
        if let message = unsafe message { unsafe library.functions.PQfreemem(message) }
      }
      guard let parsed = unsafe parsed else {
        // The library quotes a text that it does not understand, which may be a part of a password.
        throw SharedTierError(
          .invalidAddress,
          "the address of the fleet is not understood: write postgresql://user@host:port/database, or "
            + "keyword=value; in a URI write %25 for a % of the password")
      }
      defer { unsafe library.functions.PQconninfoFree(parsed) }
      var (options, secrets): ([String: String], [String]) = ([:], [])
      var option = unsafe parsed
      while let keyword = unsafe option.pointee.keyword {
        if let value = unsafe option.pointee.val {
          let text = unsafe String(cString: value)
          unsafe options[String(cString: keyword)] = text
          // The library marks an option like this if it must not be shown while it is typed.
          let isSecret = unsafe option.pointee.dispchar.map { unsafe String(cString: $0) } == "*"
          if isSecret, !text.isEmpty { secrets.append(text) }
        }
        unsafe option += 1
      }
      return (options, secrets)
    }

    /// The client itself tries several hosts, one after the other: libpq leaves a host without an answer only
    /// in its blocking calls. Options of a service file or the environment are left to libpq.
    private static func hosts(of options: [String: String]) -> [[String: String]] {
      let names = list(options["host"])
      let addresses = list(options["hostaddr"])
      let ports = list(options["port"])
      let count = max(names.count, addresses.count)
      guard count > 1, [0, count].contains(names.count), [0, count].contains(addresses.count),
        [0, 1, count].contains(ports.count)
      else { return [options] }
      return (0..<count).map { index in
        var host = options
        if !names.isEmpty { host["host"] = names[index] }
        if !addresses.isEmpty { host["hostaddr"] = addresses[index] }
        if ports.count > 1 { host["port"] = ports[index] }
        return host
      }
    }

    private static func list(_ option: String?) -> [String] {
      guard let option else { return [] }
      return option.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
    }
  }

  /// The address prints without secrets, also as a part of another value.
  extension PostgresAddress: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
  {
    /// The address without its secrets.
    var description: String {
      Self.name(of: options)
    }

    /// The same for the options of one host.
    static func name(of options: [String: String]) -> String {
      let host = options["host"] ?? options["hostaddr"] ?? options["service"] ?? "the local socket"
      let port = options["port"].map { ":" + $0 } ?? ""
      let database = options["dbname"].map { "/" + $0 } ?? ""
      return host + port + database
    }

    var debugDescription: String { description }

    var customMirror: Mirror { Mirror(self, children: []) }
  }
#endif
