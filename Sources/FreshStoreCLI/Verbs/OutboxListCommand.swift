#if CommandLine
  internal import ArgumentParser
  internal import FreshStore
  internal import Strategies

  /// `freshstore outbox list`: the local writes, in order.
  struct OutboxListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract:
        "List local writes in the order of writing: one line each, or one JSON object each.",
      discussion: """
        The columns are number, state (waiting, pushing, parked), kind (create, replace, patch, \
        delete), collection, key, bytes, attempts, and why the last attempt failed with when the next \
        one is due: aligned under their names on a terminal, where a key that is too long for a line loses its \
        middle, and separated by tabs elsewhere. Control characters are shown as spaces. With --json everything is exact.

        EXAMPLES
          freshstore outbox list
          freshstore outbox list --state parked --json | jq -r .failure

        EXIT CODES
          0    listed, even if there is nothing to list
          7    the database failed
          64   the arguments are wrong
          141  standard output is a closed pipe
        """)

    @Option(
      help: ArgumentHelp("Only this collection. (default: all)", valueName: "name"),
      completion: .collections)
    var collection: String?
    @Option(
      help: ArgumentHelp("Only this key. (default: all)", valueName: "key"), completion: .keys)
    var key: String?
    @Option(
      help: ArgumentHelp("Only in this state: waiting, pushing, parked.", valueName: "state"),
      completion: .list(OutboxEntry.State.allCases.map(\.rawValue)),
      transform: { text in
        guard let state = OutboxEntry.State(rawValue: text) else {
          throw ValidationError("a state is waiting, pushing or parked")
        }
        return state
      })
    var state: OutboxEntry.State?
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func run() async throws {
      try await Session.run { [self] in
        try await OpenStore.readIfThere(store) { store in if let store { try list(store) } }
      }
    }

    private func list(_ store: Store) throws {
      let key = try key.map { try RecordName($0, collection: collection).key }
      var last: OutboxEntry.ID = 0
      var table = Table(OutboxEntry.columns, isAligned: !output.json && Process.outputIsTerminal)
      while true {
        let page = try store.outbox(
          collection: collection, key: key, state: state, after: last, limit: 500)
        for entry in page {
          if output.json {
            try StandardOutput.json(entry.fields)
          } else {
            try table.add(entry.cells)
          }
        }
        guard let end = page.last else { return try table.finish() }
        last = end.id
      }
    }
  }

  extension OutboxEntry {
    /// The output of `outbox list --json` for a local write.
    var fields: JSONFields {
      [
        "id": id, "collection": collection, "key": key, "kind": kind, "state": state,
        "idempotencyKey": idempotencyKey, "writtenAt": writtenAt.description, "bytes": size,
        "attempts": attempts, "nextAttempt": nextAttempt?.description, "failure": failure,
        "priority": priority == 0 ? nil : priority, "after": after,
        "refusal": refusal.map(Self.fields(of:)),
      ]
    }

    private static func fields(of refusal: Refusal) -> JSONFields {
      ["status": refusal.status, "headers": refusal.headers] + JSONFields(value: refusal.body)
    }

    /// The columns of a listing.
    static let columns = [
      Table.Column("NUMBER", isNumber: true),
      Table.Column("STATE", colors: ["parked": .red, "pushing": .green]), Table.Column("KIND"),
      Table.Column("COLLECTION"), Table.Column("KEY", isShortened: true),
      Table.Column("BYTES", isNumber: true),
      Table.Column("ATTEMPTS", isNumber: true), Table.Column("LAST FAILURE"),
    ]

    /// The write in a listing. The last column has the last failure and the time of the next attempt, if any.
    var cells: [String] {
      let words = [failure, nextAttempt.map { "due again \($0)" }].compactMap(\.self)
      return [
        "\(id)", state.rawValue, kind.rawValue, collection, key, "\(size)", "\(attempts)",
        words.isEmpty ? "-" : words.joined(separator: "; "),
      ].map(Console.printable)
    }

    /// The same in one line.
    var line: String { cells.joined(separator: "\t") }
  }
#endif
