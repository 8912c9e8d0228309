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

    @Option(
      help: ArgumentHelp(
        "The origin to stand in front of, as http://host:port. (default: any; a proxy)",
        valueName: "url"))
    var origin: String?

    @Option(
      help: ArgumentHelp(
        "Where to listen. (default: 127.0.0.1:8080)", valueName: "host:port"),
      transform: EndpointText.parse)
    var listen: GatewayOptions.Endpoint?

    @Option(
      help: ArgumentHelp(
        "A host that clients know it by, beside that of the origin; repeatable.",
        valueName: "host"))
    var host: [String] = []

    @Flag(
      name: .customLong("private"),
      help: "Be the cache of one user: keep what is for that user alone, too.")
    var isPrivate = false

    @Option(
      help: ArgumentHelp(
        "Speak TLS with the certificate in this PEM file, and those of its issuers.",
        valueName: "file"), completion: .file())
    var certificate: String?

    @Option(
      help: ArgumentHelp(
        "The private key of the --certificate, not encrypted. (default: in the same file)",
        valueName: "file"), completion: .file())
    var key: String?

    @Option(
      help: ArgumentHelp(
        "Where operators find /healthz, /metrics and /status. (default: nowhere)",
        valueName: "host:port"), transform: EndpointText.parse)
    var admin: GatewayOptions.Endpoint?

    @Option(
      help: ArgumentHelp(
        "Let those purge copies who have one of the tokens in this file, which only its owner may read.",
        valueName: "file"), completion: .file())
    var purgeTokenFile: String?

    @Option(
      help: ArgumentHelp(
        "Append a line for each request to this file; - for standard error.", valueName: "file"),
      completion: .file())
    var log: String?

    @Flag(help: "Write the log as JSON, a value a line.") var logJson = false

    @Option(
      help: ArgumentHelp(
        "The name in Via and Cache-Status; gateways in a row have different ones.",
        valueName: "token"))
    var name = "freshstore"

    @Flag(help: "Tell clients the key of each answer in Cache-Status.") var showKeys = false

    @Option(help: ArgumentHelp("The threads that serve clients, 1 to 64.", valueName: "count"))
    var threads = 1

    @Option(
      help: ArgumentHelp(
        "The memory for copies that are asked for often. (default: 64M)", valueName: "size"),
      transform: SizeText.parse)
    var memory: Int?

    @Option(
      help: ArgumentHelp(
        "The most bytes that records may take; once a minute the oldest beyond go. (default: no limit)",
        valueName: "size"), transform: SizeText.parse)
    var maxStore: Int?

    @Option(
      help: ArgumentHelp(
        "Trust the issuers of origins' certificates in this PEM file, and not the system's.",
        valueName: "file"), completion: .file())
    var cacert: String?

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "How long what is under way may take at the end. (default: 10s)", valueName: "duration"),
      transform: DurationText.span)
    var grace: Duration = .seconds(10)

    @Option(
      help: ArgumentHelp(
        "Whether a proxy makes tunnels: allow, or refuse (501 to CONNECT).", valueName: "what"))
    var connect: TunnelChoice = .refuse

    @Option(
      help: ArgumentHelp(
        "The ports that tunnels may lead to, as in 443,8443.", valueName: "ports"),
      transform: TunnelChoice.ports)
    var connectPorts: Set<Int> = [443]

    @Option(
      help: ArgumentHelp(
        "Keep answers of these paths only if they keep the rules in the file: '/api/*=rules.json'; * "
          + "stands for any characters, and the first that fits counts. Repeatable.",
        valueName: "pattern=file"))
    var rules: [String] = []

    @OptionGroup(title: "Fleet") var fleet: FleetReadingOptions
    @OptionGroup(title: "Limits") var limits: ServingLimits
    @OptionGroup var store: StoreOptions

    func validate() throws {
      if key != nil, certificate == nil {
        throw ValidationError("--key is for --certificate; name the certificate, too")
      }
      guard !logJson || log != nil else {
        throw ValidationError("--log-json is for --log; name the file, or - for standard error")
      }
      guard (1...64).contains(threads) else {
        throw ValidationError("the --threads must be 1 to 64")
      }
      guard connect == .refuse || origin == nil else {
        throw ValidationError("--connect is for a proxy; leave --origin out")
      }
      guard connect == .allow || connectPorts == [443] else {
        throw ValidationError("--connect-ports is for --connect allow")
      }
      guard host.isEmpty || origin != nil else {
        throw ValidationError("--host is for --origin; a proxy is known by no host of its own")
      }
      if let admin, admin.port != 0, admin.port == (listen ?? Self.standard).port {
        throw ValidationError("--admin must not listen where clients do; name another port")
      }
    }

    func run() async throws {
      let hangups = Hangups()
      try await Session.run(
        endsInOrder: true, isDaemon: true, patience: grace + .seconds(5),
        reread: { hangups.note() }
      ) { [self] in
        let log = try self.log.map { (path) throws(CommandFailure) in
          try LogFile(path, logJson ? .json : .common)
        }
        var options = try options()
        options.log = log?.log
        let tokens = try purgeTokenFile.map { (path) throws(CommandFailure) in
          try TokenFile(path)
        }
        options.operatorTokens = tokens?.tokens
        options.admission = try PathRules(rules).admission
        if connect == .allow { options.tunnels = TunnelPolicy(ports: connectPorts) }
        try take(ServiceManager.sockets(), for: &options)
        let sources = try OriginSources(
          options.http, headers: OriginHeaders(file: nil, logins: nil))
        let policies = try SourcePolicies(sources)
        options.reachability = { policies.policy(of: $0)?.reachability ?? .ask }
        do {
          try await serve(options, log, tokens, hangups)
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
      guard let sockets else { return }
      for (name, isNamed) in [
        ("listen", listen != nil && !sockets.clients.isEmpty),
        ("admin", admin != nil && sockets.operators != nil),
      ] where isNamed {
        throw CommandFailure(
          .usage, "a socket was handed over for --\(name); leave the option out, or the socket")
      }
      (options.sockets, options.adminSocket) = (sockets.clients, sockets.operators)
    }

    private func serve(
      _ options: GatewayOptions, _ log: LogFile?, _ tokens: TokenFile?, _ hangups: Hangups
    ) async throws {
      let member = try fleet.member(staysOpen: true)
      try await OpenStore.use(
        store, fleet: member,
        configure: { configuration in
          configuration.maximumValueSize = max(
            configuration.maximumValueSize, options.limits.storedContent)
          configuration.memory = MemoryLimits(records: 200_000, bytes: memory ?? 64 << 20)
          configuration.maximumReaders = max(configuration.maximumReaders, threads + 1)
        }
      ) { store in
        let following = member?.follow(with: store)
        defer { following?.cancel() }
        try await Serving(
          store: store, options: options, grace: grace, maximumBytes: maxStore, log: log,
          tokens: tokens, hangups: hangups
        ).run()
      }
    }

    private func options() throws(CommandFailure) -> GatewayOptions {
      var options = GatewayOptions()
      options.origin = origin
      options.listen = listen ?? Self.standard
      options.admin = admin
      options.names = Set(host.map { $0.lowercased() })
      options.isPrivate = isPrivate
      options.certificate = certificate.map { .init(chain: $0, key: key ?? $0) }
      options.name = name
      options.revealsKey = showKeys
      options.threads = threads
      options.limits = limits.limits
      options.limits.contentOnDisk = maxStore
      // A proxy that the environment names may be this very one.
      options.http = HTTPConfiguration(proxies: .none)
      options.http.maximumConnectionsPerHost = limits.originConnections
      if let cacert { options.http.trust = .files([cacert]) }
      return options
    }

    private static let standard = GatewayOptions.Endpoint(host: "127.0.0.1", port: 8080)
  }
#endif
