#if CommandLine
  internal import ArgumentParser
  internal import FreshStore

  /// `freshstore top`: the store at work.
  struct TopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "top",
      abstract: "Watch the store at work: what it holds, what it waits for, what changes.",
      discussion: """
        On a terminal the view is drawn anew every --interval, until q or Ctrl-C ends it. Elsewhere, \
        and with --once, one frame is printed as plain text. With --json each frame is an object on a \
        line of its own, with --once only one.

        Fresh, stale and absent (the source says that it does not exist) are records, waiting and \
        parked are local writes. What a tag, a prefix or a collection marks counts as stale after the \
        next sweep. Changes are those of every program on the store, a second, by kind. A large store \
        is counted in small pieces with rests in between, so that nobody is held up: then the \
        counts are some seconds old.

        EXAMPLES
          freshstore top
          freshstore top --interval 5s --db /var/lib/freshstore/store.db
          freshstore top --once --json | jq '.collections[] | select(.stale > 0)'

        EXIT CODES
          0    the frame was printed, or q was pressed
          7    the database failed
          64   the arguments are wrong
          130  ended by Ctrl-C; 143 by SIGTERM; 141 by a closed pipe
        """)

    @Option(
      help: ArgumentHelp(
        "The time from one frame to the next. (default: 1s)", valueName: "duration"),
      transform: DurationText.positive)
    var interval: Duration = .seconds(1)
    @Flag(help: "Print one frame, and end.") var once = false
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func validate() throws {
      guard interval >= .milliseconds(100) else {
        throw ValidationError("the --interval must be 100ms or more")
      }
    }

    func run() async throws {
      try await Session.run(endsInOrder: true) { [self] in
        let manner = manner
        guard manner != .plain, manner != .object else {
          return try await OpenStore.read(store) { try await watch($0, manner) }
        }
        do {
          try await OpenStore.use(store, mustExist: true) { try await watch($0, manner) }
        } catch let error as StoreError where error.code == .readOnly {
          // A store that is opened read-only reports only that something has changed.
          try await OpenStore.read(store) { try await watch($0, manner) }
        }
      }
    }

    private var manner: Top.Manner {
      if output.json { return once ? .object : .objects }
      return once || !Process.outputIsTerminal ? .plain : .screen
    }

    private func watch(_ store: Store, _ manner: Top.Manner) async throws {
      try await Top(store, every: interval).run(manner)
    }
  }
#endif
