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

    /// The record in one line of a listing.
    var line: String {
      [
        Console.printable(collection), Console.printable(key), decision.outcome.rawValue,
        decision.age?.brief ?? "-", "\(size)",
      ].joined(separator: "\t")
    }
  }
#endif
