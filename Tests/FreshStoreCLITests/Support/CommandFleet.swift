#if CommandLine
  import Glibc
  import PostgreSQLServer
  import Testing

  /// The fleet of one test: a database of its own, and two hosts on it with stores of their own.
  struct CommandFleet: Sendable {
    let server: PostgreSQLServer
    let database: String
    let playground: Playground

    /// On the server that all tests share; its tables are there, unless they are to be missing.
    static func make(isSetUp: Bool = true) async throws -> CommandFleet {
      let server = try await SharedServer.one.server()
      let fleet = CommandFleet(
        server: server, database: try await server.database(), playground: try Playground())
      if isSetUp { #expect(try await fleet.run(["fleet", "init"]).status == 0) }
      return fleet
    }

    /// The address by the socket, without a password.
    var address: String { server.address(database: database) }

    /// The address by the network, with the password.
    func uri(password: String = PostgreSQLServer.password) -> String {
      server.uri(password: password, database: database)
    }

    /// The variables of its hosts.
    var environment: [String: String] {
      ["FRESHSTORE_FLEET": address, "FRESHSTORE_REACHABILITY": "online"]
    }

    /// Runs the command with the fleet in its environment. It waits long: the tests' machine may be busy.
    func run(
      _ arguments: [String], fleet: String? = nil,
      during body: @Sendable (pid_t) async throws -> Void = { _ in }
    ) async throws -> Playground.Run {
      let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
      return try await playground.run(
        Array(arguments[..<end]) + ["--fleet-limit", "20s"] + arguments[end...],
        environment: environment.merging(["FRESHSTORE_FLEET": fleet ?? address]) { $1 },
        during: body)
    }

    /// The same on a host's store.
    func run(
      on host: String, _ arguments: [String], fleet: String? = nil,
      during body: @Sendable (pid_t) async throws -> Void = { _ in }
    ) async throws -> Playground.Run {
      let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
      return try await run(
        Array(arguments[..<end]) + ["--db", playground.file(host)] + arguments[end...],
        fleet: fleet, during: body)
    }

    /// Gets what a command prints that leaves a line in a file each time it runs.
    func get(
      on host: String, _ options: [String] = [], fleet: String? = nil
    ) async throws -> Playground.Run {
      let command = ["sh", "-c", "echo run >> '\(playground.file("runs"))'; echo value"]
      return try await run(
        on: host, ["get", "k", "--expiry", "1h", "--tag", "t"] + options + ["--"] + command,
        fleet: fleet)
    }

    /// How often that command ran.
    var runs: Int {
      get throws { try playground.lines("runs") }
    }

    /// Leaves a mark of a tag in a host's store that could not be delivered.
    func keepMark(of tag: String, on host: String) async throws {
      let kept = try await run(
        on: host, ["mark", "--tag", tag, "--fleet-alone", "keep"], fleet: Self.nowhere)
      #expect(kept.status == 0)
      #expect(kept.error.contains("the next get, mark, sweep or sync run"), "\(kept.error)")
    }

    @discardableResult
    func sql(_ text: String) async throws -> [String] {
      try await server.sql(text, database: database)
    }

    /// An address at which nobody listens.
    static let nowhere = "host=127.0.0.1 port=1 user=u dbname=d"

    /// A tag that is too long for a fleet.
    static let longTag = String(repeating: "t", count: 1025)
  }

  extension Trait where Self == ConditionTrait {
    /// Skips where there is no PostgreSQL.
    static var needsPostgreSQL: Self {
      .enabled(if: PostgreSQLServer.isInstalled, "\(PostgreSQLServer.missing)")
    }

    /// Skips where there is no libpq.
    static var needsLibpq: Self {
      .enabled(
        if: unsafe dlopen("libpq.so.5", RTLD_NOW) != nil,
        "libpq is not installed (on Debian: apt install libpq5)")
    }
  }
#endif
