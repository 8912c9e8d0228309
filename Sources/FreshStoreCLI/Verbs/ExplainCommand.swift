#if CommandLine
  internal import ArgumentParser
  internal import FreshGateway
  internal import FreshHTTP
  internal import FreshStore
  internal import Rules

  /// `freshstore explain`: the decision of a get, and its reasons.
  struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "explain",
      abstract: "Say what a get would do with a key, and why; fetch nothing, change nothing.",
      discussion: """
        Pass the options that you would pass to get; they affect the answer. A copy keeps the expiry that it was \
        fetched with: --expiry is for the next fetch, and --max-age for the copy that is there. Exits with 4 \
        when nothing is stored under the key, and its fleet has nothing either.

        Of a URL it also says which copies a gateway (freshstore serve) keeps, and what that would do with a GET \
        with the fields of --header: how long each is fresh, by whose word, and used when stale, what it is confirmed by, and which \
        fields of requests select it. So it does of one with --private (collection http-private). Pass --max-stale \
        where the gateway has it.

        In a fleet (--fleet) it asks that as a get does, and takes nothing in: a mark of another host makes the copy \
        stale, and what the fleet has is taken in place of a fetch (action take-from-fleet). It also says whether the \
        fleet is in reach, and how far this host is behind it; its last word is noted in the file once a minute at \
        most.

        EXAMPLES
          freshstore explain weather
          freshstore explain https://example.org/feed.json --stale-if-error 1d
          freshstore explain http://127.0.0.1:3000/ -H 'Accept-Language: de'
          freshstore explain weather --json | jq .action
          freshstore explain weather --fleet postgresql://news@db.example.org/fleet
          freshstore explain --env KUBECONFIG -- kubectl get nodes -o wide
        """)

    @Argument(
      help: "A key, or a URL; it may be left out where a command after -- is given, as for get.",
      completion: .keys)
    var key: String?
    @OptionGroup(title: "Freshness") var freshness: FreshnessOptions
    @Flag(help: "As for a get that fetches now.") var refresh = false
    @Option(
      name: [.customShort("H"), .long],
      help: ArgumentHelp("A header that would be sent, 'Name: value'.", valueName: "header"))
    var header: [String] = []
    @OptionGroup(title: "Command") var commandKey: CommandKeyOptions
    @OptionGroup(title: "Connection") var connection: ConnectionOptions
    @OptionGroup var headers: HeadersOption
    @OptionGroup(title: "Fleet") var fleet: FleetOption
    @OptionGroup(title: "Values") var rules: RulesOptions
    @OptionGroup(title: "Copies of a gateway") var copies: GatewayCopyOptions
    @OptionGroup var place: CollectionOption
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    func validate() throws {
      _ = try name
      _ = try HeaderText.fields(header)
    }

    private var name: RecordName {
      get throws {
        try RawArguments.validateCommand()
        let command = RawArguments.command.map { CommandLineIdentity($0, commandKey.facts).key }
        try commandKey.check(hasKey: key != nil, hasCommand: command != nil)
        guard let key = key ?? command else {
          throw ValidationError("say which key or URL, or which command after --")
        }
        return try RecordName(key, collection: place.collection)
      }
    }

    func run() async throws {
      try await Session.run { [self] in try await explain() }
    }

    private func explain() async throws {
      let name = try name
      var template = HTTPConfiguration(
        proxies: name.url == nil ? .none : try Proxies.ofEnvironment())
      try connection.apply(to: &template, connects: false)
      let headers = OriginHeaders(file: try headers.read(), logins: try connection.logins())
      var policy = try await freshness.policy(
        for: name,
        try freshness.configuration(for: name, headers, and: header, template))
      if refresh { policy = policy.askingNow }
      let chosen = policy
      let rule = try rules.read().map { $0.schema.bytesRule(in: $0.scenario) }
      try await OpenStore.readIfThere(store) { store in
        let look = try await lookAtFleet(store, name)
        guard let store else { return try explainWithoutStore(name, look) }
        let collection = try store.collection(
          name.collection, codec: AnyBytesCodec(), admitting: rule)
        let explained = try collection.explain(
          name.key, policy: chosen, hearing: look?.hearing)
        let explanation = explained.explanation
        let copies = try gatewayCopies(of: name, in: store, name.collection)
        let own =
          try place.collection == nil
          ? gatewayCopies(of: name, in: store, GatewayOptions.privateCollection) : nil
        // Only the gateway knows its own findings about an origin, but it counts failures in the file.
        let failing =
          try copies == nil && own == nil
          ? nil
          : store.backlog().failingOrigins.first { $0.name == name.url?.origin.name }
        var lines = explained.lines + (look?.lines(for: explanation) ?? [])
        if let words = freshness.words(on: explanation.decision) { lines.append(words) }
        if let copies {
          lines += CopyReport.lines(of: copies.copies, copies.action, failing: failing)
        }
        if let own {
          lines += CopyReport.lines(
            of: own.copies, own.action, by: "a gateway with --private", failing: failing)
        }
        try output.print(
          explained.fields + [
            "fleet": look?.explaining(explained),
            "gateway": copies.map {
              CopyReport.fields(of: $0.copies, $0.action, failing: failing)
            },
            "privateGateway": own.map {
              CopyReport.fields(of: $0.copies, $0.action, failing: failing)
            },
          ],
          or: lines)
        if copies == nil, own == nil, explained.owner == nil,
          explanation.decision.outcome == .missing
        {
          throw CommandFailure(.nothingToServe)
        }
      }
    }

    /// A gateway's copies of an address in a collection, and its action; `nil` for none.
    private func gatewayCopies(
      of name: RecordName, in store: Store, _ collection: String
    ) throws -> (copies: [CopyReport], action: String)? {
      guard name.url != nil else { return nil }
      return try CopyReport.of(
        name.key, in: store, collection, try HeaderText.fields(header), by: copies.options)
    }

    /// Explains a record without a store. A get makes the store, and may find the record in the fleet.
    private func explainWithoutStore(_ name: RecordName, _ look: FleetLook?) throws {
      guard let look, let owner = look.owner else {
        throw CommandFailure.nothingStored(under: name.key)
      }
      try output.print(
        [
          "collection": name.collection, "key": name.key,
          "action": FleetExplanation.takesFromFleet,
          "fleet": look.fields + ["from": owner],
        ] as JSONFields,
        or: [
          Console.printable(
            "\(name.collection)/\(name.key): a get would \(FleetExplanation.words(takingFrom: owner))"
          )
        ])
    }

    /// The look at the fleet; `nil` for a host alone.
    private func lookAtFleet(_ store: Store?, _ name: RecordName) async throws -> FleetLook? {
      guard let address = fleet.address else { return nil }
      let look = await FleetLook(
        at: address, fleet, .asking, from: try store?.fleetPlace(),
        at: .record(SharedKey(name.collection, name.key)))
      // A wrong argument is no result.
      if case .failure(let error) = look.reply, error.code == .invalidAddress {
        throw CommandFailure(error)
      }
      return look
    }
  }
#endif
