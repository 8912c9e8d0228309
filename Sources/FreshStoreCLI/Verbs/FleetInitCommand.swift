#if CommandLine
  internal import ArgumentParser
  internal import FreshFleet
  internal import FreshStore

  /// `freshstore fleet init`: makes the tables.
  struct FleetInitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "init",
      abstract: "Make the tables of a fleet, or bring older ones up to date.",
      discussion: """
        They stand in a schema of their own, freshstore; run again it changes nothing. Another application's \
        tables of that name, and those of a newer version, are left as they are. The user needs the right to \
        make a schema (GRANT CREATE ON DATABASE), or one that is there; other users of the fleet need USAGE ON \
        SCHEMA freshstore, and SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA freshstore.

        EXAMPLES
          freshstore fleet init postgresql://news@db.example.org/fleet
          FRESHSTORE_FLEET=service=fleet freshstore fleet init --json

        EXIT CODES
          0    the tables are there
          7    the database is out of reach, or cannot be used: the message says what to do
          64   the address is wrong, or shows a password
          71   libpq is not installed
        """)

    @OptionGroup var target: FleetTarget
    @OptionGroup var output: JSONOption

    func run() async throws {
      try await Session.run { [self] in
        let administration = try target.administration()
        let status = try await Console.whileWorking("setting up the fleet") {
          try await administration.setUp()
        }
        try output.print(
          FleetStatusOutput(tables: .success(status), host: nil).fields,
          or: ["the fleet is set up: tables of version \(status.version)"])
      }
    }
  }
#endif
