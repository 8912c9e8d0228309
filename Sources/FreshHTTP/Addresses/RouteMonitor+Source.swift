public import Reachability
public import Strategies

extension ReachabilityProvider where Self == RouteMonitor {
  /// Watches the routes to the host that a request for an http or https address connects to: the
  /// proxy where one is in force for the address, else the address's own.
  ///
  /// Give it the proxies of the ``HTTPConfiguration`` that the fetches use. A name is looked up as
  /// by `RouteMonitor.init(host:)`; this does not wait for it. Throws `badURL` and
  /// `unsupportedScheme`. Each call starts a monitor of its own: make one and pass it around.
  public static func monitor(
    source url: String, proxies: ProxySettings = .none
  ) throws(HTTPFetchError) -> RouteMonitor {
    RouteMonitor(host: try proxies.connectionHost(for: url))
  }
}
