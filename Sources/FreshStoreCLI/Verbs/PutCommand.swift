#if CommandLine
  internal import ArgumentParser
  internal import FreshStore
  internal import Strategies

  /// `freshstore put`: stores a value by hand.
  struct PutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "put",
      abstract: "Store a value by hand, from a file or from standard input.",
      discussion: """
        The value counts as fresh from now on, for as long as --expiry says. A fetch that is \
        under way for the key does not replace it.

        EXAMPLES
          freshstore put motd /etc/motd --expiry never
          date | freshstore put now --tag clock
        """)

    @Argument(help: "The key, 1 to 1,024 bytes.", completion: .keys) var key: String
    @Argument(
      help: "The file to read, or - for standard input.", completion: .file())
    var file: String = "-"

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "How long it holds: 500ms, 30s, 5m, 2h, 7d, 1w, never, or 0 for not at all. (default: 5m)",
        valueName: "duration"),
      transform: DurationText.expiry)
    var expiry: Expiry?

    @OptionGroup(title: "Values") var admission: AdmissionOptions
    @OptionGroup(title: "Values") var labels: TagOptions
    @OptionGroup var place: CollectionOption
    @OptionGroup var store: StoreOptions

    func validate() throws { _ = try RecordName(key, collection: place.collection) }

    func run() async throws {
      try await Session.run { [self] in try await put() }
    }

    private func put() async throws {
      let name = try RecordName(key, collection: place.collection)
      let value = try ValueFile.read(file, limit: admission.maxSize)
      let gate = try admission.gate()
      let details = FetchDetails(expiry: expiry, tags: labels.tags, source: "put")
      try await OpenStore.use(
        store, configure: { [admission] in $0.maximumValueSize = admission.maxSize }
      ) { store in
        try await gate.bytes(name.collection, in: store)
          .put(value, for: name.key, details: details)
      }
      if store.verbose { Console.note("stored \(value.count) bytes") }
    }
  }
#endif
