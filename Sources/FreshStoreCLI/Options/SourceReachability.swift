#if CommandLine
  internal import Reachability
  internal import FreshHTTP
  internal import Strategies

  /// The kernel's view of the path to a URL's host, or to the proxy before it.
  enum SourceReachability {
    private static let lookupLimit: Duration = .seconds(1)

    /// The handling of the URL's reachability.
    ///
    /// An address is checked itself. For a name, the Internet at large is: only where that is
    /// provably out of reach is the name looked up, because its host may be on the local network.
    /// So a fresh copy costs no lookup on a machine that is online, and on one that is offline at
    /// most a second. A Unix socket needs no network.
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
      } catch HostLookupError.noAnswer where NetworkLinks.areUp {
        // The host may be a neighbour. Without a link no answer could lead anywhere.
        return .assume(.unknown("its name was not resolved in time, and there is a local network"))
      } catch let HostLookupError.noThread(_, cause) {
        return .assume(.unknown("its name could not be looked up: \(cause)"))
      } catch {
        // About a host without an address no more is known than about the Internet at large.
        return .ask
      }
    }

    /// The addresses of a host that needs no name service; empty for any other.
    static func addressesWithoutLookup(of host: String) -> [IPAddress] {
      let texts = host == "localhost" ? ["127.0.0.1", "::1"] : [host]
      return texts.compactMap(IPAddress.init)
    }
  }
#endif
