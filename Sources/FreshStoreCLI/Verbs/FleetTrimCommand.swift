#if CommandLine
  internal import ArgumentParser
  internal import FreshFleet
  internal import FreshStore

  /// `freshstore fleet trim`: removes old marks, records and leases.
  struct FleetTrimCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "trim",
      abstract: "Remove marks, records and leases of a fleet that are over.",
      discussion: """
        Made for cron, once a day on one of the hosts. It removes marks older than --older-than, the records \
        that these cover or whose time is over, and leases that have ended, in batches between which marks are made; \
        what a host can still take stays. It may be ended at any time. A host that was away for longer takes all its copies for stale when it is back, \
        so give it more time than hosts are away.

        Progress goes to standard error: a bar on a terminal, a line every few seconds elsewhere. With --dry-run it \
        counts what would go, of each table, and removes nothing; in a large fleet that takes a while, and \
        --fleet-limit gives it longer than 30 seconds.

        EXAMPLES
          freshstore fleet trim
          freshstore fleet trim --dry-run --older-than 1d
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

    @Flag(help: "Count what would be removed; remove nothing.") var dryRun = false
    @OptionGroup var progress: ProgressOptions
    @OptionGroup var target: FleetTarget
    @OptionGroup var output: JSONOption

    func run() async throws {
      try await Session.run { [self] in
        let administration = try target.administration()
        let trimmed = try await dryRun ? count(administration) : trim(administration)
        let fields: JSONFields = [
          "marks": trimmed.marks, "records": trimmed.records, "leases": trimmed.leases,
          "isDryRun": dryRun,
        ]
        let words = "\(dryRun ? "would remove" : "removed") \(Self.words(trimmed))"
        try output.print(fields, or: progress.quiet ? [] : [words])
      }
    }

    private func count(
      _ administration: FleetAdministration
    ) async throws -> FleetAdministration.Trimmed {
      guard !progress.quiet else {
        return try await administration.trim(olderThan: olderThan, isDryRun: true)
      }
      return try await Console.whileWorking("counting") {
        try await administration.trim(olderThan: olderThan, isDryRun: true)
      }
    }

    private func trim(
      _ administration: FleetAdministration
    ) async throws -> FleetAdministration.Trimmed {
      let meter = progress.meter
      defer { meter.end() }
      // The total is not known in advance.
      return try await administration.trim(olderThan: olderThan) { [meter] in
        meter.show("removed \(Self.words($0))", 0, of: 1)
      }
    }

    private static func words(_ trimmed: FleetAdministration.Trimmed) -> String {
      "marks: \(trimmed.marks), records: \(trimmed.records), leases: \(trimmed.leases)"
    }
  }
#endif
