public import Strategies

/// Asks the kernel, at each call, whether any packet for the source could leave this host.
///
/// The question is a UDP `connect` on a fresh socket, which looks up a route and sends nothing;
/// policy rules, metrics, blackholes and tunnels all count. It cannot see an unplugged cable, a
/// silent firewall, a dead upstream, or traffic that goes through a proxy or is bound to another
/// interface. Where a socket is refused, the files of ``RouteTableReachability`` are read instead;
/// where those fail too the answer is `Reachability.unknown(_:)`.
///
/// Ask about the addresses of the source (or of the proxy before it): a source on the local network
/// needs no default route. A source with addresses of both families is offline only when no address
/// has a route.
///
/// Cost: three system calls for each address asked, four for IPv6, until one has a route; some
/// microseconds, whatever the number of routes.
public struct KernelReachability: ReachabilityProvider {
  /// The addresses to ask about, in order, until one has a route.
  package let targets: [IPAddress]

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
