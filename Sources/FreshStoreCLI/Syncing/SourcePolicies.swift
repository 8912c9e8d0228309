#if CommandLine
  internal import FreshHTTP
  internal import FreshStore
  internal import Strategies
  internal import Synchronization

  /// How records are asked for by the URL that their source is.
  ///
  /// While the Internet at large may be in reach a source is asked as it comes. While it is provably
  /// not, a host on the local network may be: an address is asked about itself, a name is looked up,
  /// behind the caller's back, and taken to be out of reach until its addresses are known.
  final class SourcePolicies: Sendable {
    private enum Host {
      case lookingUp
      case known(RouteMonitor)
      case unknown(until: ContinuousClock.Instant)
    }

    private static let pauseAfterLookup = Duration.seconds(30)

    private let sources: OriginSources
    private let override: JudgementContext.ReachabilityHandling?
    private let timeout: Duration
    private let hosts = Mutex<[String: Host]>([:])

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
        hosts.withLock { if !$0.isEmpty { $0 = [:] } }
        return .ask
      }
      let host: String
      do throws(HTTPFetchError) {
        host = try sources.proxies.connectionHost(for: url.text)
      } catch {
        return .ask
      }
      guard let monitor = monitor(of: host) else { return .ask }
      return .assume(monitor.reachability())
    }

    /// What tells of the way to a host; `nil` while its addresses are not known.
    private func monitor(of host: String) -> RouteMonitor? {
      hosts.withLock { hosts in
        switch hosts[host] {
        case .known(let monitor): return monitor
        case .lookingUp: return nil
        case .unknown(let until) where ContinuousClock.now < until: return nil
        case .unknown, nil: break
        }
        let addresses = SourceReachability.addressesWithoutLookup(of: host)
        guard addresses.isEmpty else {
          let monitor = RouteMonitor(targets: addresses)
          hosts[host] = .known(monitor)
          return monitor
        }
        hosts[host] = .lookingUp
        Task { await lookUp(host) }
        return nil
      }
    }

    private func lookUp(_ host: String) async {
      let found: Host
      do {
        let addresses = try await HostLookup.system.addresses(of: host, within: .seconds(5))
        found = .known(RouteMonitor(targets: addresses))
      } catch {
        found = .unknown(until: ContinuousClock.now + Self.pauseAfterLookup)
      }
      hosts.withLock { $0[host] = found }
    }
  }
#endif
