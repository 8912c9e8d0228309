#if CommandLine
  internal import ArgumentParser
  internal import FreshStore
  internal import Strategies

  /// `freshstore watch`: changes as they are committed, by any process.
  struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "watch",
      abstract: "Print a line for every change that any program commits to the store.",
      discussion: """
        The columns are what happened, the collection and the key, separated by tabs; "-" stands for \
        any. What happened is stored, revalidated, absent, written, pushing (a local write is \
        being sent), pushed, deferred, parked, restored (a local write was dropped), listed, marked, \
        removed, resumed, or unknown: then anything may have changed. Watching costs nothing between \
        changes. JSON has the time at which the change was seen, too.

        A command after -- is run for every change, one after the other, without a shell, and in the \
        place of the line: it finds what happened in FRESHSTORE_KIND, FRESHSTORE_COLLECTION and \
        FRESHSTORE_KEY, which are empty for any. While it runs changes wait; of many, some may be left \
        out, and the next one says so. An exit code other than 0 is reported, and ends nothing.

        EXAMPLES
          freshstore watch
          freshstore watch http https://example.org/feed.json
          freshstore watch default weather --count 1 --timeout 10m && ./redraw
          freshstore watch --json | jq -r 'select(.kind == "stored") | .key'
          freshstore watch http -- sh -c 'echo "$FRESHSTORE_KIND $FRESHSTORE_KEY" >> changes.txt'

        EXIT CODES
          0    as many changes came as --count says, or there is no --count and the time is over
          4    the time is over, and fewer changes came
          7    the database failed
          64   the arguments are wrong
          130  ended by Ctrl-C; 143 by SIGTERM; 141 by a closed pipe
        """)

    @Argument(help: "Only this collection. (default: all)", completion: .collections)
    var collection: String?
    @Argument(help: "Only this key of it. (default: all)", completion: .keysOfCollectionBefore)
    var key: String?
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp("End after this many changes.", valueName: "number"))
    var count: Int?
    @Option(
      help: ArgumentHelp("End after this time.", valueName: "duration"),
      transform: DurationText.positive)
    var timeout: Duration?
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func validate() throws {
      if let count, count < 1 { throw ValidationError("--count must be at least 1") }
      if collection?.isEmpty == true { throw ValidationError("the collection is empty") }
      if let key { _ = try RecordName(key, collection: collection) }
      try RawArguments.validateCommand()
      if RawArguments.command != nil, output.json {
        throw ValidationError("a command after -- takes the place of the output; leave --json out")
      }
    }

    func run() async throws {
      try await Session.run(endsInOrder: true) { [self] in
        try await OpenStore.use(store) { store in
          let changes = try changes(of: store)
          if self.store.verbose {
            let manner = store.health.pollsForChanges ? "by looking again and again" : "at rest"
            Console.note("watching \(store.path) \(manner)")
          }
          let isWhole = try await print(changes)
          // An interrupted watch ends with the code of the signal.
          if !isWhole, count != nil, !Task.isCancelled { throw CommandFailure(.nothingToServe) }
        }
      }
    }

    private func changes(of store: Store) throws -> AsyncStream<Change> {
      guard let collection else { return store.changes() }
      let key = try key.map { try RecordName($0, collection: collection).key }
      return try store.bytes(collection).changes(of: key)
    }

    /// True when the wanted number of changes came; false when the time is over.
    private func print(_ changes: AsyncStream<Change>) async throws -> Bool {
      try await withThrowingTaskGroup(of: Bool.self) { group in
        group.addTask {
          var left = count ?? .max
          for await change in changes {
            try await tell(change)
            left -= 1
            if left == 0 { return true }
          }
          return false
        }
        if let timeout {
          group.addTask {
            try await SystemClock().sleep(for: timeout)
            return false
          }
        }
        defer { group.cancelAll() }
        do {
          return try await group.next() ?? false
        } catch is CancellationError {
          return false
        }
      }
    }

    private func tell(_ change: Change) async throws {
      let (kind, collection, key) = (change.kind.rawValue, change.collection, change.key)
      if change.missed > 0, !output.json {
        Console.note("up to \(change.missed) changes before the next line were missed")
      }
      if let command = RawArguments.command { return try await run(command, about: change) }
      let fields: JSONFields = [
        "at": Timestamp.now.description, "kind": kind, "collection": collection, "key": key,
        "missed": change.missed,
      ]
      let columns = [kind, collection ?? "-", key ?? "-"].map(Console.printable)
      try output.print(fields, or: [columns.joined(separator: "\t")])
    }

    private func run(_ command: [[UInt8]], about change: Change) async throws {
      let variables = [
        "FRESHSTORE_KIND": change.kind.rawValue, "FRESHSTORE_COLLECTION": change.collection ?? "",
        "FRESHSTORE_KEY": change.key ?? "",
      ]
      do {
        let run = try CommandRun(
          String(decoding: command.first ?? [], as: UTF8.self), Array(command.dropFirst()),
          variables: variables, sink: StandardOutput.write)
        _ = try await run.output()
      } catch let error as CommandError {
        Console.note("\(error)")
      }
    }
  }
#endif
