internal import FreshHTTP

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
