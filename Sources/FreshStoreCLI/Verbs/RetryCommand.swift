#if CommandLine
  internal import ArgumentParser
  internal import FreshStore

  /// `freshstore retry`: ends back-offs after failures.
  struct RetryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "retry",
      abstract: "End the pauses of sources after failures, so that they are asked again at once.",
      discussion: """
        A source that fails is left alone for a while: the record that was asked for, and an origin that \
        cannot be reached with all of its records. This ends those pauses, and the pauses that sources \
        have asked for, of everything or of what is named; for a URL also that of its origin. Origins that \
        an application holds stay held. Nothing is fetched: the next get does that, or the daemon, which \
        wakes up.

        In a fleet (--fleet) these pauses end there, too, whichever host has made them; without any key all of them.

        EXAMPLES
          freshstore retry
          freshstore retry https://example.org/feed && freshstore get https://example.org/feed

        EXIT CODES
          0    done, also where nothing was paused
          7    the database failed
          64   the arguments are wrong
        """)

    @Argument(help: "Keys or URLs; without any, everything.", completion: .keys)
    var key: [String] = []
    @OptionGroup var place: CollectionOption
    @OptionGroup(title: "Fleet") var fleet: FleetOption
    @OptionGroup var store: StoreOptions

    func validate() throws {
      if key.isEmpty, place.collection != nil {
        throw ValidationError("name the keys of the collection, or leave --collection out")
      }
      for key in key { _ = try RecordName(key, collection: place.collection) }
    }

    func run() async throws {
      try await Session.run { [self] in
        let member = try FleetRun(fleet, FleetOptions(), beginning: .nothing)
        try await OpenStore.use(store, fleet: member) { store in
          if fleet.isUnnamed, try store.fleetPlace() != nil {
            FleetRun.tellOfNoName("its pauses there go on")
          }
          guard !key.isEmpty else { return try await retryAll(store) }
          for key in key {
            try await retry(try RecordName(key, collection: place.collection), store)
          }
        }
      }
    }

    private func retryAll(_ store: Store) async throws {
      try await store.retry(try store.outbox(state: .waiting, limit: .max).map(\.id))
      try await store.endPauses(releasingHolds: false)
    }

    private func retry(_ name: RecordName, _ store: Store) async throws {
      if let origin = name.url?.origin {
        try await store.endPause(origin: origin, releasingHold: false)
      }
      try await store.bytes(name.collection).endPause(name.key)
      let writes = try store.outbox(
        collection: name.collection, key: name.key, state: .waiting, limit: .max)
      try await store.retry(writes.map(\.id))
    }
  }
#endif
