#if CommandLine
  internal import ArgumentParser
  internal import FreshHTTP
  internal import FreshStore
  internal import Rules

  /// `freshstore get`: the copy while it holds, else the source.
  struct GetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "get",
      abstract: "Print a value: the copy while it is fresh, else what the source says.",
      usage: """
        freshstore get [<options>] <url>
        freshstore get [<options>] <key> -- <command> [<argument> ...]
        freshstore get [<options>] <key>
        """,
      discussion: """
        A URL is asked conditionally, and what its response says of its freshness goes first. A \
        command's standard output is the value; it is run without a shell, and an exit code other \
        than 0 is a failed fetch. Everything after -- belongs to the command. A key without a command is \
        printed while its copy is fresh.

        A copy answers requests with the headers that it was fetched with, as far as they may tell who \
        asks, unless its source declares it public. An address that leads to another one holds no longer \
        than the shortest answer on the way.

        A stale copy is served, with a warning, while the source is provably out of reach, within \
        --stale-while-revalidate, and within --stale-if-error when the fetch fails. Without a copy \
        a URL out of reach fails at once. A command may need no network: it is run whatever the \
        kernel says of the routes, unless --ask-reachability is given.

        A refresh behind a copy is a process of its own, which reads --headers and --rules again. Where \
        that cannot be, of a pipe or a descriptor such as <(...), get itself refreshes the copy after it \
        has printed it, and ends when that is done.

        A value ends where the output of its command does: what the command leaves running behind it \
        may still write, and is ended with it when the --timeout is over.

        EXAMPLES
          freshstore get https://example.org/feed --header 'Accept-Language: de'
          freshstore get https://example.org/feed --stale-if-error 1d --require json
          freshstore get https://example.org/mine --headers ~/.config/freshstore/headers
          freshstore get weather --expiry 10m -- curl -fsS https://example.org/weather
          freshstore get users --tag staff -- ldap-export --format json

        \(ExitStatus.help(
          (.served, "a value was printed"), (.servedStale, "a stale one was, and --fail-on-stale was given"),
          (.nothingToServe, "no usable copy, and the source is out of reach, or there is none"),
          (.fetchFailed, "the fetch failed, and no copy may stand in for it"),
          (.refused, "the value was refused: --rules, --require or --max-size"),
          (.absent, "the source says that it does not exist")))
        """)

    @Argument(
      help: "An http or https URL, or the key of what the command after -- prints.",
      completion: .keys)
    var key: String

    @Argument(
      parsing: .postTerminator,
      help: ArgumentHelp("A program and its arguments.", valueName: "command"))
    var command: [String] = []

    @OptionGroup(title: "Freshness") var freshness: FreshnessOptions

    @Flag(
      help: """
        Fetch now, also from a source that is left alone after failures; the copy only stands in for \
        a failed fetch.
        """)
    var refresh = false

    @Flag(help: "Exit with 3 when a stale copy is served.")
    var failOnStale = false

    @OptionGroup(title: "Values") var admission: AdmissionOptions

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        """
        How long the fetch may take, and how long another process that is fetching the same is waited \
        for. (default: 30s)
        """, valueName: "duration"),
      transform: DurationText.positive)
    var timeout: Duration = .seconds(30)

    @Option(
      help: ArgumentHelp(
        "A header to send with the request, 'Name: value'. May be repeated.", valueName: "header"))
    var header: [String] = []

    @OptionGroup var headers: HeadersOption
    @OptionGroup var place: CollectionOption
    @OptionGroup var store: StoreOptions
    @OptionGroup var output: JSONOption

    @Flag(help: .hidden)
    var refreshBehind = false

    func validate() throws {
      let name = try RecordName(key, collection: place.collection)
      if command.isEmpty, name.url == nil, refresh {
        throw ValidationError(
          "there is nothing to refresh \(Console.quoted(key: key)) with; "
            + "name its command: freshstore get KEY --refresh -- COMMAND ARGUMENT ...")
      }
      if !command.isEmpty, !header.isEmpty || headers.headers != nil {
        throw ValidationError("headers are for URLs; give them to the command after -- instead")
      }
      if command.first == "" {
        throw ValidationError("the command after -- is empty; name a program")
      }
      _ = try HeaderText.fields(header)
    }

    /// What to do about a key that nothing is known of.
    private var missingSource: String {
      let isHost =
        key.contains(".") && !key.contains(" ") && !key.hasPrefix("/") && !key.contains(":/")
      return """
        \(Console.quoted(key: key)) is no http or https URL, nothing is stored under it, and there is no \
        command to fetch it with; write one of
          freshstore get \(isHost ? "https://\(Console.printable(key))" : "URL")
          freshstore get KEY -- COMMAND ARGUMENT ...
        """
    }

    func run() async throws {
      try await Session.run(endsInOrder: true) { [self] in try await get() }
    }

    private func get() async throws {
      let name = try RecordName(key, collection: place.collection)
      let proxies = command.isEmpty ? try Proxies.ofEnvironment() : .none
      let http = try httpConfiguration(name, proxies)
      let gate = try admission.gate()
      let policy = try await policy(for: name, http)
      let origin = try origin(of: name, http)
      let admission = admission
      let files = [headers.headers, admission.rules.rules].compactMap(\.self)
      let run = { (store: Store) in
        let getting = Getting(
          name: name, policy: policy, store: store, origin: origin, gate: gate,
          canStartAgain: files.allSatisfy(Descriptor.isLasting))
        do {
          try await refreshBehind ? getting.refreshBehind() : getting.print(display)
          await origin.close()
        } catch {
          await origin.close()
          throw error
        }
      }
      if case .none = origin {
        return try await OpenStore.readIfThere(store) { store in
          guard let store, try !store.bytes(name.collection).read(name.key).isMissing else {
            throw CommandFailure(.nothingToServe, missingSource)
          }
          try await run(store)
        }
      }
      try await OpenStore.use(
        store, configure: { $0.maximumValueSize = admission.maxSize }, run)
    }

    private func policy(
      for name: RecordName, _ http: HTTPConfiguration
    ) async throws(CommandFailure) -> Policy {
      var policy = try await freshness.policy(for: name, http)
      if refresh { policy = policy.askingNow }
      if command.isEmpty, name.url == nil { policy.mode = .cacheOnly(allowsStale: false) }
      policy.hardTimeout = timeout
      policy.waitingTimeout = timeout
      if command.isEmpty {
        // The source enforces the limit itself and reports it better; this one is for the worst
        // case.
        policy.hardTimeout += .seconds(1)
      } else {
        policy.origin = nil
      }
      return policy
    }

    private var display: Getting.Display {
      Getting.Display(
        isJSON: output.json, isVerbose: store.verbose, failsOnStale: failOnStale)
    }

    private func httpConfiguration(
      _ name: RecordName, _ proxies: ProxySettings
    ) throws -> HTTPConfiguration {
      var http = try freshness.configuration(for: name, headers, and: header, proxies)
      http.timeout = timeout
      http.connectTimeout = min(http.connectTimeout, timeout)
      http.maximumBodyBytes = admission.maxSize
      return http
    }

    private func origin(of name: RecordName, _ http: HTTPConfiguration) throws -> GetSource {
      if let program = command.first {
        return .command(
          CommandSource(
            program, RawArguments.last(command.count - 1), maximumSize: admission.maxSize,
            tags: admission.tags))
      }
      guard let url = name.url else { return .none }
      do throws(HTTPFetchError) {
        return .url(url, try HTTPSource(http), tags: admission.tags)
      } catch {
        throw CommandFailure(.usage, "\(error)")
      }
    }
  }

  extension Reading {
    /// True when nothing is stored.
    fileprivate var isMissing: Bool {
      if case .missing = self { true } else { false }
    }
  }
#endif
