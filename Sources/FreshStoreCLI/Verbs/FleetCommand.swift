#if CommandLine
  internal import ArgumentParser

  /// `freshstore fleet`: what many hosts share.
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
#endif
