#if CommandLine
  internal import ArgumentParser
  internal import FreshStore

  /// `freshstore sweep`: marks what has expired.
  struct SweepCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "sweep",
      abstract: "Mark every record whose time is over, for the refetch queue.",
      discussion: """
        Made for cron and systemd timers: it works in small batches, so that nobody has to wait \
        for it, and may be ended at any time.

        EXAMPLES
          freshstore sweep
          freshstore sweep --dry-run --json
        """)

    @Option(help: ArgumentHelp("Mark at most so many.", valueName: "count")) var limit: Int?
    @Flag(help: "Count what would be marked; write nothing.") var dryRun = false
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func validate() throws {
      if let limit, limit <= 0 { throw ValidationError("the --limit must be 1 or more") }
    }

    func run() async throws {
      try await Session.run(endsInOrder: true) { [self] in
        try await OpenStore.use(store) { store in try await sweep(store) }
      }
    }

    private func sweep(_ store: Store) async throws {
      var options = SweepOptions()
      options.limit = limit
      options.isDryRun = dryRun
      options.progress = { Console.progress("looked at \($0.examined), marked \($0.marked)") }
      let result = try await store.sweep(options)
      Console.endProgress()
      if output.json {
        try StandardOutput.json(result)
      } else {
        try StandardOutput.line(
          (result.isDryRun ? "would mark " : "marked ")
            + "\(result.marked) of \(result.examined) looked at"
            + (result.isComplete ? "" : "; there are more"))
      }
    }
  }
#endif
