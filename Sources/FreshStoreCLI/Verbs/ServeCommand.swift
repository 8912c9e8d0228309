#if CommandLine
  internal import ArgumentParser
  internal import FreshGateway
  internal import FreshHTTP
  internal import FreshStore
  internal import Strategies

  /// `freshstore serve`: an HTTP cache in front of one origin, or of any.
  struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "serve",
      abstract: "Be an HTTP cache in front of an origin, for programs in any language.",
      discussion: discussion)

    // In the order in which somebody who is new to it needs them, which is that of the help.
    @OptionGroup(title: "Serving") var serving: ServingOptions
    @OptionGroup(title: "One origin") var reverse: ReverseProxyOptions
    @OptionGroup(title: "Freshness") var freshness: ServingFreshness
    @OptionGroup(title: "Operators") var operators: OperatorOptions
    @OptionGroup(title: "Limits") var limits: ServingLimits
    @OptionGroup(title: "Fleet") var fleet: FleetReadingOptions
    @OptionGroup var store: StoreOptions

    func validate() throws {
      if serving.origin == nil, let option = reverse.first {
        throw ValidationError("\(option) is for --origin; a proxy is known by no host of its own")
      }
    }

    func run() async throws {
      // A log, or a store, that may grow no further costs lines, or copies, and no answer.
      Process.ignoreFileSizeSignals()
      let (hangups, reopenings, running) = (Hangups(), Hangups(), ServedGateway())
      try await Session.run(
        endsInOrder: true, isDaemon: true, patience: serving.grace + .seconds(15),
        reread: { hangups.note() }, reopen: { reopenings.note() },
        lastWords: { running.lastWords }
      ) { [self] in
        let log = try operators.logFile(isVerbose: store.verbose)
        let tokens = try operators.tokenFile()
        var options = try options()
        options.log = log?.log
        options.operatorTokens = tokens?.tokens
        try take(ServiceManager.sockets(), for: &options)
        let sources = try OriginSources(
          options.http, headers: OriginHeaders(file: nil, logins: nil))
        let policies = try SourcePolicies(sources)
        options.reachability = { policies.reachability(of: $0) }
        do {
          try await serve(options, log, tokens, hangups, reopenings, running)
          await sources.close()
        } catch {
          await sources.close()
          throw error
        }
      }
    }

    private func take(
      _ sockets: ServiceManager.Sockets?, for options: inout GatewayOptions
    ) throws(CommandFailure) {
      if sockets?.clients.isEmpty ?? true, sockets?.operators == nil, let admin = operators.admin,
        admin.port != 0, admin.port == serving.endpoint.port
      {
        throw CommandFailure(
          .usage, "--admin must not listen where clients do; name another port")
      }
      guard let sockets else { return }
      for (name, isNamed) in [
        ("listen", serving.listen != nil && !sockets.clients.isEmpty),
        ("admin", operators.admin != nil && sockets.operators != nil),
      ] where isNamed {
        throw CommandFailure(
          .usage, "a socket was handed over for --\(name); leave the option out, or the socket")
      }
      (options.sockets, options.adminSocket) = (sockets.clients, sockets.operators)
    }

    private func serve(
      _ options: GatewayOptions, _ log: LogFile?, _ tokens: TokenFile?, _ hangups: Hangups,
      _ reopenings: Hangups, _ running: ServedGateway
    ) async throws {
      let member = try fleet.member(staysOpen: true)
      try await OpenStore.use(
        store, fleet: member, tellsOfDamage: false,
        configure: { configuration in
          configuration.maximumValueSize = max(
            configuration.maximumValueSize, options.limits.storedContent)
          configuration.memory = MemoryLimits(records: 200_000, bytes: limits.memory ?? 64 << 20)
          // Clients wait for it, and the origin answers them without the store, too.
          configuration.lockPatience = .seconds(1)
          configuration.maximumReaders = max(configuration.maximumReaders, options.threads + 1)
        }
      ) { store in
        let following = member?.follow(with: store)
        defer { following?.cancel() }
        try await Serving(
          store: store, options: options, grace: serving.grace, maximumBytes: limits.maxStore,
          log: log, tokens: tokens, hangups: hangups, reopenings: reopenings, running: running
        ).run()
      }
    }

    private func options() throws(CommandFailure) -> GatewayOptions {
      var options = GatewayOptions()
      try serving.apply(to: &options)
      reverse.apply(to: &options)
      freshness.apply(to: &options)
      options.admin = operators.admin
      options.revealsKey = operators.showKeys
      options.limits = limits.limits
      options.maximumStaleness = limits.maxStale
      options.limits.contentOnDisk = limits.maxStore
      options.http.maximumConnectionsPerHost = limits.originConnections
      return options
    }
  }
#endif
