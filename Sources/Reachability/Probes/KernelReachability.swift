internal import Platform
public import Strategies

/// Asks the kernel, at each call, whether any packet for the source could leave this host.
///
/// The question is a UDP `connect` on a fresh socket, which looks up a route and sends nothing. Policy rules,
/// metrics, blackholes and tunnels all count. It cannot see an unplugged cable, a silent firewall, a dead upstream,
/// or traffic that goes through a proxy or is bound to another interface. Where a socket is refused, the files of
/// ``RouteTableReachability`` are read instead. Where those fail too, the answer is `Reachability.unknown(_:)`.
///
/// Ask about the addresses of the source (or of the proxy before it): a source on the local network needs no default
/// route. A source with addresses of both families is offline only when no address has a route.
///
/// Cost: three system calls for each address asked, four for IPv6, until an address has a route. That is some
/// microseconds, and does not depend on the number of routes.
public struct KernelReachability: ReachabilityProvider {
  /// The addresses to ask about, in order, until one has a route.
  let targets: [IPAddress]

  /// Creates a provider for a source with these addresses.
  public init(targets: [IPAddress] = IPAddress.wellKnown) {
    self.targets = targets
  }

  /// Creates a provider for a source with one address.
  public init(target: IPAddress) {
    self.init(targets: [target])
  }

  /// Asks the kernel.
  public func reachability() -> Reachability {
    RouteProbe.reachability(of: targets) { target in
      let answer = RouteProbe.ask(target)
      guard case .failed(let refusal) = answer else { return answer }
      return switch RouteTableReachability(targets: targets).look(up: target) {
      case .failed(let failure): .failed("\(refusal), \(failure)")
      case let answer: answer
      }
    }
  }
}

extension ReachabilityProvider where Self == KernelReachability {
  /// Asks the kernel for a route to the Internet at large.
  public static var kernel: KernelReachability { KernelReachability() }

  /// Asks the kernel for a route to a source with these addresses.
  public static func kernel(_ target: IPAddress, _ others: IPAddress...) -> KernelReachability {
    KernelReachability(targets: [target] + others)
  }
}

/// Asks the kernel for a route with a UDP `connect`, which chooses one and sends nothing.
///
/// Every question takes a fresh socket. A socket that was connected before keeps its old source address, and would
/// never find a route after a renumbering.
enum RouteProbe {
  /// The kernel's answer about one address.
  enum Answer: Equatable {
    case route
    case noRoute(String)
    /// The question itself was refused, which says nothing about the network.
    case failed(String)
  }

  private static let datagram = SocketKind.datagram | SocketKind.closeOnExec

  /// Asks for a route to the address; three system calls, four for IPv6.
  static func ask(_ target: IPAddress) -> Answer {
    // Without a zone `connect` answers EINVAL, which would look like a blackhole.
    guard !target.isLinkLocal else { return .failed("\(target): needs a zone") }
    let target = target.routed
    let family = if case .v4 = target { AF_INET } else { AF_INET6 }
    let descriptor = socket(family, datagram, 0)
    guard descriptor >= 0 else {
      let error = ErrorNumber.last
      return .failed("socket: \(error)")
    }
    defer { close(descriptor) }
    guard attach(descriptor, to: target) else { return answer(toRefusal: .last, to: target) }
    if case .v6 = target, hasLinkLocalSource(descriptor) {
      // Such a source reaches only the link, and the target may be there.
      let answer = RouteTableReachability().look(up: target, onLinkOnly: true)
      guard case .noRoute = answer else { return answer }
      return .noRoute("\(target): only a link-local source address")
    }
    return .route
  }

  /// The source address that a packet to this IPv6 address would carry. `nil` without a route, and when routers do
  /// not forward the source of the only route.
  static func source(for target: IPAddress) -> IPAddress? {
    let descriptor = socket(AF_INET6, datagram, 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard attach(descriptor, to: target), let source = source(of: descriptor) else { return nil }
    return source.isLinkLocal ? nil : source
  }

  /// Offline only when no address has a route; unknown when a question failed and no address has a route.
  static func reachability(
    of targets: [IPAddress], asking ask: (IPAddress) -> Answer
  ) -> Reachability {
    var causes: [String] = []
    var failures: [String] = []
    for target in targets {
      switch ask(target) {
      case .route: return .online
      case .noRoute(let cause): causes.append(cause)
      case .failed(let failure): failures.append(failure)
      }
    }
    if !failures.isEmpty { return .unknown(failures.joined(separator: "; ")) }
    return causes.isEmpty
      ? .unknown("there is no address to ask about")
      : .offline(OfflineCause(causes.joined(separator: "; ")))
  }

  /// Distinguishes the errors that are answers of the routing table from all other errors.
  ///
  /// `ENETUNREACH`: no route, a throw route, a rule that says unreachable. `EHOSTUNREACH`: an unreachable route.
  /// `EINVAL`: a blackhole, as kill switches set it. `EACCES`: a prohibit route. `EADDRNOTAVAIL`: no address of
  /// this family.
  static func answer(toRefusal error: ErrorNumber, to target: IPAddress) -> Answer {
    switch error.code {
    case ENETUNREACH, EHOSTUNREACH, EINVAL, EACCES, EADDRNOTAVAIL: .noRoute("\(target): \(error)")
    default: .failed("connect to \(target): \(error)")
    }
  }

  private static func attach(_ descriptor: Int32, to target: IPAddress) -> Bool {
    // No packet leaves, so any valid port will do.
    let port = in_port_t(443).bigEndian
    switch target {
    case .v4(let value):
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port
      address.sin_addr.s_addr = value.bigEndian
      return attach(descriptor, address)
    case .v6(let value):
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port
      unsafe withUnsafeMutableBytes(of: &address.sin6_addr) {
        unsafe $0.storeBytes(of: value.bigEndian, as: UInt128.self)
      }
      return attach(descriptor, address)
    }
  }

  private static func attach<Address>(
    _ descriptor: Int32, _ address: Address
  ) -> Bool {
    unsafe withUnsafeBytes(of: address) { bytes in
      // The kernel reads as many bytes as the length says, under the family they begin with.
      let generic = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
      return unsafe connect(descriptor, generic, socklen_t(bytes.count)) == 0
    }
  }

  /// With a default route but no global address, IPv6 chooses a source that no router forwards.
  private static func hasLinkLocalSource(_ descriptor: Int32) -> Bool {
    source(of: descriptor)?.isLinkLocal ?? false
  }

  /// The source address of a connected IPv6 socket.
  private static func source(of descriptor: Int32) -> IPAddress? {
    var source = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let result = unsafe withUnsafeMutableBytes(of: &source) { bytes in
      let generic = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
      return unsafe getsockname(descriptor, generic, &length)
    }
    guard result == 0 else { return nil }
    return IPAddress(source.sin6_addr)
  }
}
