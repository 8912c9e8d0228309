#if CommandLine
  internal import FreshHTTP
  internal import FreshStore
  internal import Strategies
  internal import Synchronization

  /// How records are asked for by the URL that their source is.
  ///
  /// While the Internet at large may be in reach a source is asked as it comes. While it is provably
  /// not, a host on the local network may be: a monitor asks about its addresses. A name is taken to be
  /// out of reach until it has been looked up.
  final class SourcePolicies: Sendable {
    private let sources: OriginSources
    private let override: JudgementContext.ReachabilityHandling?
    private let timeout: Duration
    private let monitors = Mutex<[String: RouteMonitor]>([:])

    init(_ sources: OriginSources, timeout: Duration) throws(CommandFailure) {
      self.sources = sources
      self.timeout = timeout
      override = try ReachabilityOverride.ofEnvironment()
        .flatMap { $0.handling(by: ReachabilityOverride.variable) }
    }

    /// The policy for a source; `nil` for one that is no URL.
    func policy(of source: String?) -> Policy? {
      guard let source, URLText.isURL(source), let url = try? URLText(source) else {
        // What only looks like a URL is nobody's to fetch either.
        return nil
      }
      var policy = Policy()
      policy.reachability = override ?? reachability(of: url)
      policy.origin = url.origin
      // The source keeps the limit itself and says it better; this one is for the worst case.
      policy.hardTimeout = timeout + .seconds(1)
      policy.acceptsVariant = { [sources] in
        sources.selects(variant: $0, at: url.text)
      }
      return policy
    }

    private func reachability(of url: URLText) -> JudgementContext.ReachabilityHandling {
      guard RouteMonitor.shared.reachability().isProvablyOffline else {
        // The next network may have other hosts.
        monitors.withLock { if !$0.isEmpty { $0 = [:] } }
        return .ask
      }
      let host: String
      do throws(HTTPFetchError) {
        host = try sources.proxies.connectionHost(for: url.text)
      } catch {
        return .ask
      }
      let monitor = monitors.withLock { monitors in
        if let monitor = monitors[host] { return monitor }
        let addresses = SourceReachability.addressesWithoutLookup(of: host)
        let monitor =
          addresses.isEmpty ? RouteMonitor(host: host) : RouteMonitor(targets: addresses)
        monitors[host] = monitor
        return monitor
      }
      return monitor.targets.isEmpty ? .ask : .assume(monitor.reachability())
    }
  }
#endif
