#if CommandLine
  internal import ArgumentParser
  internal import FreshStore

  /// `freshstore sweep`: marks expired records, and optionally fetches them again and removes old
  /// ones.
  struct SweepCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "sweep",
      abstract: "Mark every expired record for the refetch queue.",
      discussion: """
        Made for cron and systemd timers: it writes in turns of some 2 ms and leaves the lock to \
        others in between, and it may be ended at any time, even killed: what is done stays done, \
        and the next sweep goes on from there. One sweep at a time: a second one ends at once with \
        75, or after --wait, and names the process that is running.

        With --refetch, what is due is fetched again where its source is an http or https URL, but not what a \
        gateway (freshstore serve) keeps: that is renewed when somebody asks for it. With \
        --older-than and --max-total, old records are removed after that. Progress goes to standard error: a bar on a terminal, a line every few seconds elsewhere.

        In a fleet (--fleet) what other hosts have marked is taken in first, and marks that were kept for them \
        are delivered; a record that is due is fetched by one host for all.

        EXAMPLES
          freshstore sweep
          freshstore sweep --dry-run --json
          freshstore sweep --quiet --refetch --concurrency 8 --older-than 30d --max-total 2G

        \(ExitStatus.help((.served, "done"), (.nothingToServe, "--refetch: some was put off, its source is out of reach or paused"), (.fetchFailed, "--refetch: a fetch failed"), (.underWay, "another sweep is already running on the store")))
        """)

    @Option(
      parsing: .unconditional, help: ArgumentHelp("Mark at most this many.", valueName: "count"))
    var limit: Int?
    @Flag(help: "Count what would be marked and removed; write nothing.") var dryRun = false
    @Flag(
      help: """
        Fetch again what is due and has an http or https URL; exit with 5 if one fails, else with 4 if a \
        source is out of reach or left alone.
        """)
    var refetch = false
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp("Fetch this many at once, 1 to 64. (default: 4)", valueName: "count"))
    var concurrency: Int?
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp("Then remove records last updated this long ago.", valueName: "duration"),
      transform: DurationText.span)
    var olderThan: Duration?
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "Then keep at most this many bytes of records, the newest: 512, 10k, 5M, 1G.",
        valueName: "size"),
      transform: SizeText.parse)
    var maxTotal: Int?
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "Wait this long for another sweep to end. (default: 0)", valueName: "duration"),
      transform: DurationText.span)
    var wait: Duration = .zero
    @OptionGroup var progress: ProgressOptions
    @OptionGroup(title: "Connection") var connection: ConnectionOptions
    @OptionGroup(title: "Fleet") var fleet: FleetReadingOptions
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
      if headers.headers != nil || connection.isUsed, !refetch {
        throw ValidationError("--headers and the options of the connection are for --refetch")
      }
      if refetch, dryRun {
        throw ValidationError("what --refetch would bring cannot be told by a --dry-run")
      }
    }

    func run() async throws {
      try await Session.run(endsInOrder: true) { [self] in
        let sources = try refetch ? connection.sources(headers) : nil
        let (refetch, isVerbose) = (refetch, store.verbose)
        // A dry run writes nothing, so that it needs no fleet.
        let member = try dryRun ? nil : fleet.member()
        try await OpenStore.use(
          store, fleet: member,
          configure: { if refetch { $0.reporter = SyncReporter(isVerbose: isVerbose) } }
        ) { store in try await sweep(store, sources) }
      }
    }

    private func sweep(_ store: Store, _ sources: OriginSources?) async throws {
      let run = SweepRun(
        store: store, limit: limit, isDryRun: dryRun, concurrency: refetch ? concurrency ?? 4 : nil,
        sources: sources, olderThan: olderThan, maximumBytes: maxTotal, wait: wait,
        meter: progress.meter)
      let (summary, failure): (SweepOutput, StoreError?)
      do {
        (summary, failure) = try await run.result()
      } catch let error as StoreError where progress.quiet && error.isOfOtherSweep {
        // The status says enough, and cron would send a line as mail.
        throw CommandFailure(.underWay)
      }
      try output.print(summary, or: progress.quiet ? [] : summary.lines)
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

  extension StoreError {
    /// True when another sweep runs on the store.
    fileprivate var isOfOtherSweep: Bool {
      if case .sweepUnderWay = code { true } else { false }
    }
  }
#endif
