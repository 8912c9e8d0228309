#if CommandLine
  internal import ArgumentParser
  internal import FreshStore

  /// `freshstore list`: the contents of the store.
  struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the records: one line each, or one JSON object each.",
      discussion: """
        The columns are collection, key, state, age and size, separated by tabs; control \
        characters in keys are shown as spaces. With --json everything is exact.

        EXAMPLES
          freshstore list
          freshstore list https://example.org/ --collection http
          freshstore list --json | jq -r 'select(.outcome == "stale") | .key'
        """)

    @Argument(help: "Only keys that begin so.", completion: .keys) var prefix: String = ""
    @Option(
      help: ArgumentHelp("Only this collection. (default: all)", valueName: "name"),
      completion: .collections)
    var collection: String?
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func run() async throws {
      try await Session.run { [self] in
        try await OpenStore.readIfThere(store) { store in if let store { try await list(store) } }
      }
    }

    private func list(_ store: Store) async throws {
      let prefix = URLText.prefix(prefix)
      var last: RecordSummary?
      while !Task.isCancelled {
        let page = try store.list(collection: collection, prefix: prefix, after: last, limit: 500)
        for record in page { try output.print(record.fields, or: [record.line]) }
        guard let end = page.last else { return }
        last = end
      }
    }
  }
#endif
