#if CommandLine
  internal import ArgumentParser
  internal import FreshStore

  /// `freshstore sweep`: marks expired records, and optionally fetches them again and removes old
  /// ones.
  struct SweepCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "sweep",
      abstract: "Mark every record whose time is over, for the refetch queue.",
      discussion: """
        Made for cron and systemd timers: it writes in turns of some 2 ms and leaves the lock to \
        others in between, and it may be ended at any time, even killed: what is done stays done, \
        and the next sweep goes on from there. One sweep at a time: a second one ends at once with \
        75, or after --wait, and says who is at it.

        With --refetch, what is due is fetched again where its source is an http or https URL; with \
        --prune-older-than and --max-size, old records are removed after that. How far it is stands \
        on standard error: a bar on a terminal, a line every few seconds elsewhere.

        EXAMPLES
          freshstore sweep
          freshstore sweep --dry-run --json
          freshstore sweep --quiet --refetch --concurrency 8 --prune-older-than 30d --max-size 2G

        \(ExitStatus.help((.served, "done"), (.nothingToServe, "--refetch: some was put off, its source is out of reach or left alone"), (.fetchFailed, "--refetch: a fetch failed"), (.underWay, "another sweep is at work on the store")))
        """)

    @Option(help: ArgumentHelp("Mark at most so many.", valueName: "count")) var limit: Int?
    @Flag(help: "Count what would be marked and removed; write nothing.") var dryRun = false
    @Flag(
      help: """
        Fetch again what is due and has an http or https URL; exit with 5 if one fails, else with 4 if a \
        source is out of reach or left alone.
        """)
    var refetch = false
    @Option(help: ArgumentHelp("Fetch so many at once, 1 to 64. (default: 4)", valueName: "count"))
    var concurrency: Int?
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp("Remove records last updated so long ago.", valueName: "duration"),
      transform: DurationText.span)
    var pruneOlderThan: Duration?
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "Keep at most so many bytes of records, the newest: 512, 10k, 5M, 1G.", valueName: "size"),
      transform: SizeText.parse)
    var maxSize: Int?
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "Wait so long for another sweep to end. (default: 0)", valueName: "duration"),
      transform: DurationText.span)
    var wait: Duration = .zero
    @Flag(
      name: .shortAndLong,
      help: "Say nothing but what went wrong; --json prints its object all the same.")
    var quiet = false
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "Say how far it is so often where standard error is no terminal. (default: 5s)",
        valueName: "duration"),
      transform: DurationText.span)
    var progressEvery: Duration = .seconds(5)
    @OptionGroup var headers: HeadersOption
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func validate() throws {
      if let limit, limit <= 0 { throw ValidationError("the --limit must be 1 or more") }
      if let concurrency {
        guard refetch else { throw ValidationError("--concurrency is for --refetch") }
        guard (1...64).contains(concurrency) else {
          throw ValidationError("the --concurrency must be 1 to 64")
        }
      }
      if headers.headers != nil, !refetch {
        throw ValidationError("--headers is for --refetch")
      }
      if refetch, dryRun {
        throw ValidationError("what --refetch would bring cannot be told by a --dry-run")
      }
    }

    func run() async throws {
      try await Session.run(endsInOrder: true) { [self] in
        let headers = try headers.read()
        try await OpenStore.use(store) { store in try await sweep(store, headers) }
      }
    }

    private func sweep(_ store: Store, _ headers: HeadersFile?) async throws {
      let run = SweepRun(
        store: store, limit: limit, isDryRun: dryRun, concurrency: refetch ? concurrency ?? 4 : nil,
        headers: headers, pruneOlderThan: pruneOlderThan, maximumBytes: maxSize, wait: wait,
        meter: ProgressMeter(isQuiet: quiet, pause: progressEvery))
      let (summary, failure) = try await run.result()
      try output.print(summary, or: quiet ? [] : summary.lines)
      guard summary.failed + summary.deferred > 0 || failure != nil else { return }
      var words: [String] = []
      if summary.failed > 0 { words.append("\(summary.failed) of the refetches failed") }
      if let failure {
        if summary.deferred > 0 { words.append("\(summary.deferred) are as due as before") }
        let told = CommandFailure(failure)
        words.append(told.message ?? "")
        throw CommandFailure(
          summary.failed > 0 ? .fetchFailed : told.status, words.joined(separator: "; "))
      }
      if summary.deferred > 0 {
        words.append(
          "\(summary.deferred) were put off; their sources are out of reach, or left alone after failures"
        )
      }
      throw CommandFailure(
        summary.failed > 0 ? .fetchFailed : .nothingToServe, words.joined(separator: "; "))
    }
  }
#endif
