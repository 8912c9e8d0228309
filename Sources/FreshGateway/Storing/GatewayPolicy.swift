internal import FreshHTTP

/// The decisions of an operator, where the RFCs leave a choice to a cache.
struct GatewayPolicy: Sendable, Hashable {
  /// The users whom copies answer: all, or with `--private` one.
  var audience: FreshnessCalculation.Audience = .everybody
  /// The name in `Via` and `Cache-Status`, a token.
  var name = "freshstore"
  /// The host names of a reverse proxy, in lower case: an address with one of them is its origin's.
  var names: Set<String> = []
  /// The rewriting of references to the origin of a reverse proxy; `nil` for a forward proxy, where they stay.
  var references: OriginReferences?
  /// The fields that are targeted at this cache, in the order in which they count (RFC 9213 section 2.2). A forward
  /// proxy has none: clients have chosen it, and no origin knows of it.
  var targets = ["CDN-Cache-Control", "Surrogate-Control"]
  /// The lifetimes of answers that state none; they override the heuristic.
  var lifetimes = AssumedLifetimes()
  var heuristic: HeuristicFreshness = .standard
  /// How long past its lifetime a copy may be served stale while the origin gives no answer (RFC 9111 section 4.2.4).
  /// The copy may forbid it.
  var graceWhenDisconnected: Duration = .seconds(DeltaSeconds.greatest)
  /// The same for an origin that answers with an error. `nil` leaves it to `stale-if-error` of the answer or the
  /// request, and without that to ``usualGraceOnServerError``.
  var graceOnServerError: Duration?
  /// One day, for the repair of an origin.
  static let usualGraceOnServerError = Duration.seconds(86_400)
  /// The longest time past its lifetime for which a copy may be served stale, whatever the answer or the request
  /// allows. Zero forbids it.
  var greatestStaleness: Duration = .seconds(DeltaSeconds.greatest)
  /// The addresses whose requests cannot demand an answer fresher than the copy (RFC 9111 section 5.2.1: their
  /// directives are advice).
  var ignoredReloads: [AddressPattern] = []
  /// True puts the key into `Cache-Status`.
  var revealsKey = false

  /// The policy of a cache of one user, at which no field is targeted.
  static var personal: GatewayPolicy {
    var policy = GatewayPolicy()
    policy.audience = .oneUser
    policy.targets = []
    return policy
  }

  /// Limits serving stale to this time past the lifetime, for every kind of failure.
  mutating func standIn(atMost staleness: Duration) {
    graceWhenDisconnected = staleness
    graceOnServerError = staleness
    greatestStaleness = staleness
  }

  var isShared: Bool { audience == .everybody }

  /// The fields of an answer as clients get them.
  func forClients(_ fields: HeaderFields) -> HeaderFields {
    var fields = references?.rewritten(fields) ?? fields
    // A client would obey a field that is meant for surrogates (Edge Architecture 1.0).
    if targets.contains("Surrogate-Control") { fields.set("Surrogate-Control", nil) }
    return fields
  }

  /// True for an answer to a request that identifies its user, unless the answer is `public`: other users may get
  /// another one.
  func isOneUsers(_ request: GatewayRequest, isPublic: Bool) -> Bool {
    isShared && request.isPersonal && !isPublic
  }

  /// True where a request may demand an answer fresher than the copy, by `no-cache`, `max-age` or `min-fresh`.
  func heedsReload(_ request: GatewayRequest) -> Bool {
    guard !ignoredReloads.isEmpty, let key = request.key else { return true }
    return !ignoredReloads.contains { $0.fits(key) }
  }
}

/// The lifetimes that an operator gives to answers which state none: such a lifetime is the cache's choice (RFC 9111
/// section 4.2.2).
package struct AssumedLifetimes: Sendable, Hashable {
  /// A lifetime for the addresses that fit a pattern.
  package struct Entry: Sendable, Hashable {
    /// `nil` for all addresses that fit no other pattern.
    let pattern: AddressPattern?
    let lifetime: Duration

    package init(_ pattern: AddressPattern?, _ lifetime: Duration) {
      (self.pattern, self.lifetime) = (pattern, lifetime)
    }
  }

  /// The entries for success and redirection; the first one that fits counts.
  package var found: [Entry] = []
  /// The entries for cacheable errors, such as 404.
  package var absent: [Entry] = []
  /// True at a reverse proxy, which is the origin to its clients (RFC 9110 section 3.7). The operator of a forward
  /// proxy cannot speak for origins.
  var speakForOrigin = true

  /// The lifetime for an answer; `nil` for none.
  ///
  /// A status without a heuristic lifetime (RFC 9110 section 15.1) has one only where the operator of a reverse proxy
  /// names its address.
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

  /// Redirections whose target may change each time: a lifetime for all addresses does not cover them.
  private static let namedOnly: Set = [302, 303, 307]

  /// True where the operator's lifetime may count: the answer states neither a lifetime nor that it must be validated
  /// each time.
  static func mayCount(
    for fields: HeaderFields, _ directives: AnswerDirectives, _ policy: GatewayPolicy
  ) -> Bool {
    let control = directives.control
    return !ReuseTerms.statesLifetime(fields, directives, policy)
      && !control.noStore && !control.noCache && !control.mustRevalidate
      && !(policy.isShared && (control.isWhollyPrivate || control.proxyRevalidate))
      && !forbidsInOldWords(fields) && !isOfEvents(fields)
  }

  /// An event stream never ends, and past events are not for a new listener (WHATWG HTML, "Server-sent events").
  private static func isOfEvents(_ fields: HeaderFields) -> Bool {
    fields.first("Content-Type").map { FieldSyntax.lowercased($0) }?
      .hasPrefix("text/event-stream") ?? false
  }

  /// No RFC defines `Pragma` in answers, but an origin that sends only that does not want them kept.
  private static func forbidsInOldWords(_ fields: HeaderFields) -> Bool {
    guard fields.first("Cache-Control") == nil, let pragma = fields.combined("Pragma") else {
      return false
    }
    return CacheDirective.list(pragma).contains { $0.name == "no-cache" }
  }
}

extension GatewayPolicy {
  /// The lifetime that the operator gives to an answer without one; `nil` leaves it to the heuristic.
  ///
  /// In a shared cache an answer to a request with cookies may be one user's. Its lifetime is zero then, and it must be
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

/// The rules of an operator for the content of answers: content that breaks them replaces no copy.
package struct ContentAdmission: Sendable {
  /// True for an address that has rules.
  let covers: @Sendable (_ address: String) -> Bool
  /// The rule that content breaks, for people; `nil` for content that keeps all. Never called on an event loop.
  let refusal: @Sendable (_ address: String, _ contentType: String?, _ bytes: [UInt8]) -> String?

  package init(
    covers: @escaping @Sendable (_ address: String) -> Bool,
    refusal:
      @escaping @Sendable (_ address: String, _ contentType: String?, _ bytes: [UInt8]) -> String?
  ) {
    (self.covers, self.refusal) = (covers, refusal)
  }

  /// A message in the form that `Cache-Status` allows: short, in ASCII, without quotation marks.
  static func shown(_ words: String) -> String {
    let bytes = words.utf8.map {
      (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C ? $0 : 0x3F
    }
    return String(decoding: bytes.prefix(200), as: UTF8.self)
  }
}
