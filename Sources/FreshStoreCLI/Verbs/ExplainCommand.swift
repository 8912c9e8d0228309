#if CommandLine
  internal import ArgumentParser
  internal import FreshHTTP
  internal import FreshStore
  internal import Rules

  /// `freshstore explain`: the decision of a get, and its reasons.
  struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "explain",
      abstract: "Say what a get would do with a key, and why; fetch nothing, change nothing.",
      discussion: """
        Give it the options that you would give to get: they have a say in the answer. Exits with 4 \
        when nothing is stored under the key.

        EXAMPLES
          freshstore explain weather
          freshstore explain https://example.org/feed.json --stale-if-error 1d
          freshstore explain weather --json | jq .action
        """)

    @Argument(help: "A key, or a URL.", completion: .keys) var key: String
    @OptionGroup(title: "Freshness") var freshness: FreshnessOptions
    @Flag(help: "As for a get that fetches now.") var refresh = false
    @Option(
      help: ArgumentHelp("A header that would be sent, 'Name: value'.", valueName: "header"))
    var header: [String] = []
    @OptionGroup var headers: HeadersOption
    @OptionGroup(title: "Values") var rules: RulesOptions
    @OptionGroup var place: CollectionOption
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func validate() throws {
      _ = try RecordName(key, collection: place.collection)
      _ = try HeaderText.fields(header)
    }

    func run() async throws {
      try await Session.run { [self] in try await explain() }
    }

    private func explain() async throws {
      let name = try RecordName(key, collection: place.collection)
      let proxies = name.url == nil ? .none : try Proxies.ofEnvironment()
      var policy = try await freshness.policy(
        for: name, try freshness.configuration(for: name, headers, and: header, proxies))
      if refresh { policy = policy.askingNow }
      let explained = policy
      let rule = try rules.read().map { $0.schema.bytesRule(in: $0.scenario) }
      try await OpenStore.readIfThere(store) { store in
        guard let store else { throw CommandFailure.nothingStored(under: name.key) }
        let collection = try store.collection(
          name.collection, codec: AnyBytesCodec(), admitting: rule)
        let explanation = try collection.explain(name.key, policy: explained)
        try output.print(explanation.fields, or: explanation.lines)
        if explanation.decision.outcome == .missing { throw CommandFailure(.nothingToServe) }
      }
    }
  }
#endif
