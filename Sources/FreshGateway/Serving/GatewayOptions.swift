package import FreshHTTP
package import Strategies

/// How a gateway serves.
package struct GatewayOptions: Sendable {
  /// An address to listen on.
  package struct Endpoint: Sendable, Hashable {
    package var host: String
    package var port: Int

    package init(host: String, port: Int) { (self.host, self.port) = (host, port) }
  }

  /// A server certificate with its issuers, and its key, as files in PEM form.
  package struct Certificate: Sendable, Hashable {
    package var chain: String
    package var key: String

    package init(chain: String, key: String) { (self.chain, self.key) = (chain, key) }
  }

  /// The address of the one origin of a reverse proxy; `nil` for a forward proxy.
  package var origin: String?
  package var listen = Endpoint(host: "127.0.0.1", port: 0)
  /// Where the figures are; `nil` for nowhere.
  package var admin: Endpoint?
  /// Sockets that listen already, for clients and for operators: they are used in the place of ``listen`` and
  /// ``admin``, and are the gateway's to close.
  package var sockets: [Int32] = []
  package var adminSocket: Int32?
  /// `nil` for plain HTTP.
  package var certificate: Certificate?
  /// The hosts, in lower case, that a reverse proxy is known by, for requests that name theirs in full.
  package var names: Set<String> = []
  /// The ports that clients know it by, beside that of the listener and that of the scheme.
  package var ports: Set<Int> = []
  /// True for a reverse proxy that sends the client's `Host` to its origin; it is a part of the key then.
  package var preservesHost = false
  /// The peers that a reverse proxy believes what they say of their clients (`X-Forwarded-For`, `-Host`, `-Proto`).
  package var trustedPeers: [PeerNetwork] = []
  /// True for a cache of one user.
  package var isPrivate = false
  /// How long past its freshness a copy may stand in for an origin that gives no answer, or 500, 502, 503 or 504; zero
  /// for not at all. `nil` sets no limit to the former, and leaves the latter to what the answer, or the request, says
  /// (`stale-if-error`), else to a day.
  package var maximumStaleness: Duration?
  /// How long answers are fresh that state nothing of it.
  package var lifetimes = AssumedLifetimes()
  /// The addresses whose requests cannot ask for anything fresher than a fresh copy (`no-cache`, `max-age`, `min-fresh`).
  package var ignoredReloads: [AddressPattern] = []
  /// The name in `Via` and `Cache-Status`, a token.
  package var name = "freshstore"
  /// True names the key in `Cache-Status`.
  package var revealsKey = false
  /// The collection of its copies: that of `freshstore get`, but for those of one user, which nobody else may
  /// come upon.
  package var collection: String { isPrivate ? Self.privateCollection : "http" }
  package static let privateCollection = "http-private"
  /// The threads that serve clients.
  package var threads = 1
  package var limits = GatewayLimits()
  /// How origins are connected to.
  package var http = HTTPConfiguration()
  /// What is known of the way to an origin.
  package var reachability:
    @Sendable (_ address: HTTPAddress) -> JudgementContext.ReachabilityHandling =
      { _ in .ask }
  /// True for a proxy that leads also those who are not on this machine to addresses of this machine, and of the wire
  /// that it is on.
  package var reachesMachine = false
  /// The tunnels that are made; `nil` for none.
  package var tunnels: TunnelPolicy?
  /// What content must keep to take the place of a copy; `nil` for nothing.
  package var admission: ContentAdmission?
  /// Who may purge copies; `nil` for nobody.
  package var operatorTokens: OperatorTokens?
  /// Takes the line of each request that was answered; `nil` for no log.
  package var log: AccessLog?
  /// Takes a line for operators: what begins to fail, what works again, and what is lost. Nobody waits for it; may be
  /// called from any task.
  package var tell: @Sendable (_ line: String) -> Void = { _ in }
  /// Is called once a sixteenth of what answers may take on the disk (``GatewayLimits/contentOnDisk``), or a mebibyte,
  /// was stored since it last was: whoever limits the store removes what is too much then. Nobody waits for it; may be
  /// called from any task.
  package var makeRoom: @Sendable () -> Void = {}

  package init() {}

  /// The scheme by which clients reach it, where that is a part of the key.
  var preservedScheme: HTTPAddress.Scheme? {
    guard preservesHost else { return nil }
    return certificate == nil ? .http : .https
  }

  func policy(at site: Site) -> GatewayPolicy {
    var policy = isPrivate ? GatewayPolicy.personal : GatewayPolicy()
    policy.name = name
    policy.revealsKey = revealsKey
    policy.lifetimes = lifetimes
    policy.ignoredReloads = ignoredReloads
    policy.names = names
    if let maximumStaleness { policy.standIn(atMost: maximumStaleness) }
    guard case .origin(let origin) = site else {
      policy.targets = []
      policy.lifetimes.speakForOrigin = false
      return policy
    }
    policy.references = OriginReferences(to: origin)
    // The keys have the hosts of clients; what names the origin itself is of the same host.
    if preservesHost { policy.names = [origin.host] }
    return policy
  }
}
