#if CommandLine
  internal import Reachability
  internal import FreshHTTP
  internal import FreshStore
  internal import Strategies

  /// A source as it was named, and the monitor of the routes to it.
  struct ReachabilityTarget: Sendable {
    let name: String
    let monitor: RouteMonitor
    /// Why its name gave no address when it was looked up; `nil` when it gave some, or is one.
    private let failure: String?

    /// The addresses to ask about: the source's, or those of the proxy before it; none while its name gives
    /// none.
    var addresses: [IPAddress] { isUnresolved ? [] : monitor.targets }

    /// True as long as the monitor has found no address for the name, and asks about the Internet at large.
    var isUnresolved: Bool { failure != nil && monitor.targets == IPAddress.wellKnown }

    /// The Internet at large.
    init() {
      name = "internet"
      monitor = RouteMonitor()
      failure = nil
    }

    /// The present state.
    func reachability() -> Reachability { state(monitor.reachability()) }

    /// What a state that the monitor gave says of the source: a way to the Internet is none to a name without
    /// an address, while without one no name can be looked up.
    func state(_ seen: Reachability) -> Reachability {
      guard let failure, isUnresolved, !seen.isProvablyOffline else { return seen }
      return .unknown("its name has no address: \(failure)")
    }

    /// An address, a host or a URL. A name may fail to resolve because nothing is in reach: then
    /// the Internet at large is asked about, until the network changes.
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
        // An address with another scheme is a name to the resolver, query and all.
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
#endif
