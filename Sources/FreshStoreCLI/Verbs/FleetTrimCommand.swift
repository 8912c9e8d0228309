#if CommandLine
  internal import ArgumentParser
  internal import FreshFleet
  internal import FreshStore

  /// `freshstore fleet trim`: removes what is over.
  struct FleetTrimCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "trim",
      abstract: "Remove marks, records and leases of a fleet that are over.",
      discussion: """
        Made for cron, once a day on one of the hosts. It removes marks older than --older-than, records that \
        nobody can take any more, and leases that have ended, in batches between which marks are made; it may \
        be ended at any time. A host that was away for longer takes all its copies for stale when it is back, \
        so give it more time than hosts are away.

        EXAMPLES
          freshstore fleet trim
          freshstore fleet trim postgresql://news@db.example.org/fleet --older-than 30d

        EXIT CODES
          0    done
          7    the database is out of reach, or cannot be used: the message says what to do
          64   the arguments are wrong, or the address shows a password
          71   libpq is not installed
        """)

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "Remove what has been over for this long. (default: 7d)", valueName: "duration"),
      transform: DurationText.span)
    var olderThan: Duration = .seconds(7 * 86_400)

    @OptionGroup var target: FleetTarget
    @OptionGroup var output: JSONOption

    func run() async throws {
      try await Session.run { [self] in
        let administration = try target.administration()
        let trimmed = try await Console.whileWorking("trimming the fleet") {
          try await administration.trim(olderThan: olderThan)
        }
        let (marks, records, leases) = (trimmed.marks, trimmed.records, trimmed.leases)
        try output.print(
          ["marks": marks, "records": records, "leases": leases],
          or: ["removed marks: \(marks), records: \(records), leases: \(leases)"])
      }
    }
  }
#endif
