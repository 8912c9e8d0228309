#if CommandLine
  internal import Reachability
  internal import FreshHTTP
  internal import FreshStore
  internal import Strategies

  /// The policies of records, by the URL of their source.
  ///
  /// While the Internet at large may be in reach, a source is asked without a check. Only an address that is provably
  /// out of reach is not asked.
  ///
  /// While the Internet is out of reach, a host on the local network may be in reach, so that its own addresses are
  /// checked. A name counts as online until it was looked up.
  final class SourcePolicies: Sendable {
    private let sources: OriginSources
    private let override: JudgementContext.ReachabilityHandling?
    private let hosts = LocalHosts()
    private let routes = KnownRoutes()

    /// The most origins whose hosts are looked up by a run that ends when all is done.
    static let mostOrigins = 1000
    /// How long such a run waits for names.
    private static let lookupLimit = Duration.seconds(1)

    /// The origin of a source; `nil` for a text that only looks like a URL.
    static let origin: OriginOfRecord = { _, source in
      guard let source, URLText.isURL(source) else { return nil }
      // A text that only looks like a URL is no mistake of the caller.
      return try? URLText(source).origin.name
    }

    init(_ sources: OriginSources) throws(CommandFailure) {
      self.sources = sources
      override = try ReachabilityOverride.ofEnvironment()
        .flatMap { $0.handling(by: ReachabilityOverride.variable) }
    }

    /// The policy for a source; `nil` when it is no URL.
    func policy(of source: String?) -> Policy? {
      guard let source, URLText.isURL(source), let url = try? URLText(source) else {
        // A text that only looks like a URL has no policy either.
        return nil
      }
      var policy = Policy()
      policy.reachability = override ?? reachability(ofHost: connectionHost(of: url.text))
      policy.origin = sources.template.failing(with: url.origin)
      // The source enforces the limit itself and reports it better; this limit is for the worst case.
      policy.hardTimeout = sources.template.timeout + .seconds(1)
      policy.acceptsVariant = { [sources] in
        sources.selects(variant: $0, at: url.text)
      }
      return policy
    }

    /// Looks up the hosts of sources, while only their own addresses decide whether they are in reach. A run that
    /// ends when all is done asks about each of them once.
    func lookUp(_ sources: () async throws -> [String]) async throws {
      guard override == nil, !isOverSocket,
        RouteMonitor.shared.reachability().isProvablyOffline
      else { return }
      await hosts.lookUp(
        Set(try await sources().compactMap(connectionHost)), within: Self.lookupLimit)
    }

    /// True when sources need no network.
    private var isOverSocket: Bool { sources.template.socketPath != nil }

    /// The reachability of an address.
    func reachability(of address: HTTPAddress) -> JudgementContext.ReachabilityHandling {
      override ?? reachability(ofHost: sources.template.proxies.connectionHost(for: address))
    }

    private func reachability(ofHost host: String?) -> JudgementContext.ReachabilityHandling {
      guard !isOverSocket else { return .assume(.online) }
      guard let host else { return .ask }
      guard RouteMonitor.shared.reachability().isProvablyOffline else {
        hosts.forget()
        return routes.handling(of: host)
      }
      return hosts.handling(of: host)
    }

    private func connectionHost(of source: String) -> String? {
      do throws(HTTPFetchError) {
        return try self.sources.template.proxies.connectionHost(for: source)
      } catch {
        // A text that is no address has no host either.
        return nil
      }
    }
  }
#endif
