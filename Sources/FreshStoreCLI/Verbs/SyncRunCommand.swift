#if CommandLine
  internal import ArgumentParser
  internal import FreshStore
  internal import FreshSync

  /// `freshstore sync`: keeps the store in step with its sources.
  struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "sync",
      abstract: "Fetch again what is due, and send local writes to their sources.",
      discussion: """
        EXAMPLES
          freshstore sync run --once
          freshstore sync run --conflicts server
          freshstore sync status
        """,
      subcommands: [SyncRunCommand.self, SyncStatusCommand.self])
  }

  /// `freshstore sync run`: the daemon, or one round of its work.
  struct SyncRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "run",
      abstract: "Keep the store in step with its sources until told to stop.",
      discussion: """
        Records whose source is an http or https URL are fetched again, conditionally, when they are \
        due; local writes (freshstore write) are sent before that, those of a key in order. It sleeps until \
        something falls due or changes, whichever program changes it, and looks for copies that have \
        expired every --sweep-every; while a source is provably out \
        of reach it is left alone, and asked as soon as there is a way to it again. A source that \
        keeps failing is left alone for longer and longer.

        SIGTERM, SIGHUP or Ctrl-C end it in order: what is under way may finish within --grace, the rest is \
        given back. It may also be killed: what it had in hand comes up again. One daemon at a time: \
        a second one ends with 75.

        With --once it does what is due now, each once, and ends; made for cron. Each failure is named with \
        its key and its cause. When nothing was due, it prints nothing where nobody looks. Of several exit \
        codes that apply it ends with the highest.

        A mark of many at once, by a tag or a prefix, is seen at the next sweep: see --sweep-every.

        In a fleet (--fleet) the daemon hears of what other hosts mark, and each record that is due is fetched by \
        one host for all. While the fleet is out of reach it goes on alone, and says so. The record of a local write \
        that was sent is marked for all hosts, as soon as the fleet is in reach.

        EXAMPLES
          freshstore sync run
          freshstore sync run --once --json
          freshstore sync run --db /var/lib/freshstore/store.db --conflicts server --rate 10
          freshstore sync run --headers ~/.config/freshstore/headers
          freshstore sync run --once --quiet || [ $? -eq 4 ]        # for cron: offline is no failure
          freshstore sync run --fleet postgresql://news@db.example.org/fleet

        EXIT CODES
          0    stopped in order; --once: all that was due is done
          4    --once: some was put off, because its source is out of reach or paused, or
               because it waits for the end of its pause
          5    --once: a fetch or a push failed; it is tried again later
          6    --once: a source refused a write, which waits for you, or others wait behind such a
               one; see freshstore outbox list
          7    the database failed
          64   the arguments are wrong, or what is in a file that they name
          74   a file that they name cannot be read
          75   another daemon is already running on the store
          130  --once: ended by Ctrl-C; 143 by SIGTERM; 129 by SIGHUP
          141  nobody reads its output any more
        """)

    @Flag(help: "Do what is due now, and end.") var once = false
    @Option(
      help: ArgumentHelp(
        "Who wins when the source holds another change than a local write was made upon: park "
          + "(nobody, until you retry or drop it), server, client.", valueName: "who"))
    var conflicts: ConflictChoice = .park
    @Option(help: ArgumentHelp("The most requests at once, 1 to 256.", valueName: "count"))
    var concurrency = 8
    @Option(help: ArgumentHelp("The most of them to one origin.", valueName: "count"))
    var perOrigin = 4
    @Option(
      help: ArgumentHelp(
        "The most requests that begin in a second. (default: no limit)", valueName: "number"))
    var rate: Double?
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "Look for copies that have expired so often; 0 for never. (default: 1m)",
        valueName: "duration"),
      transform: DurationText.span)
    var sweepEvery: Duration = .seconds(60)
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "How long what is under way may take to finish. (default: 10s)", valueName: "duration"),
      transform: DurationText.span)
    var grace: Duration = .seconds(10)
    @Flag(
      name: .shortAndLong,
      help: "Report failures only; --json still prints its object.")
    var quiet = false
    @OptionGroup(title: "Connection") var connection: ConnectionOptions
    @OptionGroup(title: "Fleet") var fleet: FleetReadingOptions
    @OptionGroup var headers: HeadersOption
    @OptionGroup var store: StoreOptions
    @Flag(help: "Print JSON: the report of --once; else a line for each change of what it does.")
    var json = false

    func validate() throws {
      guard (1...256).contains(concurrency) else {
        throw ValidationError("the --concurrency must be 1 to 256")
      }
      guard perOrigin >= 1 else { throw ValidationError("--per-origin must be 1 or more") }
      if let rate, !(rate > 0 && rate.isFinite) {
        throw ValidationError("the --rate must be more than 0")
      }
    }

    func run() async throws {
      try await Session.run(
        endsInOrder: true, isDaemon: !once, patience: grace + .seconds(5)
      ) { [self] in
        let sources = try connection.sources(headers)
        let reporter = SyncReporter(isVerbose: store.verbose)
        let member = try fleet.member(staysOpen: !once)
        try await OpenStore.use(store, fleet: member, configure: { $0.reporter = reporter }) {
          store in
          let lock = try await lock(store)
          defer { lock.release() }
          let syncing = try SyncRun(
            store, options: options, conflicts: conflicts.policy, sources: sources,
            noteFailure: once ? Self.note : nil)
          let following = once ? nil : member?.follow(with: store)
          defer { following?.cancel() }
          try await once ? runOnce(syncing) : run(syncing, lock)
        }
      }
    }

    @Sendable private static func note(_ key: String, _ failure: any Error) {
      Console.note("\(Console.quoted(key: key)): \(failure)")
    }

    private var options: SyncOptions {
      var options = SyncOptions()
      options.concurrency = concurrency
      options.concurrencyPerOrigin = perOrigin
      options.startsPerSecond = rate
      options.gracePeriod = grace
      return options
    }

    private func lock(_ store: Store) async throws -> SyncLock {
      do throws(SyncLock.Failure) {
        return try await store.lockSynchronizing()
      } catch {
        switch error {
        case .failed(let error): throw CommandFailure(error)
        case .held(let holder):
          let words = holder.map { " (\($0))" } ?? ""
          throw CommandFailure(
            .underWay, "the store is being synchronized by another daemon\(words)")
        }
      }
    }

    private func runOnce(_ syncing: SyncRun) async throws {
      if sweepEvery > .zero { try await syncing.sweep() }
      let report: SyncReport
      do {
        report = try await syncing.drain()
      } catch SyncError.store(let error) {
        throw CommandFailure(error)
      }
      if json {
        try StandardOutput.json(report)
      } else if !quiet, report != SyncReport() || Process.outputIsTerminal {
        try StandardOutput.line(report.line)
      }
      if let failure = failure(report) { throw failure }
    }

    /// The failure for unfinished work, with the status of the most urgent problem.
    private func failure(_ report: SyncReport) -> CommandFailure? {
      let left: [(count: Int, status: ExitStatus, words: String)] = [
        (report.parked, .refused, "parked; see freshstore outbox list"),
        (
          report.held, .refused,
          "held up by a parked write of the same record; see freshstore outbox list"
        ),
        (report.failed, .fetchFailed, "failed, to be tried again later"),
        (
          report.deferred, .nothingToServe,
          "put off: the source is out of reach, or left alone after failures"
        ),
      ].filter { $0.count > 0 }
      guard let first = left.first else { return nil }
      let words = left.map { "\($0.count) \($0.words)" }.joined(separator: "; ")
      return CommandFailure(first.status, words)
    }

    private func run(_ syncing: SyncRun, _ lock: SyncLock) async throws {
      let board = SyncBoard(lock: lock, isJSON: json)
      let work = Task {
        try await syncing.run(sweepEvery: sweepEvery > .zero ? sweepEvery : nil)
      }
      // The work is stopped and not cancelled, so that requests in flight may finish. Before the start there is
      // nothing to finish.
      @Sendable func end() { if !syncing.synchronizer.requestStop() { work.cancel() } }
      let showing = Task {
        do {
          try await board.show(syncing.synchronizer.statuses)
        } catch {
          // The work can no longer be reported.
          end()
          throw error
        }
      }
      defer { showing.cancel() }
      do {
        try await withTaskCancellationHandler {
          try await work.value
        } onCancel: {
          end()
        }
      } catch SyncError.store(let error) {
        throw CommandFailure(error)
      } catch is CancellationError where !Task.isCancelled {
        // The error of the display is the reason.
        try await showing.value
      }
      if !quiet { Console.note("stopped: \(syncing.synchronizer.status.report.line)") }
      showing.cancel()
      try await showing.value
    }
  }

  /// The winner when the source holds another change than the base of a local write.
  enum ConflictChoice: String, ExpressibleByArgument, CaseIterable {
    case park, server, client

    var policy: ConflictPolicy<[UInt8]> {
      switch self {
      case .park: .parks
      case .server: .serverWins
      case .client: .clientWins
      }
    }
  }
#endif
