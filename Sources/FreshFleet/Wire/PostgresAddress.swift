#if Fleet
  internal import CPostgres
  internal import FreshStore

  /// The address of a database as its user wrote it: a URI, or words as libpq has them
  /// (https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-CONNSTRING).
  struct PostgresAddress: Sendable {
    /// The options that were written, by libpq's names.
    private let options: [String: String]

    /// The options of each host, in the order in which they are tried.
    let hosts: [[String: String]]

    init(_ text: String) throws(SharedTierError) {
      options = try Self.parsed(text)
      hosts = Self.hosts(of: options)
    }

    /// The address without its secrets.
    var description: String {
      let host = options["host"] ?? options["hostaddr"] ?? options["service"] ?? "the local socket"
      let port = options["port"].map { ":" + $0 } ?? ""
      let database = options["dbname"].map { "/" + $0 } ?? ""
      return host + port + database
    }

    /// A message of the library without the secrets of the address.
    func cleaned(_ message: String) -> String {
      var message = message
      for name in ["password", "sslpassword"] {
        if let secret = options[name], !secret.isEmpty {
          message = message.replacing(secret, with: "…")
        }
      }
      return message
    }

    private static func parsed(_ text: String) throws(SharedTierError) -> [String: String] {
      let library = try PostgresLibrary.shared.get()
      // Cut at the NUL it would be read as another address.
      guard !text.utf8.contains(0) else {
        throw SharedTierError(.invalidAddress, "the address of the fleet holds a NUL byte")
      }
      var message: UnsafeMutablePointer<CChar>?
      let parsed = unsafe library.functions.PQconninfoParse(text, &message)
      defer {
        if let message = unsafe message { unsafe library.functions.PQfreemem(message) }
      }
      guard let parsed = unsafe parsed else {
        // The library quotes what it does not understand, and that may be a part of a password.
        throw SharedTierError(
          .invalidAddress,
          "the address of the fleet is not understood: write postgresql://user@host:port/database, or "
            + "keyword=value; in a URI write %25 for a % of the password")
      }
      defer { unsafe library.functions.PQconninfoFree(parsed) }
      var options: [String: String] = [:]
      var option = unsafe parsed
      while let keyword = unsafe option.pointee.keyword {
        if let value = unsafe option.pointee.val {
          unsafe options[String(cString: keyword)] = unsafe String(cString: value)
        }
        unsafe option += 1
      }
      return options
    }

    /// Several hosts are tried by us, one after the other: libpq leaves a host that does not answer only in
    /// its blocking calls. What stands in a service file or the environment is left to libpq.
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
#endif
