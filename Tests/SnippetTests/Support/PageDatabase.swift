#if CommandLine
  import Foundation
  import FreshStoreTesting
  import PostgreSQLServer

  /// The database `fleet` that a page has its reader create, on a server of its own.
  struct PageDatabase {
    private let server: PostgreSQLServer

    /// `nil` for a page without a fleet, and where PostgreSQL is not installed: its blocks are left out then.
    init?(for examples: [Page.ShellExample]) async throws {
      guard examples.contains(where: \.isOfFleet), PostgreSQLServer.isInstalled else { return nil }
      server = try await PostgreSQLServer()
      try await server.sql("CREATE DATABASE fleet")
    }

    /// Has libpq find the server where it would find that of the reader. The tests' machine may be busy, so the
    /// command waits long for it.
    func variables(in home: TemporaryFolder) throws -> [String: String] {
      let settings = ["get", "mark"].map { "[\($0)]\nfleet-limit = 20s\n" }.joined()
      try Data(settings.utf8).write(to: URL(fileURLWithPath: home.file("settings")))
      return [
        "FRESHSTORE_CONFIG": home.file("settings"), "PGHOST": server.folder,
        "PGPORT": "\(server.port)", "PGUSER": "postgres",
      ]
    }
  }
#endif
