#if CommandLine
  internal import ArgumentParser
  internal import Strategies

  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #else
    internal import Darwin
  #endif

  /// A source as it was named, and the monitor of the routes to it.
  struct ReachabilityTarget: Sendable {
    let name: String
    let addresses: [IPAddress]
    let monitor: RouteMonitor

    /// The Internet at large.
    init() {
      self.init(name: "internet", addresses: IPAddress.wellKnown)
    }

    /// An address, a host or a URL. A name that cannot be resolved may be one because nothing is in
    /// reach: then the Internet at large is asked about.
    init(_ text: String) throws(ValidationError) {
      let host = URLText.isURL(text) ? try URLText(text).host : text
      var addresses = IPAddress(host).map { [$0] } ?? Self.resolve(host)
      if addresses.isEmpty {
        Console.note(
          "\(Console.printable(host)) cannot be resolved; asking about the Internet at large")
        addresses = IPAddress.wellKnown
      }
      self.init(name: Console.printable(text), addresses: addresses)
    }

    private init(name: String, addresses: [IPAddress]) {
      self.name = name
      self.addresses = addresses
      monitor = RouteMonitor(targets: addresses)
    }

    private static func resolve(_ host: String) -> [IPAddress] {
      var hints = unsafe addrinfo()
      // One entry for each address, not one for each kind of socket.
      unsafe hints.ai_protocol = Int32(IPPROTO_UDP)
      var first: UnsafeMutablePointer<addrinfo>?
      guard unsafe getaddrinfo(host, nil, &hints, &first) == 0 else { return [] }
      defer { unsafe freeaddrinfo(first) }
      var addresses: [IPAddress] = []
      var next = unsafe first
      while let entry = unsafe next {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let code = unsafe getnameinfo(
          entry.pointee.ai_addr, entry.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0,
          NI_NUMERICHOST)
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        if code == 0, let address = IPAddress(String(decoding: bytes, as: UTF8.self)) {
          addresses.append(address)
        }
        unsafe next = entry.pointee.ai_next
      }
      return addresses
    }
  }
#endif
