#if CommandLine
  internal import ArgumentParser
  internal import FreshStore

  /// `freshstore outbox`: the local writes that their sources have not accepted yet.
  struct OutboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "outbox",
      abstract:
        "List, show, retry, send, drop or correct local writes that have not reached their sources.",
      discussion: """
        A write that its source refused, or that met another change there, is parked: it and the \
        later writes of its key wait until somebody retries, sends, drops or corrects it.

        EXAMPLES
          freshstore outbox list --state parked
          freshstore outbox show 17 --theirs
          freshstore outbox retry 17
          freshstore outbox send 17 --over
          freshstore outbox drop 17 18
          freshstore outbox correct 17 --from note.json
        """,
      subcommands: [
        OutboxListCommand.self, OutboxShowCommand.self, OutboxRetryCommand.self,
        OutboxSendCommand.self, OutboxDropCommand.self, OutboxCorrectCommand.self,
      ])
  }

  /// `freshstore outbox retry`: makes parked writes due again.
  struct OutboxRetryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "retry",
      abstract:
        "Let local writes be sent again: those that are parked, or wait for a pause to end.",
      discussion: """
        They are sent by the daemon, or by freshstore sync run --once. Each is shown as it is then.

        EXAMPLES
          freshstore outbox retry 17
          freshstore outbox retry --all-parked && freshstore sync run --once

        EXIT CODES
          0    done
          4    one of the numbers is not in the outbox; the others were seen to
          7    the database failed
          64   the arguments are wrong
        """)

    @OptionGroup var selection: OutboxSelection

    func run() async throws {
      try await selection.run { store, ids in try await store.retry(ids) }
    }
  }

  /// `freshstore outbox drop`: gives local writes up.
  struct OutboxDropCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "drop",
      abstract: "Drop local writes: they are not sent, and their records are restored.",
      discussion: """
        The record then is what its other local writes make of it; without any, it is again what its \
        source was last known to hold, marked stale; where that is damaged, a message says so, and it \
        has no value until it is fetched. The written value is lost: print it with \
        freshstore outbox show N --only mine first if you may want it. Each write is shown as it was.

        EXAMPLES
          freshstore outbox drop 17 18
          freshstore outbox drop --all-parked --json > dropped.jsonl

        EXIT CODES
          0    done
          4    one of the numbers is not in the outbox; the others were dropped
          7    the database failed
          64   the arguments are wrong
        """)

    @OptionGroup var selection: OutboxSelection

    func run() async throws {
      try await selection.run { store, ids in
        let (dropped, unrestored) = try await store.dropNamingUnrestored(ids)
        for record in unrestored {
          Console.note(
            "\(Console.quoted(key: record.key)) of \(record.collection): what its source was known to hold is "
              + "damaged; it has no value until it is fetched")
        }
        return dropped
      }
    }
  }

  /// The local writes that a verb acts on.
  struct OutboxSelection: ParsableArguments {
    @Argument(
      help: "The numbers of writes, as freshstore outbox list shows them.", completion: .writes)
    var number: [OutboxEntry.ID] = []
    @Flag(help: "Every write that is parked.") var allParked = false
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func validate() throws {
      guard number.isEmpty == allParked else {
        throw ValidationError("say which writes: their numbers, or --all-parked")
      }
    }

    /// Applies an action to the writes and shows their new state. Exits with 4 when one of the numbers does not
    /// exist.
    func run(
      _ change: @escaping @Sendable (Store, [OutboxEntry.ID]) async throws -> [OutboxEntry]
    ) async throws {
      try await Session.run { [self] in
        try await OpenStore.use(store) { store in
          let ids = allParked ? try parked(store) : number
          let entries = try await change(store, ids)
          for entry in entries { try output.print(entry.fields, or: [entry.line]) }
          let missing = Set(ids).subtracting(entries.map(\.id)).sorted()
          guard !missing.isEmpty else { return }
          throw CommandFailure.noWrites(missing)
        }
      }
    }

    private func parked(_ store: Store) throws(StoreError) -> [OutboxEntry.ID] {
      try store.outbox(state: .parked, limit: .max).map(\.id)
    }
  }
#endif
