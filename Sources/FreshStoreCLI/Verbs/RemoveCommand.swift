#if CommandLine
  internal import ArgumentParser
  internal import FreshStore

  /// `freshstore remove`: removes records.
  struct RemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Remove records; a fetch under way for them stores nothing.",
      discussion: """
        A missing key is no error. A URL, with the host and port of its origin, stands for all copies that a gateway \
        (freshstore serve) keeps of it, also with --private. \
        With --tag, --prefix or --all \
        the records whose local writes wait for their source stay; 'freshstore outbox' sees to those.

        In a fleet (--fleet) a removal is this host's own: the next get takes what the fleet has. With --mark \
        the records are marked there first, stored here or not, so that no host serves its copy, and the next get asks \
        the source; --prefix and --all cover the collections that are stored here, or --collection. \
        While the fleet is out of reach nothing is removed then, unless --fleet-alone keep has the mark \
        delivered later.

        EXAMPLES
          freshstore remove weather
          freshstore remove --tag news
          freshstore remove --all --collection http
          freshstore remove --tag news --mark --fleet 'service=fleet'
        """)

    @OptionGroup var selection: RecordSelection
    @Flag(help: "In a fleet: mark them for all of its hosts first.") var mark = false
    @OptionGroup(title: "Fleet") var fleet: FleetMarkingOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func validate() throws {
      if mark, fleet.place.address == nil {
        throw ValidationError(
          "--mark is for a fleet; name it by --fleet or \(FleetAddress.variable), or leave --mark out"
        )
      }
    }

    func run() async throws {
      try await Session.run { [self] in
        // Without a mark the fleet is not needed.
        let member = try mark ? fleet.member() : nil
        try await OpenStore.use(store, fleet: member) { store in
          if mark { try await markAll(store) }
          let removed = try await remove(store)
          try tell(removed, member, store)
        }
      }
    }

    private func markAll(_ store: Store) async throws {
      switch try selection.way {
      case .keys(let names):
        for name in names.flatMap(\.places) {
          let records = try store.bytes(name.collection)
          try await records.markStale(name.key)
          // This host does not know which variants other hosts have.
          if let variants = name.variants { try await records.markStale(prefix: variants) }
        }
      case .tags(let tags):
        for tag in tags { try await store.markStale(tag: tag) }
      case .prefixes(let prefixes):
        for name in try selection.marked(in: store) {
          for prefix in prefixes { try await store.bytes(name).markStale(prefix: prefix) }
        }
      case .all:
        for name in try selection.marked(in: store) {
          try await store.markStale(collection: name)
        }
      }
    }

    private func tell(_ removed: [String], _ member: FleetRun?, _ store: Store) throws {
      let words = "removed \(RecordSelection.words(removed.count))"
      guard let member else {
        return try output.print(["removed": removed.sorted()], or: [words])
      }
      let failure = try member.keptMark(in: store)
      let part: JSONFields = ["isMarked": failure == nil, "error": failure?.fields]
      try output.print(
        ["removed": removed.sorted(), "fleet": part] as JSONFields,
        or: [
          words
            + (failure == nil
              ? ", marked for all hosts of the fleet"
              : "; the mark is kept for the other hosts of the fleet")
        ])
      if let failure { FleetRun.tell(ofKeptMark: failure) }
    }

    private func remove(_ store: Store) async throws -> [String] {
      var removed: [String] = []
      switch try selection.way {
      case .keys(let names): removed = try await remove(names, store)
      case .tags(let tags):
        for tag in tags { removed += try await remove(prefix: "", tag: tag, store) }
      case .prefixes(let prefixes):
        for prefix in prefixes { removed += try await remove(prefix: prefix, tag: nil, store) }
      case .all: removed = try await remove(prefix: "", tag: nil, store)
      }
      return removed
    }

    private func remove(_ names: [RecordName], _ store: Store) async throws -> [String] {
      var removed: [String] = []
      let places = names.flatMap(\.places)
      for (collection, names) in Dictionary(grouping: places, by: { ExactName($0.collection) }) {
        let keys = try names.flatMap { [$0.key] + (try $0.variants(in: store)) }
        removed += try await store.bytes(collection.text).remove(keys)
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
