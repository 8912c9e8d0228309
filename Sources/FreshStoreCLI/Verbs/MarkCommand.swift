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
        twice. A URL stands for all copies that a gateway (freshstore serve) keeps of it, also with --private, and \
        counts once; it is the address of the gateway's origin, and not its own. What its origin calls Cache-Groups: "g1" has the tag 'http://host:port g1', of that origin.

        In a fleet (--fleet) a mark covers the copies of all hosts, stored here or not, and is durable there \
        when this ends. --prefix and --all cover the collections that are stored here, or --collection. While \
        the fleet is out of reach a mark fails and marks nothing, unless --fleet-alone keep has it delivered \
        later: by the next get, mark, sweep or sync run that reaches the fleet.

        EXAMPLES
          freshstore mark weather
          freshstore mark --tag news
          freshstore mark --tag 'http://127.0.0.1:3000 g1'
          freshstore mark --prefix https://example.org/
          freshstore mark --all --collection default
          freshstore mark --tag news --fleet postgresql://news@db.example.org/fleet

        \(ExitStatus.help(
          (.served, "done"),
          (.nothingToServe, "no record matches, or one of the keys does not exist; the others are marked; not so in a fleet"),
          (.store, "in a fleet: it is out of reach, and nothing is marked")))
        """)

    @OptionGroup var selection: RecordSelection
    @OptionGroup(title: "Fleet") var fleet: FleetMarkingOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func validate() throws {
      if !selection.tag.isEmpty, selection.collection != nil {
        throw ValidationError("a --tag covers all collections; leave --collection out")
      }
    }

    func run() async throws {
      try await Session.run { [self] in
        let member = try fleet.member()
        try await OpenStore.use(store, fleet: member) { store in try await mark(store, member) }
      }
    }

    private func mark(_ store: Store, _ member: FleetRun?) async throws {
      let count: Int
      var isMissing = false
      switch try selection.way {
      case .keys(let names):
        let found = try await member == nil ? mark(names, store) : markForAll(names, store)
        (count, isMissing) = (found, found < names.count)
      case .tags(let tags):
        count = try tags.reduce(0) { try $0 + store.countRecords(collection: nil, tag: $1) }
        for tag in tags { try await store.markStale(tag: tag) }
      case .prefixes(let prefixes):
        count = try prefixes.reduce(0) {
          try $0 + store.countRecords(collection: selection.collection, prefix: $1)
        }
        for name in try places(in: store, member) {
          for prefix in prefixes { try await store.bytes(name).markStale(prefix: prefix) }
        }
      case .all:
        count = try store.countRecords(collection: selection.collection)
        for name in try places(in: store, member) { try await store.markStale(collection: name) }
      }
      if let member { return try tell(count, member, store) }
      if fleet.place.isUnnamed, try store.fleetPlace() != nil {
        FleetRun.tellOfNoName("the other hosts do not hear of the mark")
      }
      try output.print(["marked": count], or: ["marked \(RecordSelection.words(count))"])
      if count == 0, !isMissing { selection.noteNothing() }
      if count == 0 || isMissing { throw CommandFailure(.nothingToServe) }
    }

    /// The collections that the selection covers.
    private func places(in store: Store, _ member: FleetRun?) throws -> [String] {
      try member == nil ? selection.collections(in: store) : selection.marked(in: store)
    }

    /// Marks the records, and returns the number of keys that exist.
    private func mark(_ names: [RecordName], _ store: Store) async throws -> Int {
      var count = 0
      for name in names {
        var isThere = false
        for place in name.places {
          let collection = try store.bytes(place.collection)
          if try await collection.markStale(place.key) { isThere = true }
          for key in try place.variants(in: store) where try await collection.markStale(key) {
            isThere = true
          }
        }
        if isThere { count += 1 } else { name.noteMissing() }
      }
      return count
    }

    // MARK: In a fleet

    /// Marks the records for all hosts, and returns the number of keys that exist here.
    private func markForAll(_ names: [RecordName], _ store: Store) async throws -> Int {
      var count = 0
      for name in names {
        var isHere = false
        for place in name.places {
          let records = try store.bytes(place.collection)
          let hasPlain = try records.read(place.key).decision.outcome != .missing
          if try hasPlain || !place.variants(in: store).isEmpty { isHere = true }
          try await records.markStale(place.key)
          // This host does not know which variants other hosts have.
          if let variants = place.variants { try await records.markStale(prefix: variants) }
        }
        if isHere { count += 1 }
      }
      return count
    }

    private func tell(_ count: Int, _ member: FleetRun, _ store: Store) throws {
      let here = RecordSelection.words(count) + " here"
      guard let failure = try member.keptMark(in: store) else {
        return try output.print(
          ["marked": count, "fleet": ["isMarked": true] as JSONFields] as JSONFields,
          or: ["marked for all hosts of the fleet, \(here)"])
      }
      let part: JSONFields = ["isMarked": false, "error": failure.fields]
      try output.print(
        ["marked": count, "fleet": part] as JSONFields,
        or: ["marked \(here); the mark is kept for the other hosts of the fleet"])
      FleetRun.tell(ofKeptMark: failure)
    }
  }
#endif
