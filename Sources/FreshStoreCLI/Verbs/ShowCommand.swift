#if CommandLine
  internal import ArgumentParser
  internal import FreshStore

  /// `freshstore show`: a stored record.
  struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Print the stored value of a key, fresh or stale; fetch nothing.",
      discussion: """
        Exits with 4 when nothing is stored under the key.

        EXAMPLES
          freshstore show weather
          freshstore show https://example.org/feed.json > feed.json
        """)

    @Argument(help: "A key, or a URL.", completion: .keys) var key: String
    @OptionGroup var place: CollectionOption
    @OptionGroup var store: StoreOptions

    func validate() throws { _ = try RecordName(key, collection: place.collection) }

    func run() async throws {
      try await Session.run { [self] in try await show() }
    }

    private func show() async throws {
      let name = try RecordName(key, collection: place.collection)
      try await OpenStore.readIfThere(store) { store in
        guard let store else { throw CommandFailure.nothingStored(under: name.key) }
        let collection = try store.collection(name.collection, codec: AnyBytesCodec())
        let reading = try collection.read(name.key)
        guard let copy = reading.copy else {
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
  }
#endif
