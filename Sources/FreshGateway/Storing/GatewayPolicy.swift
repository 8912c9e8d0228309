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

/// The lifetimes that an operator gives to answers which state none: without one in the answer it is the cache's own
/// choice (RFC 9111 section 4.2.2).
package struct AssumedLifetimes: Sendable, Hashable {
  /// One of them.
  package struct Entry: Sendable, Hashable {
    /// `nil` for all addresses that no pattern fits.
    let pattern: AddressPattern?
    let lifetime: Duration

    package init(_ pattern: AddressPattern?, _ lifetime: Duration) {
      (self.pattern, self.lifetime) = (pattern, lifetime)
    }
  }

  /// Those of 200 and its like; the first whose pattern fits counts.
  package var found: [Entry] = []
  /// Those of the errors that may be kept so, as 404.
  package var absent: [Entry] = []
  /// True at a reverse proxy, which is the origin to its clients (RFC 9110 section 3.7); whoever operates a forward proxy
  /// has no say in what origins mean.
  var speakForOrigin = true

  package init() {}

  /// The one for an answer; `nil` for none, and for every status that no lifetime may be guessed for (RFC 9110 section
  /// 15.1), unless the operator names it for the address in the place of the origin.
  func lifetime(of status: Int, at address: String) -> Duration? {
    let isNamedOnly = Self.namedOnly.contains(status)
    guard isNamedOnly ? speakForOrigin : FreshnessCalculation.isHeuristicallyCacheable(status)
    else { return nil }
    let entries = status < 400 ? found : absent
    if let entry = entries.first(where: { $0.pattern?.fits(address) == true }) {
      return entry.lifetime
    }
    return isNamedOnly ? nil : entries.first { $0.pattern == nil }?.lifetime
  }

  /// Redirections that may lead elsewhere each time: a lifetime for all addresses is not meant for them.
  private static let namedOnly: Set = [302, 303, 307]

  /// The rule: an operator speaks only where the answer itself says neither how long it is fresh, nor that it is to be
  /// asked for each time.
  static func mayCount(
    for fields: HeaderFields, _ directives: AnswerDirectives, _ policy: GatewayPolicy
  ) -> Bool {
    let control = directives.control
    return !ReuseTerms.statesLifetime(fields, directives, policy)
      && !control.noStore && !control.noCache && !control.mustRevalidate
      && !(policy.isShared && (control.isWhollyPrivate || control.proxyRevalidate))
      && !forbidsInOldWords(fields) && !isOfEvents(fields)
  }

  /// Events never end, and those of the past are not for whoever begins to listen (WHATWG HTML, "Server-sent events").
  private static func isOfEvents(_ fields: HeaderFields) -> Bool {
    fields.first("Content-Type").map { FieldSyntax.lowercased($0) }?
      .hasPrefix("text/event-stream") ?? false
  }

  /// No RFC defines `Pragma` in answers, but who sends it alone does not mean that they may be kept.
  private static func forbidsInOldWords(_ fields: HeaderFields) -> Bool {
    guard fields.first("Cache-Control") == nil, let pragma = fields.combined("Pragma") else {
      return false
    }
    return CacheDirective.list(pragma).contains { $0.name == "no-cache" }
  }
}

extension GatewayPolicy {
  /// The lifetime that the operator gives to an answer, if it states none itself; `nil` where that is left to a guess.
  /// What somebody with cookies got may be theirs alone: in a shared cache nothing is given or guessed, and it is to be
  /// validated each time.
  ///
  /// - Parameter isForAll: True where it is known not to be one user's.
  func assumedLifetime(
    of status: Int, for request: GatewayRequest, isForAll: Bool
  ) -> Duration? {
    guard !isOneUsers(request, isPublic: isForAll) else { return .zero }
    return request.key.flatMap { lifetimes.lifetime(of: status, at: $0) }
  }
}

/// The rules of an operator for the content of answers: what breaks them takes the place of no copy.
package struct ContentAdmission: Sendable {
  /// True for an address that has rules.
  package var covers: @Sendable (_ address: String) -> Bool
  /// How content breaks them, for people; `nil` for content that keeps them. Not called by an event loop.
  package var refusal:
    @Sendable (_ address: String, _ contentType: String?, _ bytes: [UInt8]) -> String?

  package init(
    covers: @escaping @Sendable (_ address: String) -> Bool,
    refusal:
      @escaping @Sendable (_ address: String, _ contentType: String?, _ bytes: [UInt8]) -> String?
  ) {
    (self.covers, self.refusal) = (covers, refusal)
  }

  /// Words of others for `Cache-Status`: a few, and nothing that ends them.
  static func shown(_ words: String) -> String {
    let bytes = words.utf8.map {
      (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C ? $0 : 0x3F
    }
    return String(decoding: bytes.prefix(200), as: UTF8.self)
  }
}
