package import FreshHTTP
package import FreshStore
package import Strategies

/// The options of a gateway.
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
  /// The address of the listener for operators; `nil` for none.
  package var admin: Endpoint?
  /// Sockets that already listen, for clients and for operators. They replace ``listen`` and ``admin``, and the gateway
  /// closes them.
  package var sockets: [Int32] = []
  package var adminSocket: Int32?
  /// `nil` for plain HTTP.
  package var certificate: Certificate?
  /// The hosts of a reverse proxy, in lower case, for requests that name theirs in full.
  package var names: Set<String> = []
  /// The ports that clients use, beside those of the listener and of the scheme.
  package var ports: Set<Int> = []
  /// True for a reverse proxy that sends the client's `Host` to its origin. The host is then a part of the key.
  package var preservesHost = false
  /// The peers that a reverse proxy trusts to describe their clients (`X-Forwarded-For`, `-Host`, `-Proto`).
  package var trustedPeers: [PeerNetwork] = []
  /// True for a cache of one user.
  package var isPrivate = false
  /// How long a stale copy may be served when the origin gives no answer, or 500, 502, 503 or 504; zero for never.
  /// `nil` sets no limit when there is no answer. For an error, `nil` leaves the limit to `stale-if-error` in the
  /// response or the request, or else to a day.
  package var maximumStaleness: Duration?
  /// The lifetimes of responses that state none.
  package var lifetimes = AssumedLifetimes()
  /// The addresses whose requests cannot ask for a fresher response than a fresh copy (`no-cache`, `max-age`,
  /// `min-fresh`).
  package var ignoredReloads: [AddressPattern] = []
  /// The name in `Via` and `Cache-Status`, a token.
  package var name = "freshstore"
  /// True to name the key in `Cache-Status`.
  package var revealsKey = false
  /// The collection of the copies. It is shared with `freshstore get`, unless the cache is private.
  package var collection: String { isPrivate ? Self.privateCollection : "http" }
  package static let privateCollection = "http-private"
  /// The number of threads that serve clients.
  package var threads = 1
  package var limits = GatewayLimits()
  /// How the gateway connects to origins.
  package var http = HTTPConfiguration()
  /// Whether an origin can be reached.
  package var reachability:
    @Sendable (_ address: HTTPAddress) -> JudgementContext.ReachabilityHandling =
      { _ in .ask }
  /// True for a proxy that lets clients on other machines reach this machine's addresses, and link-local ones.
  package var reachesMachine = false
  /// The tunnels that the proxy makes; `nil` for none.
  package var tunnels: TunnelPolicy?
  /// The rules for content that replaces a copy; `nil` for none.
  package var admission: ContentAdmission?
  /// The operators that may purge copies; `nil` for none.
  package var operatorTokens: OperatorTokens?
  /// Gets an entry for each answered request; `nil` for no log.
  package var log: AccessLog?
  /// Gets a line for operators: about a new failure, a recovery or a loss. It must not block, and any task may call it.
  package var tell: @Sendable (_ line: String) -> Void = { _ in }
  /// Called each time that a sixteenth of ``GatewayLimits/contentOnDisk``, or a mebibyte, was stored. A caller that
  /// limits the store then removes the excess. It must not block, and any task may call it.
  package var makeRoom: @Sendable () -> Void = {}

  package init() {}

  /// The scheme that clients use, when it is a part of the key.
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
    // The keys hold the hosts of clients. References to the origin itself mean the same host.
    if preservesHost { policy.names = [origin.host] }
    return policy
  }
}

/// The limits for clients, origins and responses.
package struct GatewayLimits: Sendable, Hashable {
  /// The limits for a request's header section and body.
  package var head = HeadLimits()
  /// How long a header section may take, from its first byte: 408.
  package var headTime: Duration = .seconds(10)
  /// How long a connection may wait for its next request.
  package var idleTime: Duration = .seconds(60)
  /// How long a client may send nothing of an announced body, or take nothing of its answer.
  package var stallTime: Duration = .seconds(60)
  /// How long an exchange that holds a connection to an origin may wait for its client before it counts as slow. The
  /// slow exchanges of one client may hold only half of the connections to an origin.
  var clientPatience: Duration = .seconds(1)
  /// How long a request may take in all.
  package var totalTime: Duration = .seconds(3600)
  /// The largest number of connections, in all and of one peer: 503.
  package var connections = 10_000
  package var connectionsPerPeer = 5_000
  /// The largest number of open streams on a connection of HTTP/2.
  var streams = 100
  /// How many streams a connection may reset within half a minute before it ends.
  var streamResets = 500
  /// The largest number of connections of operators. One more ends the oldest.
  var adminConnections = 64
  /// How long an origin may take until its header section, once it has the whole request: 504.
  package var originTime: Duration = .seconds(60)
  /// How long a request waits for the header section that another request has asked for. Then it asks once more,
  /// together with all requests that have waited as long.
  var joinTime: Duration = .seconds(5)
  /// How long an origin may send nothing.
  package var originSilence: Duration = .seconds(60)
  /// The number of consecutive failures after which an origin is not asked for a while; 0 for no such limit.
  package var originFailures = 5
  /// The longest time for which a failing origin is not asked, even when its `Retry-After` is longer. The first time is
  /// a second, and each further one is up to twice as long.
  package var originPause: Duration = .seconds(10)
  /// The time before the next attempt when the store has not accepted a mark.
  var storePause: Duration = .seconds(2)
  /// How long nothing may pass through a tunnel.
  var tunnelIdleTime: Duration = .seconds(300)
  /// The largest body that is stored, in bytes. A larger one is passed on each time.
  package var storedContent = 1 << 30
  /// The largest body that is checked by rules, in bytes. It is held in memory until it is complete. A larger one is
  /// passed on unchecked, and not stored.
  var checkedContent = 8 << 20
  /// The bytes of responses that may wait in memory until they are written. A response beyond this is passed on without
  /// being stored.
  var contentInFlight = 128 << 20
  /// The bytes of memory that the gateway may hold for clients: waiting answers, waiting bodies, and the state of
  /// requests. An eighth of it may wait on one connection. Requests may need half
  /// of it, and those of one client a quarter.
  var clientMemory = 256 << 20
  /// The disk space that all responses in flight may take together, in bytes; `nil` for no limit. A response that finds
  /// no room is passed on without being stored.
  package var contentOnDisk: Int?

  /// The files and sockets that a process needs for so many connections. Each may have a connection to an origin. The
  /// store and the log need the rest.
  package var openFiles: Int { connections + adminConnections + 1280 }

  package init() {}
}

/// The tunnels that a proxy makes for clients (`CONNECT`, RFC 9110 section 9.3.6).
package struct TunnelPolicy: Sendable, Hashable {
  /// The ports that tunnels may lead to.
  package var ports: Set<Int>

  package init(ports: Set<Int> = [443]) { self.ports = ports }
}

/// The reason why a gateway does not start to serve.
package enum GatewayError: Error, Sendable, CustomStringConvertible {
  /// An option cannot be used. The text names the remedy.
  case badOption(String)
  /// A file cannot be read. The text names it.
  case file(String)
  /// The configuration for connecting to origins cannot be used.
  case connection(HTTPFetchError)
  case store(StoreError)
  /// The gateway cannot listen on the address.
  case listening(String)

  package var description: String {
    switch self {
    case .badOption(let words), .file(let words): words
    case .connection(let error): "\(error)"
    case .store(let error): "\(error)"
    case .listening(let words): words
    }
  }
}
