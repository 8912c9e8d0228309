#if CommandLine
  internal import ArgumentParser
  internal import FreshFleet
  internal import FreshStore

  /// `freshstore fleet status`: the tables, and this host's place.
  struct FleetStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "status",
      abstract: "Show what a fleet shares, and how far this host is behind it.",
      discussion: """
        It counts the records and the leases, which takes a while in a large fleet. Of this host's store it \
        shows how many of the fleet's marks are not taken in yet, when a word of the fleet was last noted, and \
        the marks that were kept for it or that it has refused. Nothing is changed.

        EXAMPLES
          freshstore fleet status
          freshstore fleet status postgresql://news@db.example.org/fleet --db /var/lib/freshstore/store.db
          freshstore fleet status --json | jq .newestMark

        EXIT CODES
          0    shown
          7    the database is out of reach, or cannot be used: the message says what to do
          64   the address is wrong, or shows a password
          71   libpq is not installed
        """)

    @OptionGroup var target: FleetTarget
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func run() async throws {
      try await Session.run { [self] in
        let administration = try target.administration()
        let status = try await Console.whileWorking("counting") {
          try await administration.status()
        }
        try await OpenStore.readIfThere(store) { store in
          let answer = FleetStatusOutput(status: status, host: try await host(store))
          try output.print(answer.fields, or: answer.lines)
        }
      }
    }

    private func host(_ store: Store?) async throws -> FleetStatusOutput.Host? {
      guard let store, let address = target.address else { return nil }
      let work = try store.quickStatistics().work
      return FleetStatusOutput.Host(
        path: store.path,
        look: await FleetLook(at: address, target.option, from: try store.fleetPlace()),
        keptMarks: work.keptMarks, refusedMarks: work.refusedMarks)
    }
  }
#endif
