#if CommandLine
  internal import ArgumentParser
  internal import FreshGateway
  internal import FreshHTTP
  internal import Platform

  /// The options for what a gateway serves, and at which address.
  struct ServingOptions: ParsableArguments {
    // Each option takes one value. A second value is refused; the parser would let it replace the first.
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

    /// The address to listen on.
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
      // A proxy that the environment names may be this gateway.
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

  /// Whether a proxy makes tunnels.
  enum TunnelChoice: String, ExpressibleByArgument, CaseIterable {
    case refuse, allow

    /// The ports of a list such as `443,8443`.
    static func ports(_ text: String) throws -> Set<Int> {
      let words = text.split(separator: ",", omittingEmptySubsequences: false)
      let ports = words.compactMap { Int($0) }.filter { (1...65535).contains($0) }
      guard ports.count == words.count else {
        throw ValidationError("ports are numbers with commas between them, as in 443,8443")
      }
      return Set(ports)
    }
  }

  /// An address to listen on, as people write it: `HOST:PORT`, `[IPv6]:PORT`, `*:PORT` or `PORT`.
  ///
  /// `*` means all addresses of this machine. A port without a host is open to this machine only.
  enum EndpointText {
    static func parse(_ text: String) throws -> GatewayOptions.Endpoint {
      let (host, digits): (String, Substring)
      if let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) {
        let name = text[..<colon]
        digits = text[text.utf8.index(after: colon)...]
        let isBracketed = name.hasPrefix("[") && name.hasSuffix("]")
        guard isBracketed || !name.utf8.contains(UInt8(ascii: ":")) else { throw problem }
        host = String(isBracketed ? name.dropFirst().dropLast() : name)
      } else {
        (host, digits) = ("", text[...])
      }
      guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let port = Int(digits), (0...65535).contains(port)
      else { throw problem }
      if host == "*" { return GatewayOptions.Endpoint(host: all, port: port) }
      // Only an explicit host opens the port to other machines.
      return GatewayOptions.Endpoint(host: host.isEmpty ? "127.0.0.1" : host, port: port)
    }

    /// The address that means all addresses of this machine, of both versions of IP where both exist (ipv6(7)).
    private static var all: String {
      let descriptor = socket(AF_INET6, SocketKind.stream | SocketKind.closeOnExec, 0)
      guard descriptor >= 0 else { return "0.0.0.0" }
      close(descriptor)
      return "::"
    }

    private static var problem: ValidationError {
      ValidationError(
        "an address to listen on is like 127.0.0.1:8080, [::1]:8080, 8080, or *:8080 for all")
    }
  }

  /// The options for a gateway between one origin and its clients.
  struct ReverseProxyOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "A host that clients know it by, beside that of the origin, with its port where that is neither the usual one nor "
          + "that of --listen; repeatable. (default: for a path any host, for a whole address that of the origin)",
        valueName: "host"))
    var host: [String] = []

    @Flag(
      help: """
        Send the host that the client has asked to the origin (Host, X-Forwarded-Host), and keep copies for each host \
        and scheme apart. Without it the origin is asked by its own address, whatever the client has sent.
        """)
    var preserveHost = false

    @Option(
      help: ArgumentHelp(
        "Believe what this peer, or network of peers as in 10.0.0.0/8, says of its clients: X-Forwarded-For, and with "
          + "--preserve-host X-Forwarded-Host and X-Forwarded-Proto; X-Real-IP and its like are sent on. Repeatable. "
          + "(default: nobody)",
        valueName: "network"), transform: ReverseProxyOptions.network)
    var trust: [PeerNetwork] = []

    private static func network(_ text: String) throws -> PeerNetwork {
      guard let network = PeerNetwork(text) else {
        throw ValidationError(
          "it is an address, or the first bits of several, as in 10.0.0.0/8, 192.0.2.1 or 2001:db8::/32"
        )
      }
      return network
    }

    func validate() throws {
      guard let host = host.first(where: { Self.address($0) == nil }) else { return }
      throw ValidationError(
        "\(host.debugDescription) is no --host; write one as www.example.org, or with a port")
    }

    private static func address(_ host: String) -> HTTPAddress? {
      do throws(HTTPAddress.Refusal) {
        let address = try HTTPAddress("http://\(host)")
        return address.path == "/" && address.query == nil ? address : nil
      } catch {
        return nil
      }
    }

    /// The first of these options that is given; `nil` for none.
    var first: String? {
      if !host.isEmpty { return "--host" }
      if preserveHost { return "--preserve-host" }
      return trust.isEmpty ? nil : "--trust"
    }

    func apply(to options: inout GatewayOptions) {
      let addresses = host.compactMap { host in Self.address(host).map { (host, $0) } }
      options.names = Set(addresses.map(\.1.host))
      // Only an explicit port counts: a default port is for one scheme only.
      options.ports = Set(addresses.filter { $0.0.hasSuffix(":\($0.1.port)") }.map(\.1.port))
      options.preservesHost = preserveHost
      options.trustedPeers = trust
    }
  }
#endif
