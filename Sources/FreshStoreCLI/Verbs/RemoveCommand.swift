#if CommandLine
  internal import ArgumentParser
  internal import FreshStore

  /// `freshstore remove`: removes records.
  struct RemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Remove records; a fetch under way for them stores nothing.",
      discussion: """
        A missing key is no error. With --tag, --prefix or --all \
        the records whose local writes wait for their source stay; 'freshstore outbox' sees to those.

        EXAMPLES
          freshstore remove weather
          freshstore remove --tag news
          freshstore remove --all --collection http
        """)

    @OptionGroup var selection: RecordSelection
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func run() async throws {
      try await Session.run { [self] in
        try await OpenStore.use(store) { store in try await remove(store) }
      }
    }

    private func remove(_ store: Store) async throws {
      var removed: [String] = []
      switch try selection.way {
      case .keys(let names): removed = try await remove(names, store)
      case .tags(let tags):
        for tag in tags { removed += try await remove(prefix: "", tag: tag, store) }
      case .prefixes(let prefixes):
        for prefix in prefixes { removed += try await remove(prefix: prefix, tag: nil, store) }
      case .all: removed = try await remove(prefix: "", tag: nil, store)
      }
      try output.print(
        ["removed": removed.sorted()], or: ["removed \(RecordSelection.words(removed.count))"])
    }

    private func remove(_ names: [RecordName], _ store: Store) async throws -> [String] {
      var removed: [String] = []
      for (collection, names) in Dictionary(grouping: names, by: { ExactName($0.collection) }) {
        removed += try await store.bytes(collection.text).remove(names.map(\.key))
      }
      return removed
    }

    private func remove(prefix: String, tag: String?, _ store: Store) async throws -> [String] {
      var removed: [String] = []
      var (last, waiting): (RecordSummary?, Int) = (nil, 0)
      while !Task.isCancelled {
        let page = try store.list(
          collection: selection.collection, prefix: prefix, tag: tag, after: last, limit: 500)
        let free = page.filter { !$0.isPending }
        waiting += page.count - free.count
        for (collection, records) in Dictionary(grouping: free, by: { ExactName($0.collection) }) {
          removed += try await store.bytes(collection.text).remove(records.map(\.key))
        }
        guard let end = page.last else { break }
        last = end
      }
      if waiting > 0 {
        Console.note(
          "\(RecordSelection.words(waiting)) with local writes \(waiting == 1 ? "stays" : "stay")")
      }
      return removed
    }
  }
#endif
