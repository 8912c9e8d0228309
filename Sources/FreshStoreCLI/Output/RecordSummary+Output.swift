#if CommandLine
  internal import FreshStore
  internal import Strategies

  extension RecordSummary {
    /// The output of `list --json` for a record: the decision's fields stand beside its own.
    var fields: JSONFields {
      decision.fields + [
        "collection": collection, "key": key, "size": size, "source": source,
        "contentType": contentType, "isPinned": isPinned, "isPending": isPending,
      ]
    }

    /// The columns of a listing.
    static let columns = [
      Table.Column("COLLECTION"), Table.Column("KEY"), Table.Column("STATE"),
      Table.Column("AGE", isNumber: true), Table.Column("SIZE", isNumber: true),
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
