package import FreshHTTP
package import FreshStore
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

/// What a client, an origin and an answer may take of a gateway.
package struct GatewayLimits: Sendable, Hashable {
  /// The request's head and content.
  package var head = HeadLimits()
  /// How long a head may take, from its first byte: 408.
  package var headTime: Duration = .seconds(10)
  /// How long a connection may wait for its next request.
  package var idleTime: Duration = .seconds(60)
  /// How long a client may send none of the content that it has announced, or take nothing of its answer.
  package var stallTime: Duration = .seconds(60)
  /// How long an exchange that holds a connection to an origin may wait for its client until that counts as slow: of one
  /// client at one origin only half as many as there are connections may.
  var clientPatience: Duration = .seconds(1)
  /// How long a request may take in all.
  package var totalTime: Duration = .seconds(3600)
  /// The most connections, and the most of one peer: 503.
  package var connections = 10_000
  package var connectionsPerPeer = 5_000
  /// The most streams that a connection of HTTP/2 may have open at once.
  var streams = 100
  /// How often it may reset streams within half a minute; beyond it the connection ends.
  var streamResets = 500
  /// The most connections of operators; one too many is closed.
  var adminConnections = 64
  /// How long an origin may take to its head, once it has all of the request: 504.
  package var originTime: Duration = .seconds(60)
  /// How long a request waits for the head of an answer that somebody else has asked for; then it asks once more, together
  /// with all who have waited as long.
  var joinTime: Duration = .seconds(5)
  /// How long an origin may send nothing.
  package var originSilence: Duration = .seconds(60)
  /// After how many failures in a row an origin is left alone for a while; 0 for never.
  package var originFailures = 5
  /// The longest time for which it is left alone, whatever its answers name (`Retry-After`); the first is a second, and
  /// each further one up to twice as long.
  package var originPause: Duration = .seconds(10)
  /// How long a store that has not taken a mark is left alone before the next attempt.
  var storePause: Duration = .seconds(2)
  /// How long nothing may pass through a tunnel.
  var tunnelIdleTime: Duration = .seconds(300)
  /// The largest content that is stored, in bytes; what is larger is passed on, each time anew.
  package var storedContent = 1 << 30
  /// The largest that is checked by rules, for which it is held in memory until it is whole; what is larger is passed on
  /// unchecked, and not stored.
  var checkedContent = 8 << 20
  /// The bytes of answers that may wait in memory at once until they are written; what is beyond is passed on without
  /// being stored.
  var contentInFlight = 128 << 20
  /// The bytes in memory that clients may have the gateway hold at once: answers that they do not take, content that their
  /// origins do not, and what each request needs beside. What waits on one connection may be an eighth of it, what
  /// requests need half of it, and those of one client a quarter.
  var clientMemory = 256 << 20
  /// The bytes on the disk that all answers on their way may take together; `nil` for no limit. What finds no room
  /// is passed on without being stored.
  package var contentOnDisk: Int?

  /// The files and sockets that a process opens with so many connections: each may have one to an origin, and the
  /// store and the log have theirs.
  package var openFiles: Int { connections + adminConnections + 1280 }

  /// The defaults.
  package init() {}
}

/// Which tunnels a proxy makes for clients (`CONNECT`, RFC 9110 section 9.3.6).
package struct TunnelPolicy: Sendable, Hashable {
  /// The ports that they may lead to.
  package var ports: Set<Int>

  package init(ports: Set<Int> = [443]) { self.ports = ports }
}

/// Why a gateway does not begin to serve.
package enum GatewayError: Error, Sendable, CustomStringConvertible {
  /// An option cannot be used; the text names the remedy.
  case badOption(String)
  /// A file cannot be read; the text names it.
  case file(String)
  /// The configuration of the way to origins cannot be used.
  case connection(HTTPFetchError)
  case store(StoreError)
  /// The address cannot be listened on.
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
