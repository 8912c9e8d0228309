#if CommandLine
  internal import Reachability
  internal import FreshHTTP
  internal import FreshStore
  internal import Strategies

  /// A source as it was named, and the monitor of the routes to it.
  struct ReachabilityTarget: Sendable {
    let name: String
    let monitor: RouteMonitor

    /// The addresses to ask about: the source's, or those of the proxy before it.
    var addresses: [IPAddress] { monitor.targets }

    /// The Internet at large.
    init() {
      name = "internet"
      monitor = RouteMonitor()
    }

    /// An address, a host or a URL. A name may fail to resolve because nothing is in reach: then
    /// the Internet at large is asked about, until the network changes.
    init(_ text: String) throws {
      name = Console.printable(KeyText.shown(text))
      let host = try Self.connectionHost(for: text)
      if let address = IPAddress(host) {
        monitor = RouteMonitor(target: address)
        return
      }
      var addresses: [IPAddress] = []
      do throws(HostLookupError) {
        addresses = try HostLookup.resolve(host)
      } catch {
        // An address with another scheme is a name to the resolver, query and all.
        let words = "\(error)".replacing(text, with: name)
        Console.note("\(words); asking about the Internet at large")
      }
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
