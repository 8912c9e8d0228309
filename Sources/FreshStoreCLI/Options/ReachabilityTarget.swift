#if CommandLine
  internal import FreshHTTP
  internal import FreshStore
  internal import Platform
  internal import Reachability
  internal import Strategies

  /// A source as the user named it, and the monitor of the routes to it.
  struct ReachabilityTarget: Sendable {
    let name: String
    let monitor: RouteMonitor
    /// Why the lookup of its name failed; `nil` when it gave an address, or the name is one.
    private let failure: String?

    /// The addresses to ask about: the source's, or the proxy's before it; empty while the name has no address.
    var addresses: [IPAddress] { isUnresolved ? [] : monitor.targets }

    /// True while the monitor has no address for the name and asks about the Internet at large.
    var isUnresolved: Bool { failure != nil && monitor.targets == IPAddress.wellKnown }

    /// The Internet at large.
    init() {
      name = "internet"
      monitor = RouteMonitor()
      failure = nil
    }

    /// The present state.
    func reachability() -> Reachability { state(monitor.reachability()) }

    /// The state of the source, from a state of the monitor.
    ///
    /// A way to the Internet is no way to a name without an address. Without a way to the Internet no name can be
    /// looked up.
    func state(_ seen: Reachability) -> Reachability {
      guard let failure, isUnresolved, !seen.isProvablyOffline else { return seen }
      return .unknown("its name has no address: \(failure)")
    }

    /// An address, a host or a URL.
    ///
    /// A lookup may fail because nothing is in reach. The monitor then asks about the Internet at large until the
    /// network changes.
    init(_ text: String) throws {
      name = Console.printable(KeyText.shown(text))
      let host = try Self.connectionHost(for: text)
      if let address = IPAddress(host) {
        monitor = RouteMonitor(target: address)
        failure = nil
        return
      }
      var (addresses, reason): ([IPAddress], String?) = ([], nil)
      do throws(HostLookupError) {
        addresses = try HostLookup.resolve(host)
      } catch {
        // To the resolver an address with another scheme is a name, its query included.
        let words = "\(error)".replacing(text, with: name)
        Console.note("\(words); asking about the Internet at large")
        reason = if case .notFound(_, let answer) = error { answer } else { words }
      }
      failure = reason
      monitor = RouteMonitor(host: host, addresses: addresses)
    }

    private static func connectionHost(for text: String) throws -> String {
      guard URLText.isURL(text) else { return text }
      let url = try URLText(text)
      let host = try Proxies.ofEnvironment().connectionHost(for: url.text)
      if host != url.host {
        Console.note("\(url.origin) is reached through the proxy \(host); asking about that")
      }
      return host
    }
  }

  /// The kernel's view of the route to a URL's host, or to the proxy before it.
  enum SourceReachability {
    private static let lookupLimit: Duration = .seconds(1)

    /// The handling of a URL's reachability.
    ///
    /// An address is checked itself. For a name, the Internet at large is checked. Only while that is provably out of
    /// reach, the name is looked up, because its host may be on the local network. So a fresh copy costs no lookup on
    /// a machine that is online, and at most a second on one that is offline. A Unix socket needs no network.
    static func handling(
      of url: URLText, _ http: HTTPConfiguration
    ) async -> JudgementContext.ReachabilityHandling {
      guard http.socketPath == nil else { return .assume(.online) }
      do {
        let host = try http.proxies.connectionHost(for: url.text)
        var addresses = addressesWithoutLookup(of: host)
        if addresses.isEmpty {
          guard RouteMonitor.shared.reachability().isProvablyOffline else { return .ask }
          addresses = try await HostLookup.system.addresses(of: host, within: lookupLimit)
        }
        return .assume(RouteMonitor.look(at: addresses))
      } catch HostLookupError.noAnswer where hasLinkUp {
        // The host may be on the local network. Without a link no answer could lead anywhere.
        return .assume(.unknown("its name was not resolved in time, and there is a local network"))
      } catch let HostLookupError.noThread(_, cause) {
        return .assume(.unknown("its name could not be looked up: \(cause)"))
      } catch {
        // For a host without an address, only the reachability of the Internet at large is known.
        return .ask
      }
    }

    /// The addresses of a host that needs no name service; empty for any other host.
    static func addressesWithoutLookup(of host: String) -> [IPAddress] {
      let texts = host == "localhost" ? ["127.0.0.1", "::1"] : [host]
      return texts.compactMap(IPAddress.init)
    }

    /// True when a link of this host is up and plugged in, whatever routes lead over it. Also true when the system
    /// does not say (getifaddrs(3), netdevice(7)).
    private static var hasLinkUp: Bool {
      var first: UnsafeMutablePointer<ifaddrs>?
      guard unsafe getifaddrs(&first) == 0 else { return true }
      defer { unsafe freeifaddrs(first) }
      let (up, loopback) = (UInt32(IFF_UP) | UInt32(IFF_RUNNING), UInt32(IFF_LOOPBACK))
      var next = unsafe first
      while let entry = unsafe next?.pointee {
        if unsafe entry.ifa_flags & (up | loopback) == up { return true }
        unsafe next = entry.ifa_next
      }
      return false
    }
  }
#endif
