#if CommandLine
  internal import ArgumentParser
  internal import FreshFleet
  internal import FreshStore

  /// `freshstore fleet`: the database that many hosts share.
  struct FleetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "fleet",
      abstract: "Set up, show and trim the database that the hosts of a fleet share.",
      discussion: """
        Hosts that keep copies of the same sources share a database that speaks PostgreSQL's wire. Each key is \
        then fetched once for all of them, and what one host marks is stale on all. Each keeps its own store, \
        and goes on alone while the database is out of reach.

        'freshstore fleet init URI' makes the tables, once for all hosts. Then name the database wherever \
        copies are used: FRESHSTORE_FLEET=URI, 'fleet = URI' at the top of the configuration file, or --fleet URI \
        with get, explain, mark, remove, sweep, sync run, serve and doctor. A store that joins takes what it has \
        for stale, once. Values above 256 KiB stay with the host that has fetched them.

        The address is libpq's: postgresql://user@host:port/database?sslmode=verify-full, with several hosts \
        for a failover as in postgresql://user@one,two/database, or 'service=NAME' of ~/.pg_service.conf. \
        Everybody can list the arguments of a process, so an address with a password is refused there: keep it \
        in ~/.pgpass (host:port:database:user:password, mode 600), or put the address into the variable. \
        libpq is needed (on Debian: libpq5), and only for this.

        When the fleet was last heard of ("its last word") is noted in each store once a minute at most.

        Whoever may read the database may read the copies, and the addresses of their sources.

        EXAMPLES
          freshstore fleet init postgresql://news@db.example.org/fleet
          freshstore fleet status --json | jq .host.missingMarks
          freshstore fleet trim --older-than 30d
          freshstore fleet marks
        """,
      subcommands: [
        FleetInitCommand.self, FleetStatusCommand.self, FleetTrimCommand.self,
        FleetMarksCommand.self,
      ])
  }

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

  /// The fleet that a verb below `fleet` acts on.
  struct FleetTarget: ParsableArguments {
    @Argument(
      help: ArgumentHelp(
        """
        The database: postgresql://user@host/database, or words as libpq has them, such as 'service=NAME'. \
        (default: --fleet, else $FRESHSTORE_FLEET)
        """, valueName: "uri"))
    var uri: String?

    @OptionGroup(title: "Fleet") var option: FleetOption

    func validate() throws {
      guard address != nil else {
        throw ValidationError(
          "say which database, as in 'freshstore fleet status postgresql://user@host/database', or set "
            + FleetAddress.variable)
      }
      if let uri, !uri.isEmpty, let other = option.fleet, !other.isEmpty, other != uri {
        throw ValidationError("two fleets are named; give the argument, or --fleet")
      }
    }

    /// The address of the database.
    var address: String? { uri.flatMap { $0.isEmpty ? nil : $0 } ?? option.address }

    /// The fleet's tables.
    func administration() throws(CommandFailure) -> FleetAdministration {
      do throws(SharedTierError) {
        return try FleetAdministration(
          address ?? "", limit: option.limit(.administering))
      } catch {
        throw CommandFailure(error)
      }
    }
  }
#endif
