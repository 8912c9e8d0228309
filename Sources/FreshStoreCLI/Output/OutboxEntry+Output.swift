#if CommandLine
  internal import FreshStore
  internal import Strategies

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

    /// The write in a listing; the last column has the reason of the last failure and the time of
    /// the next attempt, where there are such.
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
