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
      discussion: """
        With --origin it answers as that origin would, from copies as long as they hold (RFC 9111); \
        without, it is a proxy for http addresses, to be named as http_proxy. Copies are records of the \
        store: list, explain, mark and sweep work on them while it runs, several gateways and other \
        verbs share one file, and a restart loses none. While an origin is out of reach or fails, copies \
        stand in for it as far as they may.

        The first line on standard output is 'listening on' and its address; the port is a free one when \
        0 was asked for. Only this machine reaches it unless --listen names another address: anybody who \
        reaches a proxy can use it.

        Of what is asked for at the same time one request goes to the origin, whichever program asks, \
        when the answer is for all. Cache-Status says of each answer where it is from (RFC 9211). Answers \
        larger than --max-size are passed on without being kept.

        With --rules an answer with 200 whose content breaks the rules of its path takes the place of no copy: \
        the copy stands in, as for an origin that fails, and Cache-Status names the rule; without one the \
        answer is passed on, and not kept. Such an answer is read whole before a client hears of it, if it is \
        not larger than --max-size; a larger one is passed on unchecked, and not kept. Coded content cannot be \
        checked, and the origin is not asked for it.

        A proxy makes tunnels (CONNECT) with --connect allow, to port 443, or to --connect-ports; never to the \
        port of --admin, and to this machine itself, or to addresses of the wire that it is on, only where --listen \
        is for this machine alone. What passes is not seen, and not kept. A tunnel ends after 5 minutes without a \
        byte, and after --total-timeout.

        In a fleet (--fleet) gateways on several hosts are as one: what one has fetched is a copy for all, if it \
        is the plain answer of its address; of one address one host asks at a time; and what is purged, marked or \
        changed by an unsafe method through one of them is so for all. While the fleet is out of reach each goes \
        on alone, and marks are delivered later.

        As a service of systemd it takes over sockets that are handed to it, in the place of --listen, and of \
        --admin the one that is named admin, and tells when it is ready and when it ends (Type=notify); \
        freshstore-serve.socket and freshstore-serve.service are such units.

        SIGTERM or Ctrl-C end it in order: no connection is taken any more, and requests under way may take \
        --grace. At SIGHUP it reads the certificate, its key and the tokens again, for new connections, and goes on \
        with --log in a new file, as after logrotate has renamed it; what cannot be used changes nothing, and is told. \
        When the terminal goes that it was started in, it ends.

        With --purge-token-file operators may have copies fetched again: PURGE of an address, or of all \
        that begin with what stands before a last *, with Authorization: Bearer and a token of the file, one a \
        line. Cache-Groups: "a", "b" names groups of the origin instead. Copies become stale, and stand in for \
        an origin that fails; with Purge-Mode: hard they are removed. The answer is 200 with their number, 404 \
        where there were none, 401 without the token. On --admin POST /purge/PATH does the same.

        EXAMPLES
          freshstore serve --origin http://127.0.0.1:3000 --listen 8080
          freshstore serve --listen 3128 --connect allow
          freshstore serve --listen 3128 & http_proxy=http://127.0.0.1:3128 curl http://example.org/
          freshstore serve --origin http://app:3000 --fleet postgresql://site@db.example.org/fleet
          freshstore serve --origin https://example.org --db site.db --admin 9090 --log access.log
          freshstore serve --origin http://app:3000 --listen 0.0.0.0:443 --certificate site.pem \
        --key site.key
          freshstore serve --origin http://app:3000 --rules '/api/*=api.json' --rules '/feed=feed.json'
          curl -X PURGE -H "Authorization: Bearer $TOKEN" 'http://127.0.0.1:8080/news/*'

        \(ExitStatus.help((.served, "ended in order")))
        """)

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
        "The most bytes that records may take; the oldest go. (default: no limit)",
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
      // A proxy that the environment names may be this very one.
      options.http = HTTPConfiguration(proxies: .none)
      options.http.maximumConnectionsPerHost = 256
      if let cacert { options.http.trust = .files([cacert]) }
      return options
    }

    private static let standard = GatewayOptions.Endpoint(host: "127.0.0.1", port: 8080)
  }
#endif
