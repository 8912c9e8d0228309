#if CommandLine
  internal import ArgumentParser
  internal import FreshStore

  /// `freshstore remove`: removes records.
  struct RemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Remove records; a fetch under way for them stores nothing.",
      discussion: """
        A key that is not there is no error: afterwards none of them is.

        EXAMPLES
          freshstore remove weather
          freshstore remove https://example.org/feed.json
        """)

    @Argument(help: "Keys or URLs.", completion: .keys) var key: [String]
    @OptionGroup var place: CollectionOption
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func validate() throws {
      for key in key { _ = try RecordName(key, collection: place.collection) }
    }

    func run() async throws {
      try await Session.run { [self] in
        try await OpenStore.use(store) { store in try await remove(store) }
      }
    }

    private func remove(_ store: Store) async throws {
      let names = try key.map { try RecordName($0, collection: place.collection) }
      var removed: [String] = []
      for (collection, names) in Dictionary(
        grouping: names, by: { ExactName($0.collection) })
      {
        removed += try await store.bytes(collection.text).remove(names.map(\.key))
      }
      try output.print(["removed": removed.sorted()], or: ["removed \(removed.count)"])
    }
  }
#endif
