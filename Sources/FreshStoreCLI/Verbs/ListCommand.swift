#if CommandLine
  internal import ArgumentParser
  internal import FreshStore
  internal import Strategies

  /// `freshstore list`: the contents of the store.
  struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the records: one line each, or one JSON object each.",
      discussion: """
        The columns are collection, key, state, age and size: aligned under their names on a terminal, \
        where a key that is too long for a line loses its middle, and separated by tabs elsewhere. \
        Control characters in keys are shown as spaces. With --json everything is exact.

        EXAMPLES
          freshstore list
          freshstore list https://example.org/ --collection http
          freshstore list --state stale --sort age --limit 10
          freshstore list --failing
          freshstore list --json | jq -r 'select(.outcome == "stale") | .key'
        """)

    @Argument(help: "Only keys with this beginning.", completion: .keys) var prefix: String = ""
    @Option(
      help: ArgumentHelp("Only this collection. (default: all)", valueName: "name"),
      completion: .collections)
    var collection: String?
    @Option(
      help: ArgumentHelp(
        "Only records with this tag. May be repeated, for those that have all of them.",
        valueName: "tag"), completion: .tags)
    var tag: [String] = []
    @Option(
      help: """
        Only records in this state; absent is what its source says does not exist, missing when that has \
        to be asked again.
        """)
    var state: RecordState?
    @Flag(help: "Only records whose last fetch failed; explain KEY says why.") var failing = false
    @Option(help: "In the order of the keys, or the oldest or the largest first.")
    var sort = Order.key
    @Option(
      parsing: .unconditional, help: ArgumentHelp("At most this many records.", valueName: "count"))
    var limit: Int?
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    /// The order of a listing.
    enum Order: String, ExpressibleByArgument, CaseIterable {
      case key, age, size
    }

    /// The state of a record in a listing.
    enum RecordState: String, ExpressibleByArgument, CaseIterable {
      case fresh, stale, unusable, absent, missing
    }

    func validate() throws {
      if tag.contains("") { throw ValidationError("a --tag must not be empty") }
      if let limit, limit < 1 { throw ValidationError("a --limit is 1 or more") }
    }

    func run() async throws {
      try await Session.run { [self] in
        try await OpenStore.readIfThere(store) { store in if let store { try await list(store) } }
      }
    }

    private func list(_ store: Store) async throws {
      let prefix = URLText.prefix(prefix)
      var last: RecordSummary?
      var left = limit ?? .max
      var chosen: [RecordSummary] = []
      var table = Table(RecordSummary.columns, isAligned: !output.json && Process.outputIsTerminal)
      while !Task.isCancelled, left > 0 {
        let page = try store.list(
          collection: collection, prefix: prefix, tag: tag.first, isFailing: failing, after: last,
          limit: 500, contentVersion: 0)
        let wanted = page.filter(isWanted)
        if sort == .key {
          try print(wanted.prefix(left), &table)
          left -= min(left, wanted.count)
        } else {
          chosen += wanted
        }
        guard let end = page.last else { break }
        last = end
      }
      try print(sorted(chosen).prefix(left), &table)
      try table.finish()
    }

    /// True when a record has the state and all of the tags; the store has checked the first tag.
    private func isWanted(_ record: RecordSummary) -> Bool {
      if let state, state.rawValue != record.decision.outcome.rawValue { return false }
      guard tag.count > 1 else { return true }
      return Set(record.tags.map(ExactName.init)).isSuperset(of: tag.map(ExactName.init))
    }

    private func sorted(_ records: [RecordSummary]) -> [RecordSummary] {
      switch sort {
      case .key: records
      case .age: records.sorted { ($0.decision.age ?? .zero) > ($1.decision.age ?? .zero) }
      case .size: records.sorted { $0.size > $1.size }
      }
    }

    /// Prints records; as JSON in one write, one line for each.
    private func print(
      _ records: ArraySlice<RecordSummary>, _ table: inout Table
    ) throws(CommandFailure) {
      guard output.json else {
        for record in records { try table.add(record.cells) }
        return
      }
      var lines: [UInt8] = []
      for record in records {
        lines += try StandardOutput.encoded(record.fields).utf8
        lines.append(UInt8(ascii: "\n"))
      }
      if !lines.isEmpty { try StandardOutput.write(lines) }
    }
  }

  extension RecordSummary {
    /// The output of `list --json` for a record: the fields of the decision, and its own.
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
