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

    // The help has the groups in this order, the most needed first.
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
      // At the limit of a file's size the log loses lines, or the store loses copies. Requests are still answered.
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
        try await sources.closing {
          try await serve(options, log, tokens, hangups, reopenings, running)
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
          // Clients wait for the lock, and the origin can answer them without the store.
          configuration.lockPatience = .seconds(1)
          configuration.maximumReaders = max(configuration.maximumReaders, options.threads + 1)
        }
      ) { store in
        let following = member?.follow(with: store)
        defer { following?.cancel() }
        try await ServeRun(
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

  /// The options for the operators of a gateway.
  struct OperatorOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "Where operators, and nobody else, find /healthz, /metrics and /status. (default: nowhere)",
        valueName: "host:port"), transform: EndpointText.parse)
    var admin: GatewayOptions.Endpoint?

    @Option(
      help: ArgumentHelp(
        "Append a line for each request to this file; - for standard error. (default: no log, and with "
          + "--verbose standard error)", valueName: "file"), completion: .file())
    var log: String?

    @Flag(help: "Write the --log as JSON, a value a line.") var logJson = false

    @Option(
      help: ArgumentHelp(
        "Let those purge copies who have one of the tokens in this file, which only its owner may read. "
          + "(default: nobody)", valueName: "file"), completion: .file())
    var purgeTokenFile: String?

    @Flag(help: "Tell clients the key of each answer in Cache-Status.") var showKeys = false

    func validate() throws {
      guard !logJson || log != nil else {
        throw ValidationError("--log-json is for --log; name the file, or - for standard error")
      }
    }

    /// The log; `nil` for none.
    ///
    /// - Parameter isVerbose: True to log requests on standard error when no --log is given.
    func logFile(isVerbose: Bool) throws(CommandFailure) -> LogFile? {
      guard let log = log ?? (isVerbose ? "-" : nil) else { return nil }
      return try LogFile(log, logJson ? .json : .common)
    }

    /// The tokens of operators who may purge; `nil` when nobody may.
    func tokenFile() throws(CommandFailure) -> TokenFile? {
      guard let purgeTokenFile else { return nil }
      return try TokenFile(purgeTokenFile)
    }
  }

  extension ServeCommand {
    /// The help text beside the options.
    static let discussion = """
      With --origin it answers in the place of that origin, from copies for as long as they hold (RFC 9111). An origin \
      is a host and a port, without a path. \
      Without, it is a proxy for http addresses: programs find it by the variable http_proxy. While an origin is \
      out of reach or fails, copies stand in for it (--max-stale). Cache-Status says of each answer where it \
      is from (RFC 9211). Of several who ask for the same at the same time one asks the origin, also \
      across programs, if the answer is for all of them.

      The first line on standard output is 'listening on' and the address; the port is a free one where 0 was \
      asked for. Only this machine reaches it unless --listen names another address: whoever reaches it can \
      use it.

      Copies are records of the store: list, show, explain, mark, remove and sweep work on them while it runs, \
      several gateways and other verbs share one file, and a restart loses none. A copy that is marked is \
      confirmed or fetched at the next request: by its address at the origin, not at the gateway (freshstore mark URL), by the beginning of \
      addresses (--prefix), or by what its origin has put together in the field Cache-Groups: "g1" is the \
      tag 'http://host:port g1' (--tag). Of the variants of one address 31 are kept, and the oldest goes.

      An origin sees its own address, whatever Host a client sends. It is told of clients by X-Forwarded-For, \
      X-Forwarded-Host, X-Forwarded-Proto and Forwarded, which the gateway sets in the place of those of clients. \
      What else says who they are or how they came is removed, unless a peer of --trust says it: X-Real-IP, \
      X-Client-IP, Client-IP, X-Cluster-Client-IP, True-Client-IP, CF-Connecting-IP, Forwarded-For, \
      WL-Proxy-Client-IP, X-Original-For and their like; and, unless it says what the gateway itself does, X-Forwarded-Port, -Scheme, -Protocol, \
      -Ssl and -Server, X-Scheme, X-Url-Scheme, X-Protocol-Scheme, X-Original-Proto, Front-End-Https, X-Host, \
      X-Original-Host, X-HTTP-Host-Override. Other fields that origins answer by, such as \
      X-HTTP-Method-Override, X-Original-URL, X-Forwarded-User, Remote-User or X-Forwarded-Prefix, are sent on; no copy answers a \
      request with one, and its answer is kept for nobody. Proxy goes nowhere. Its redirects to its own address lead to the gateway. An \
      origin with several sites, or one that sends clients from http to https, needs --preserve-host: then \
      it sees the host and the scheme that the client has used, and each has copies of its own, under the \
      addresses that clients use. Behind a balancer --trust names that, so that it is believed whom it serves.

      Many an API does not say how long its answers hold, and then there is no copy: detail="useless" in Cache-Status. With \
      --expiry such an answer is kept, and stands in like any other, unless it has no-store, private, no-cache, \
      must-revalidate or Set-Cookie, or was asked for with Authorization or Cookie. Leave out the paths where users are told \
      apart by other fields that are not in Vary. Errors such as 404 are kept so with --expiry-absent alone, which also makes \
      one request of many at once. A copy keeps its lifetime until it is fetched or confirmed again.

      With --rules an answer with 200 whose content breaks the rules of its path takes the place of no copy: \
      the copy stands in, as for an origin that fails, and Cache-Status names the rule; without one the \
      answer is passed on, and not kept. Such an answer is read whole before a client hears of it, if it is \
      not larger than --max-size; a larger one is passed on unchecked, and not kept. Coded content cannot be \
      checked, and the origin is not asked for it.

      A proxy makes tunnels (CONNECT, for https) with --connect allow, to port 443, or to --connect-ports; never to \
      the port of --admin. Neither a tunnel nor a request leads to this machine itself, or to addresses of the wire that \
      it is on, unless --listen is for this machine alone, or with --allow-local. The passing bytes are neither seen nor kept. A tunnel ends after 5 \
      minutes without a byte, and after --total-timeout.

      With --purge-token-file operators may have copies fetched again: PURGE of an address, or of all that \
      begin with what stands before a last *, with Authorization: Bearer and a token of the file, one of 16 or \
      more visible characters a line. With Cache-Groups: "g1", "g2" it is of these groups of the origin instead. Copies become stale, and stand \
      in for an origin that fails; with Purge-Mode: hard they are removed. The answer is 200 with their \
      number, 404 where there were none, outside of a fleet, 401 without a token, and 503 where the store did not take it \
      all, as while another program locks it: send it again then. On --admin POST /purge/PATH does the same, or /purge/ \
      and a whole address.

      Nothing changes its protocol here: a request with Upgrade, as for a WebSocket, is sent on without that, and \
      answered in HTTP. Have such paths lead past the gateway.

      A line of the --log ends in 'left' where the client did not stay for all of its answer, with the \
      status 499 where it had none of it, and in 'broken' where it stayed and was not sent all, or was cut off. A log that takes no lines for a while holds up nobody: lines \
      without room are lost, and /metrics and the log itself say how many.

      In a fleet (--fleet) gateways on several hosts are as one: what one has fetched is a copy for all, if it \
      is the plain answer of its address; of one address one host asks at a time; and what is purged, marked or \
      changed by an unsafe method through one of them is so for all. While the fleet is out of reach each goes \
      on alone, and marks are delivered later.

      SIGTERM or Ctrl-C end it in order: it takes no connection any more, and requests under way may take \
      --grace, also to be read by a slow client. At SIGHUP it reads the certificate, its key and the tokens \
      again, for new connections, and goes on with --log in a new file, as after logrotate has renamed it; \
      what cannot be used changes nothing; standard error says what was done. SIGUSR1 has only the --log go on so, and \
      does nothing where that is no file. Where a terminal has started it, it ends with that.

      As a service of systemd it takes over sockets that are handed to it, in the place of --listen, and of \
      --admin the one that is named admin, and tells when it is ready and when it ends (Type=notify); \
      freshstore-serve.socket and freshstore-serve.service are such units.

      Each connection takes a file descriptor, and another one while its origin is asked. The limit of \
      open files is raised as far as the system allows, and a note says when that is too little for \
      --max-connections.

      EXAMPLES
        freshstore serve --origin http://127.0.0.1:3000
        freshstore serve --origin https://example.org --db site.db --admin 9090 --log access.log
        freshstore serve --origin http://app:3000 --listen 0.0.0.0:443 --certificate site.pem \
      --key site.key --preserve-host --host www.example.org
        freshstore serve --origin http://app:3000 --listen 0.0.0.0:80 --trust 10.0.0.0/8
        freshstore serve --origin http://app:3000 --expiry '/api/*=1m' --expiry-absent 10s
        freshstore serve --origin http://app:3000 --rules '/api/*=api.json' --rules '/feed=feed.json'
        freshstore serve --origin http://app:3000 --fleet postgresql://site@db.example.org/fleet
        freshstore serve --listen 3128 --connect allow
        freshstore serve --listen 3128 & http_proxy=http://127.0.0.1:3128 curl http://example.org/
        curl -X PURGE -H "Authorization: Bearer $TOKEN" 'http://127.0.0.1:8080/news/*'

      \(ExitStatus.help(
        (.served, "ended in order"),
        (.store, "as it ended, the store did not take marks: standard error names them")))
      """
  }
#endif
