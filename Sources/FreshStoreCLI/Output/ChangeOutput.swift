#if CommandLine
  internal import FreshStore

  /// The output of `watch --json` for a change.
  struct ChangeOutput: Encodable {
    let kind: String
    let collection: String?
    let key: String?
    let missed: Int

    init(_ change: Change) {
      kind = change.kind.rawValue
      collection = change.collection
      key = change.key
      missed = change.missed
    }

    /// The same in one line.
    var line: String {
      [kind, collection ?? "-", key ?? "-"].map(Console.printable).joined(separator: "\t")
    }
  }
#endif
