#if CommandLine
  internal import ArgumentParser
  internal import FreshStore

  /// `freshstore mark`: marks records stale.
  struct MarkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "mark",
      abstract: "Mark records stale, so that the next get fetches them again.",
      discussion: """
        A tag, a prefix or a whole collection is marked at once, however many records it covers. \
        Other programs see the marks at their next read. Exits with 4 when one of the keys is not \
        there; the others are marked.

        EXAMPLES
          freshstore mark weather
          freshstore mark --tag news
          freshstore mark --prefix https://example.org/
        """)

    @Argument(help: "Keys or URLs.", completion: .keys) var key: [String] = []
    @Option(help: ArgumentHelp("Every record with this tag, in all collections.", valueName: "tag"))
    var tag: String?
    @Option(
      help: ArgumentHelp("Every key of the collection that begins so.", valueName: "prefix"),
      completion: .keys)
    var prefix: String?
    @Flag(help: "The whole collection.") var all = false
    @OptionGroup var place: CollectionOption
    @OptionGroup var store: StoreOptions

    func validate() throws {
      let ways = [!key.isEmpty, tag != nil, prefix != nil, all].filter(\.self).count
      guard ways == 1 else {
        throw ValidationError("say what to mark: keys, or one of --tag, --prefix and --all")
      }
      if tag == "" { throw ValidationError("a --tag must not be empty") }
      if tag != nil, place.collection != nil {
        throw ValidationError("a --tag covers all collections; leave --collection out")
      }
      if let prefix, !(1...1024).contains(prefix.utf8.count) {
        throw ValidationError("a --prefix is 1 to 1,024 bytes; --all covers the whole collection")
      }
      for key in key { _ = try RecordName(key, collection: place.collection) }
    }

    func run() async throws {
      try await Session.run { [self] in
        try await OpenStore.use(store) { store in try await mark(store) }
      }
    }

    private func mark(_ store: Store) async throws {
      // The prefix of a URL is one itself.
      let isURL = prefix.map(URLText.isURL) ?? false
      let collection = place.collection ?? (isURL ? "http" : "default")
      if let tag {
        try await store.markStale(tag: tag)
      } else if let prefix {
        try await store.bytes(collection).markStale(prefix: URLText.prefix(prefix))
      } else if all {
        try await store.markStale(collection: collection)
      } else {
        try await markKeys(store)
      }
    }

    private func markKeys(_ store: Store) async throws {
      var allFound = true
      for key in key {
        let name = try RecordName(key, collection: place.collection)
        if try await store.bytes(name.collection).markStale(name.key) { continue }
        allFound = false
        Console.note(
          "\(Console.quoted(key: name.key)): nothing is stored under the key in the collection "
            + name.collection.debugDescription)
      }
      if !allFound { throw CommandFailure(.nothingToServe) }
    }
  }
#endif
