#if CommandLine
  internal import ArgumentParser
  internal import FreshStore

  /// `freshstore get`: the copy while it is fresh, else the value of the source.
  struct GetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "get",
      abstract: "Print a value: the copy while it is fresh, else what the source says.",
      usage: """
        freshstore get [<options>] <url> ...
        freshstore get [<options>] <key> -- <command> [<argument> ...]
        freshstore get [<options>] -- <command> [<argument> ...]
        freshstore get [<options>] <key> ...
        """,
      discussion: """
        A URL is asked conditionally, and what its response says about its freshness overrides the options. A \
        command's standard output is the value; it is run without a shell, and an exit code other \
        than 0 is a failed fetch. Everything after -- belongs to the command. A key without a command is \
        printed while its copy is fresh.

        A command without a key is known by the path of its program and its arguments: ./run.sh in two \
        directories are two commands. What else its output depends on has to be said: --cwd for the working \
        directory, --env NAME for a variable of the environment. Without that git in two repositories, or \
        kubectl with two values of KUBECONFIG, would share one copy.

        Several URLs or keys are fetched at the same time and printed in order; - reads them from standard input, one a line. A failure ends no other get; the exit code is that of the first failure.

        A copy answers only requests with the credentials that it was fetched with, unless its source declares it public. A copy behind redirects lives no longer than the shortest-lived answer on the way.

        A stale copy is served, with a warning, while the source is provably out of reach, within \
        --stale-while-revalidate, and within --stale-if-error when the fetch fails. Without a copy \
        a URL out of reach fails at once. A command may need no network: it is run whatever the \
        kernel says of the routes, unless --ask-reachability is given.

        A background refresh is a process of its own, which reads --headers and --rules again. If they are a descriptor such as /dev/stdin or <(...), get refreshes the copy itself after printing it, and then ends.

        In a fleet (--fleet) what other hosts have marked is taken in first. A copy that is fresh after that is \
        printed; any other comes from the fleet where a host has fetched it, and else from its source, for all \
        hosts; a key without a command comes from the fleet alone. Values above 256 KiB stay with the host that has \
        fetched them. Without an answer of the fleet this host goes on alone, with a warning. --offline is about \
        sources: the fleet's marks are taken in all the same, and what would be fetched is not looked for there.

        A value ends where the output of its command does: what the command leaves running behind it \
        may still write, and is ended with it when the --timeout is over.

        EXAMPLES
          freshstore get https://example.org/feed -H 'Accept-Language: de'
          freshstore get https://example.org/feed --stale-if-error 1d --require json
          freshstore get https://example.org/mine --headers ~/.config/freshstore/headers
          freshstore get weather --expiry 10m -- curl -fsS https://example.org/weather
          freshstore get users --tag staff -- ldap-export --format json
          freshstore get --expiry 1h --env KUBECONFIG -- kubectl get nodes -o wide
          freshstore get --expiry 10s --cwd -- git symbolic-ref HEAD
          freshstore get --quiet --if-changed --output feed.xml https://example.org/feed && ./publish
          freshstore get - --json < urls.txt | jq -r .freshness
          freshstore get weather --fleet 'service=fleet' --expiry 10m -- curl -fsS https://example.org/weather

        \(ExitStatus.help(
          (.served, "a value was printed"), (.servedStale, "a stale one was, and --fail-on-stale was given"),
          (.nothingToServe, "no usable copy, and the source is out of reach, or there is none"),
          (.fetchFailed, "the fetch failed, and no copy may stand in for it"),
          (.refused, "the value was refused: --rules, --require or --max-size"),
          (.absent, "the source says that it does not exist"),
          (.unchanged, "--if-changed was given, and nothing has changed")))
        """)

    @Argument(
      help: ArgumentHelp(
        "http or https URLs, or the key of what the command after -- prints; - reads them from standard input.",
        valueName: "key"),
      completion: .keys)
    var keys: [String] = []

    @OptionGroup(title: "Freshness") var freshness: FreshnessOptions

    @Flag(
      help: """
        Fetch now, also from a source that is left alone after failures; the copy only stands in for \
        a failed fetch.
        """)
    var refresh = false

    @Flag(help: "Exit with 3 when a stale copy is served.")
    var failOnStale = false

    @Option(
      name: .shortAndLong,
      help: ArgumentHelp(
        """
        Write the value to a file, which has the old content or the whole new one at any time. A pipe needs \
        a reader, and a device is written to.
        """,
        valueName: "path"),
      completion: .file())
    var output: String?

    @Flag(
      help: """
        Print or write the value only if it differs from the content of the --output, else exit with 9. \
        Without an --output it is compared with the stored copy, which others may have refreshed.
        """)
    var ifChanged = false

    @Flag(name: .shortAndLong, help: "Report failures only, not stale copies.")
    var quiet = false

    @OptionGroup(title: "Values") var admission: AdmissionOptions
    @OptionGroup(title: "Values") var labels: TagOptions

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
      name: [.customShort("H"), .long],
      help: ArgumentHelp(
        "A header to send with the request, 'Name: value'. May be repeated.", valueName: "header"))
    var header: [String] = []

    @OptionGroup var headers: HeadersOption
    @OptionGroup(title: "Command") var commandKey: CommandKeyOptions
    @OptionGroup(title: "Connection") var connection: ConnectionOptions
    @OptionGroup(title: "Fleet") var fleet: FleetReadingOptions
    @OptionGroup var place: CollectionOption
    @OptionGroup var store: StoreOptions
    @OptionGroup var form: JSONOption

    @Flag(help: .hidden)
    var refreshBehind = false

    /// The command after `--`; empty without one.
    private var command: [[UInt8]] { RawArguments.command ?? [] }

    func validate() throws {
      try RawArguments.validateCommand()
      if keys.isEmpty, command.isEmpty {
        throw ValidationError("say what to get: a URL, a key, or a command after --")
      }
      try commandKey.check(hasKey: !keys.isEmpty, hasCommand: !command.isEmpty)
      if keys.count > 1 || keys == ["-"] {
        guard command.isEmpty else {
          throw ValidationError("a command after -- has one key; give one, or none")
        }
        guard output == nil else {
          throw ValidationError("--output is for one value; give one URL or key")
        }
      }
      if ifChanged, output == nil, freshness.staleWhileRevalidate ?? .zero > .zero {
        throw ValidationError(
          "a refresh behind a copy is not seen by the next --if-changed; give it an --output to compare "
            + "with, or leave --stale-while-revalidate out")
      }
      if output != nil, form.json {
        throw ValidationError("--output holds the value alone; leave --json out")
      }
      if !command.isEmpty, !header.isEmpty || headers.headers != nil {
        throw ValidationError("headers are for URLs; give them to the command after -- instead")
      }
      if !command.isEmpty, connection.isUsed {
        throw ValidationError(
          "the options of the connection are for URLs; give them to the command after -- instead")
      }
      if fleet.place.address != nil { try labels.checkForFleet() }
      for key in keys where key != "-" {
        let name = try RecordName(key, collection: place.collection)
        if command.isEmpty, name.url == nil, refresh {
          throw ValidationError(
            "there is nothing to refresh \(Console.quoted(key: key)) with; "
              + "name its command: freshstore get KEY --refresh -- COMMAND ARGUMENT ...")
        }
      }
      _ = try HeaderText.fields(header)
    }

    func run() async throws {
      // Input that may wait for a person is read before signals are handled in order.
      let (list, sources, gate) = try Session.prepare {
        let list = try names()
        return (list, try GetSources(self, command, for: list.names), try admission.gate())
      }
      try await Session.run(endsInOrder: true) { [self] in
        try await get(list.names, sources, gate)
        if list.isFaulty { throw CommandFailure(.usage) }
      }
    }

    private func get(
      _ names: [RecordName], _ sources: GetSources, _ gate: AdmissionGate
    ) async throws {
      let member = try fleet.member()
      member?.notes.follow(names.map { RecordID($0.collection, $0.key) })
      var requests: [(name: RecordName, policy: Policy, origin: GetSource)] = []
      for name in names {
        requests.append(
          (name, try await policy(for: name, sources), try sources.source(of: name, among: keys)))
      }
      let run = { [requests] (store: Store) in
        let gets = requests.map { request in
          SingleGet(
            name: request.name, policy: request.policy, store: store, origin: request.origin,
            gate: gate, comparesWithCopy: ifChanged && output == nil, namesKey: names.count > 1)
        }
        do {
          if refreshBehind, let get = gets.first {
            try await get.refreshBehind()
          } else {
            try await GetRun(
              gets: gets, display: display(member), canStartAgain: canStartAgain,
              showsProgress: !quiet && command.isEmpty
            ).run()
          }
          await sources.close()
        } catch {
          await sources.close()
          throw error
        }
      }
      if command.isEmpty, let first = names.first, names.allSatisfy({ $0.url == nil }) {
        // The fleet may have the record.
        if member != nil, try Descriptor.isMissing(store.path ?? DefaultPath.find()) {
          return try await OpenStore.use(store, fleet: member, run)
        }
        return try await OpenStore.readIfThere(store, fleet: member) { store in
          guard let store else {
            throw CommandFailure(.nothingToServe, GetSources.advice(on: first.key, among: keys))
          }
          try await run(store)
        }
      }
      try await OpenStore.use(
        store, fleet: member,
        configure: { $0.maximumValueSize = admission.maxSize }, run)
    }

    /// The records of the arguments, with the lines of standard input in place of `-`. A line that names no record is
    /// reported, and ends no other get.
    private func names() throws -> (names: [RecordName], isFaulty: Bool) {
      guard !keys.isEmpty else {
        let key = CommandLineIdentity(command, commandKey.facts).key
        return ([try RecordName(key, collection: place.collection)], false)
      }
      var (names, isFaulty): ([RecordName], Bool) = ([], false)
      for key in keys {
        guard key == "-", command.isEmpty else {
          names.append(try RecordName(key, collection: place.collection))
          continue
        }
        for line in try InputFile.lines("-") {
          do throws(ValidationError) {
            names.append(try RecordName(line, collection: place.collection))
          } catch {
            Console.note("\(Console.quoted(key: line)): \(error.message)")
            isFaulty = true
          }
        }
      }
      return (names, isFaulty)
    }

    /// True when another process can refresh a copy in the background: it reads the same files and the same arguments
    /// again.
    private var canStartAgain: Bool {
      keys.count <= 1 && keys != ["-"]
        && ([headers.headers, admission.rules.rules].compactMap(\.self) + connection.files)
          .allSatisfy(Descriptor.isLasting)
    }

    private func policy(
      for name: RecordName, _ sources: GetSources
    ) async throws -> Policy {
      var policy = try await freshness.policy(for: name, try sources.configuration(for: name))
      if refresh { policy = policy.askingNow }
      if command.isEmpty, name.url == nil { policy.mode = .cacheOnly(allowsStale: false) }
      policy.hardTimeout = timeout
      policy.waitingTimeout = timeout
      if command.isEmpty {
        // The source enforces the limit itself and reports it better; this limit is for the worst case.
        policy.hardTimeout += .seconds(1)
      } else {
        policy.origin = nil
      }
      return policy
    }

    private func display(_ member: FleetRun?) -> GetDisplay {
      GetDisplay(
        file: output.map(OutputFile.init), isJSON: form.json,
        isVerbose: store.verbose, fleet: member?.notes,
        namesKeys: keys.count > 1 || keys == ["-"], isQuiet: quiet, failsOnStale: failOnStale,
        onlyIfChanged: ifChanged)
    }
  }
#endif
