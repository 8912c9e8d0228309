#if CommandLine
  internal import ArgumentParser
  internal import FreshGateway
  internal import FreshHTTP

  /// Whom a gateway serves, and from where.
  struct ServingOptions: ParsableArguments {
    // Each is one; a second one is refused, which the parser would take in place of the first.
    @Option(
      name: .customLong("origin"),
      help: ArgumentHelp(
        "The origin to stand in front of, as http://host:port. (default: any; it is a proxy then)",
        valueName: "url"))
    var origins: [String] = []

    @Option(
      name: .customLong("listen"),
      help: ArgumentHelp(
        "Where to listen: an address and a port, '*:8080' for all addresses, or a port of this machine alone. (default: "
          + "127.0.0.1:8080)",
        valueName: "host:port"), transform: EndpointText.parse)
    var endpoints: [GatewayOptions.Endpoint] = []

    @Flag(
      name: .customLong("private"),
      help: "Be the cache of one user: keep what is for that user alone, too.")
    var isPrivate = false

    @Option(
      help: ArgumentHelp(
        "Speak TLS with the certificate in this PEM file, which has those of its issuers behind it. (default: plain HTTP)",
        valueName: "file"), completion: .file())
    var certificate: String?

    @Option(
      help: ArgumentHelp(
        "The private key of the --certificate, not encrypted, which only its owner may read. (default: in the same file)",
        valueName: "file"), completion: .file())
    var key: String?

    @Option(
      help: ArgumentHelp(
        "Trust the issuers of origins' certificates in this PEM file, and not the system's.",
        valueName: "file"), completion: .file())
    var cacert: String?

    @Option(
      help: ArgumentHelp(
        "Keep answers of these paths only if they keep the rules in the file: '/api/*=rules.json'; * "
          + "stands for any characters, and the first that fits counts. Repeatable.",
        valueName: "pattern=file"))
    var rules: [String] = []

    @Option(
      help: ArgumentHelp(
        "Whether a proxy makes tunnels: allow, or refuse (501 to CONNECT).", valueName: "what"))
    var connect: TunnelChoice = .refuse

    @Flag(
      help: """
        Have a proxy that others reach by --listen lead them to this machine, too, and to what is on its wire alone \
        (loopback, link-local and its own addresses), by requests and tunnels. Without it that is 403.
        """)
    var allowLocal = false

    @Option(
      help: ArgumentHelp(
        "The ports that tunnels may lead to, as in 443,8443. (default: 443)", valueName: "ports"),
      transform: TunnelChoice.ports)
    var connectPorts: Set<Int>?

    @Option(
      help: ArgumentHelp(
        "The name in Via and Cache-Status; gateways in a row have different ones, or answer 508.",
        valueName: "token"))
    var name = "freshstore"

    @Option(help: ArgumentHelp("The threads that serve clients, 1 to 64.", valueName: "count"))
    var threads = 1

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp(
        "How long what is under way may take once it is to end. (default: 10s)",
        valueName: "duration"), transform: DurationText.span)
    var grace: Duration = .seconds(10)

    var origin: String? { origins.first }
    var listen: GatewayOptions.Endpoint? { endpoints.first }

    func validate() throws {
      guard origins.count <= 1 else {
        throw ValidationError("it stands in front of one --origin only; run a gateway for each")
      }
      guard endpoints.count <= 1 else {
        throw ValidationError(
          "it listens in one place only; run a gateway for each --listen, which may share the store"
        )
      }
      if key != nil, certificate == nil {
        throw ValidationError("--key is for --certificate; name the certificate, too")
      }
      guard (1...64).contains(threads) else {
        throw ValidationError("the --threads must be 1 to 64")
      }
      guard connect == .refuse || origin == nil else {
        throw ValidationError("--connect is for a proxy; leave --origin out")
      }
      guard !allowLocal || origin == nil else {
        throw ValidationError("--allow-local is for a proxy; leave --origin out")
      }
      guard connect == .allow || connectPorts == nil else {
        throw ValidationError("--connect-ports is for --connect allow")
      }
    }

    /// Where it listens.
    var endpoint: GatewayOptions.Endpoint {
      listen ?? GatewayOptions.Endpoint(host: "127.0.0.1", port: 8080)
    }

    func apply(to options: inout GatewayOptions) throws(CommandFailure) {
      options.origin = origin
      options.listen = endpoint
      options.isPrivate = isPrivate
      options.certificate = certificate.map { .init(chain: $0, key: key ?? $0) }
      options.name = name
      options.threads = threads
      options.admission = try PathRules(rules).admission
      options.reachesMachine = allowLocal
      if connect == .allow { options.tunnels = TunnelPolicy(ports: connectPorts ?? [443]) }
      // A proxy that the environment names may be this very one.
      options.http = HTTPConfiguration(proxies: .none)
      if let cacert {
        try Self.checkReadable(cacert)
        options.http.trust = .files([cacert])
      }
      try options.certificate?.checkExposure()
    }

    private static func checkReadable(_ path: String) throws(CommandFailure) {
      do throws(Descriptor.Failure) {
        try Descriptor.check(path)
      } catch {
        throw CommandFailure(
          .inputOutput,
          "the file \(path.debugDescription) cannot be read: \(error.words); check its name and its permissions"
        )
      }
    }
  }
#endif
