#if CommandLine
  internal import ArgumentParser
  internal import FreshGateway
  internal import FreshHTTP

  /// How a gateway stands between one origin and its clients.
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

    /// The first option that is given; `nil` where none is.
    var first: String? {
      if !host.isEmpty { return "--host" }
      if preserveHost { return "--preserve-host" }
      return trust.isEmpty ? nil : "--trust"
    }

    func apply(to options: inout GatewayOptions) {
      let addresses = host.compactMap { host in Self.address(host).map { (host, $0) } }
      options.names = Set(addresses.map(\.1.host))
      // That of an address which names none is for one scheme alone.
      options.ports = Set(addresses.filter { $0.0.hasSuffix(":\($0.1.port)") }.map(\.1.port))
      options.preservesHost = preserveHost
      options.trustedPeers = trust
    }
  }
#endif
