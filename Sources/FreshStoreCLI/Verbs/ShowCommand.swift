#if CommandLine
  internal import ArgumentParser
  internal import FreshGateway
  internal import FreshHTTP
  internal import FreshStore

  /// `freshstore show`: a stored record.
  struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Print the stored value of a key, fresh or stale; fetch nothing.",
      discussion: """
        Exits with 4 when nothing is stored under the key.

        Of a URL of which a gateway (freshstore serve) keeps one copy, that is printed, and only where there is none that \
        of one with --private; of several, for different \
        requests, standard error lists the keys, each of which can be shown, and the exit code is 4.

        EXAMPLES
          freshstore show weather
          freshstore show https://example.org/feed.json > feed.json
        """)

    @Argument(help: "A key, or a URL.", completion: .keys) var key: String
    @OptionGroup(title: "Copies of a gateway") var copies: GatewayCopyOptions
    @OptionGroup var place: CollectionOption
    @OptionGroup var store: StoreOptions

    func validate() throws { _ = try RecordName(stored: key, collection: place.collection) }

    func run() async throws {
      try await Session.run { [self] in try await show() }
    }

    private func show() async throws {
      let name = try RecordName(stored: key, collection: place.collection)
      try await OpenStore.readIfThere(store) { store in
        guard let store else { throw CommandFailure.nothingStored(under: name.key) }
        let reading = try read(name, in: store)
        var found = reading.copy
        for place in name.places.dropFirst() where found == nil {
          found = try read(place, in: store).copy
        }
        guard let copy = found else {
          if reading.decision.outcome == .absent {
            throw CommandFailure(
              .absent, "\(Console.quoted(key: name.key)): the source says that it does not exist")
          }
          throw CommandFailure(
            .nothingToServe, "\(Console.quoted(key: name.key)): \(reading.decision.cause)")
        }
        try StandardOutput.value(copy.value)
      }
    }

    /// The record of that name, or its only variant.
    private func read(_ name: RecordName, in store: Store) throws -> Reading<[UInt8]> {
      let collection = try store.collection(name.collection, codec: AnyBytesCodec())
      let reading = try collection.read(name.key)
      guard reading.copy == nil else { return reading }
      let variants = try name.variants(in: store)
      if variants.count > 1 { throw try several(variants, of: name, in: store) }
      return try variants.first.map { try collection.read($0) } ?? reading
    }

    private func several(
      _ variants: [String], of name: RecordName, in store: Store
    ) throws -> CommandFailure {
      let report = try CopyReport.of(
        name.url?.text ?? name.key, in: store, name.collection, HeaderFields(), by: copies.options)
      let lines = report?.copies.map(\.line) ?? variants.map { "copy \($0)" }
      for line in lines { Console.note(Console.printable(line)) }
      return CommandFailure(
        .nothingToServe,
        "\(Console.quoted(key: name.key)): a gateway keeps \(variants.count) copies of it; show one by its key"
      )
    }
  }
#endif
