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
        Other programs see the marks at their next read. A record that two tags or prefixes name counts \
        twice.

        EXAMPLES
          freshstore mark weather
          freshstore mark --tag news
          freshstore mark --prefix https://example.org/
          freshstore mark --all --collection default

        \(ExitStatus.help((.served, "done"), (.nothingToServe, "no record matches, or one of the keys does not exist; the others are marked")))
        """)

    @OptionGroup var selection: RecordSelection
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func validate() throws {
      if !selection.tag.isEmpty, selection.collection != nil {
        throw ValidationError("a --tag covers all collections; leave --collection out")
      }
    }

    func run() async throws {
      try await Session.run { [self] in
        try await OpenStore.use(store) { store in try await mark(store) }
      }
    }

    private func mark(_ store: Store) async throws {
      let count: Int
      var isMissing = false
      switch try selection.way {
      case .keys(let names):
        let found = try await mark(names, store)
        (count, isMissing) = (found, found < names.count)
      case .tags(let tags):
        count = try tags.reduce(0) { try $0 + store.countRecords(collection: nil, tag: $1) }
        for tag in tags { try await store.markStale(tag: tag) }
      case .prefixes(let prefixes):
        count = try prefixes.reduce(0) {
          try $0 + store.countRecords(collection: selection.collection, prefix: $1)
        }
        for name in try selection.collections(in: store) {
          for prefix in prefixes { try await store.bytes(name).markStale(prefix: prefix) }
        }
      case .all:
        count = try store.countRecords(collection: selection.collection)
        for name in try selection.collections(in: store) {
          try await store.markStale(collection: name)
        }
      }
      try output.print(["marked": count], or: ["marked \(RecordSelection.words(count))"])
      if count == 0, !isMissing { selection.noteNothing() }
      if count == 0 || isMissing { throw CommandFailure(.nothingToServe) }
    }

    /// The number of keys that are there.
    private func mark(_ names: [RecordName], _ store: Store) async throws -> Int {
      var count = 0
      for name in names {
        let collection = try store.bytes(name.collection)
        var isThere = try await collection.markStale(name.key)
        if name.url != nil {
          // A gateway keeps what varies beside the address; no address has that sign.
          for key in try collection.keys(beginningWith: "\(name.key)#", limit: 1000)
          where try await collection.markStale(key) {
            isThere = true
          }
        }
        if isThere { count += 1 } else { name.noteMissing() }
      }
      return count
    }
  }
#endif
