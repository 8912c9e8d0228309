internal import FreshHTTP

/// What an operator decides, where the RFCs leave it to a cache.
struct GatewayPolicy: Sendable, Hashable {
  /// Whom copies answer: everybody, or with `--private` one user.
  var audience: FreshnessCalculation.Audience = .everybody
  /// The name in `Via` and `Cache-Status`, a token.
  var name = "freshstore"
  /// The hosts, in lower case, that a reverse proxy is known by: addresses of theirs are its origin's.
  var names: Set<String> = []
  /// What becomes of references to the origin of a reverse proxy itself; `nil` for a forward proxy, where they stay.
  var references: OriginReferences?
  /// The fields that are targeted at this cache, the first that counts first (RFC 9213 section 2.2): none at a
  /// forward proxy, which clients have chosen, and of which no origin knows.
  var targets = ["CDN-Cache-Control", "Surrogate-Control"]
  /// Of answers that state none: they take the place of the guess.
  var lifetimes = AssumedLifetimes()
  var heuristic: HeuristicFreshness = .standard
  /// How long past its lifetime a copy may stand in for an origin that gives no answer (RFC 9111 section
  /// 4.2.4), where it does not forbid that itself.
  var graceWhenDisconnected: Duration = .seconds(DeltaSeconds.greatest)
  /// The same for an origin that answers with an error; `nil` leaves it to `stale-if-error`, and where neither the
  /// answer nor the request has that, it is ``usualGraceOnServerError``.
  var graceOnServerError: Duration?
  /// An origin is given a day to be mended.
  static let usualGraceOnServerError = Duration.seconds(86_400)
  /// How long past its lifetime a copy may stand in at most, whatever the answer or the request would allow; zero for
  /// not at all.
  var greatestStaleness: Duration = .seconds(DeltaSeconds.greatest)
  /// The addresses whose requests cannot ask for anything fresher than the copy (RFC 9111 section 5.2.1: their
  /// directives are advice).
  var ignoredReloads: [AddressPattern] = []
  /// True names the key in `Cache-Status`.
  var revealsKey = false

  /// For a cache of one user, which nothing is targeted at.
  static var personal: GatewayPolicy {
    var policy = GatewayPolicy()
    policy.audience = .oneUser
    policy.targets = []
    return policy
  }

  /// Has copies stand in for so long past their lifetimes, and no longer, whichever way the origin fails.
  mutating func standIn(atMost staleness: Duration) {
    graceWhenDisconnected = staleness
    graceOnServerError = staleness
    greatestStaleness = staleness
  }

  var isShared: Bool { audience == .everybody }

  /// True for what was told to somebody who says who it is, unless it is declared to be for all (`public`): others may
  /// be told something else.
  func isOneUsers(_ request: GatewayRequest, isPublic: Bool) -> Bool {
    isShared && request.isPersonal && !isPublic
  }

  /// True where a request may ask for something fresher than the copy: by `no-cache`, `max-age` or `min-fresh`.
  func heedsReload(_ request: GatewayRequest) -> Bool {
    guard !ignoredReloads.isEmpty, let key = request.key else { return true }
    return !ignoredReloads.contains { $0.fits(key) }
  }
}
