#if CommandLine
  internal import FreshStore
  internal import Strategies

  extension RecordSummary {
    /// The output of `list --json` for a record: the decision's fields stand beside its own.
    var fields: JSONFields {
      decision.fields + [
        "collection": collection, "key": key, "size": size, "source": source,
        "contentType": contentType, "tags": tags, "isPinned": isPinned, "isPending": isPending,
      ]
    }

    /// The columns of a listing.
    static let columns = [
      Table.Column("COLLECTION"), Table.Column("KEY", isShortened: true),
      Table.Column("STATE", colors: colors),
      Table.Column("AGE", isNumber: true), Table.Column("SIZE", isNumber: true),
    ]

    private static let colors: [String: Color] = [
      "fresh": .green, "stale": .yellow, "unusable": .red, "absent": .faint, "missing": .faint,
    ]

    /// The record in a listing.
    var cells: [String] {
      [
        Console.printable(collection), Console.printable(key), decision.outcome.rawValue,
        decision.age?.brief ?? "-", "\(size)",
      ]
    }
  }
#endif
