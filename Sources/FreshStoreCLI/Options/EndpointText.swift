#if CommandLine
  internal import ArgumentParser
  internal import FreshGateway
  internal import Platform

  /// An address to listen on, as people write it: `HOST:PORT`, `[IPv6]:PORT`, `*:PORT` for all addresses of this machine,
  /// or a port of this machine alone.
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
      // Whoever wants others to reach it says so.
      return GatewayOptions.Endpoint(host: host.isEmpty ? "127.0.0.1" : host, port: port)
    }

    /// The address that stands for all of this machine's, of both versions of IP where there are both (ipv6(7)).
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
#endif
