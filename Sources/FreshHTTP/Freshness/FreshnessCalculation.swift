package import Strategies

/// The arithmetic of RFC 9111 sections 3 and 4.2.
///
/// Pure: the exchange brings the times. Any field values are safe: nothing traps and nothing overflows.
package struct FreshnessCalculation: Sendable, Hashable {
  /// The users that a copy answers.
  package enum Audience: Sendable, Hashable {
    /// Only the user for whom it was fetched: the copy of a private cache.
    case oneUser
    /// All users: the copy of a shared cache.
    case everybody
  }

  /// The lifetime to assume when a response states none.
  package let heuristic: HeuristicFreshness
  /// The users that copies answer.
  let audience: Audience

  /// Creates a calculation.
  package init(heuristic: HeuristicFreshness = .standard, audience: Audience = .oneUser) {
    self.heuristic = heuristic
    self.audience = audience
  }

  /// The permitted use of an exchange's response, in a store of one user.
  package func freshness(of exchange: HTTPExchange) -> ResponseFreshness {
    let control = CacheControl(exchange.response.combined("Cache-Control"))
    let answersNoOther =
      VarySelection(of: exchange.response, for: exchange.request) == VarySelection.none
    // Such a response may be used only after revalidation (section 5.2.2.4), or answers no second request
    // (section 4.1). It is stale from the start, whatever lifetime it states.
    let alwaysAsk = control.noCache || answersNoOther
    let mustRevalidate = control.mustRevalidate || alwaysAsk
    return ResponseFreshness(
      isStorable: isStorable(exchange),
      lastUpdate: exchange.responseTime.advanced(by: .zero - initialAge(of: exchange)),
      expiry: alwaysAsk ? .immediately : expiry(of: exchange, control),
      mustRevalidate: mustRevalidate,
      // A ban on stale answers overrides a permission (section 4.2.4).
      staleWhileRevalidate: mustRevalidate ? nil : control.staleWhileRevalidate,
      staleIfError: mustRevalidate ? nil : control.staleIfError,
      isImmutable: control.isImmutable)
  }

  /// `corrected_initial_age` of section 4.2.3.
  package func initialAge(of exchange: HTTPExchange) -> Duration {
    // Both times are in whole seconds, the resolution of a date: the fraction of the second of the arrival is
    // no age.
    let arrival = CivilTime(exchange.responseTime).timestamp
    let apparentAge = max(.zero, arrival.duration(since: dates(of: exchange).min() ?? arrival))
    return max(apparentAge, age(of: exchange.response) + exchange.responseDelay)
  }

  /// `age_value`: the first member of a list. An invalid one is ignored (section 5.1).
  private func age(of response: HeaderFields) -> Duration {
    let members = FieldSyntax.listMembers(response.first("Age") ?? "")
    return members.first.flatMap { DeltaSeconds($0) }?.duration ?? .zero
  }

  /// The valid dates. Without one the time of arrival replaces it (RFC 9110 section 6.6.1). Of several the
  /// earliest counts for the age and the latest for the lifetime, which is the stricter reading.
  private func dates(of exchange: HTTPExchange) -> [Timestamp] {
    exchange.response.values("Date").compactMap {
      HTTPDate.parse($0, now: exchange.responseTime)
    }
  }

  /// The expiry by the first rule that applies (section 4.2.1).
  ///
  /// - Parameter usesExpires: False when a field for only this cache replaces `Expires` (RFC 9213 section 2.2).
  package func expiry(
    of exchange: HTTPExchange, _ control: CacheControl, usesExpires: Bool = true
  ) -> Expiry {
    let response = exchange.response
    let date = dates(of: exchange).max() ?? CivilTime(exchange.responseTime).timestamp
    let shared = audience == .everybody ? control.sharedMaximumAge : nil
    switch shared ?? control.maximumAge {
    case .after(let lifetime): return Self.expiry(after: lifetime)
    case .invalid: return .immediately
    case nil: break
    }
    if usesExpires, let text = response.first("Expires") {
      // Of several different values none counts (section 4.2.1).
      guard Set(response.values("Expires")).count == 1 else { return .immediately }
      // An invalid date, usually "0", lies in the past (section 5.3).
      guard let end = HTTPDate.parse(text, now: exchange.responseTime) else { return .immediately }
      return Self.expiry(after: end.duration(since: date))
    }
    guard Self.isHeuristicallyCacheable(exchange.status) || control.isPublic,
      let text = response.first("Last-Modified"),
      let modified = HTTPDate.parse(text, now: exchange.responseTime),
      let lifetime = heuristic.lifetime(unmodifiedFor: date.duration(since: modified))
    else { return .unstated }
    return .after(lifetime)
  }

  private static func expiry(after lifetime: Duration) -> Expiry {
    lifetime > .zero ? .after(lifetime) : .immediately
  }

  /// Section 3. `private` and `Authorization` restrict only shared caches.
  private func isStorable(_ exchange: HTTPExchange) -> Bool {
    Self.understood.contains(exchange.status) && allowsStoring(exchange)
  }

  /// True when neither side forbids to store the response, or the target of the redirect.
  func allowsStoring(_ exchange: HTTPExchange) -> Bool {
    let control = CacheControl(exchange.response.combined("Cache-Control"))
    let request = CacheControl(exchange.request.combined("Cache-Control"))
    let isUnderstood =
      Self.understood.contains(exchange.status) || Self.redirects.contains(exchange.status)
    // Beside `must-understand`, `no-store` is for caches that do not know the status (section 5.2.2.3).
    let forbidsStoring = control.noStore && !(control.mustUnderstand && isUnderstood)
    return !forbidsStoring && !request.noStore
  }

  /// The final statuses that the fetcher understands; 206 is not among them. All of them are heuristically
  /// cacheable, which is the last condition of section 3.
  private static let understood: Set = [200, 203, 204, 404, 410]

  /// The redirects that are followed.
  static let redirects: Set = [301, 302, 303, 307, 308]

  /// RFC 9110 section 15.1.
  package static func isHeuristicallyCacheable(_ status: Int) -> Bool {
    understood.contains(status) || [206, 300, 301, 308, 405, 414, 501].contains(status)
  }
}

/// One GET request and the head of its response, with the times of the calculation in RFC 9111 section 4.2.3.
package struct HTTPExchange: Sendable, Hashable {
  /// The status code of the response.
  package let status: Int
  /// The fields of the request, as it was sent.
  package let request: HeaderFields
  /// The fields of the response.
  package let response: HeaderFields
  /// The time when the head of the response arrived (`response_time`).
  package let responseTime: Timestamp
  /// The time between the request and that arrival (`response_delay`); a negative one counts as zero.
  package let responseDelay: Duration

  /// Creates an exchange.
  package init(
    status: Int, request: HeaderFields, response: HeaderFields, responseTime: Timestamp,
    responseDelay: Duration
  ) {
    self.status = status
    self.request = request
    self.response = response
    self.responseTime = responseTime
    self.responseDelay = max(.zero, responseDelay)
  }
}

/// The permitted use of a response by a private store, and its duration (RFC 9111).
package struct ResponseFreshness: Sendable, Hashable {
  /// True when the response may be kept (section 3).
  package let isStorable: Bool
  /// The moment from which the age counts: `age(now)` is `now - lastUpdate` (section 4.2.3).
  package let lastUpdate: Timestamp
  /// The time for which it is fresh after ``lastUpdate`` (section 4.2.1). It is unstated when the response
  /// states nothing and the heuristic makes no guess.
  package let expiry: Expiry
  /// True when it must never be served stale (sections 5.2.2.2, 5.2.2.4).
  package let mustRevalidate: Bool
  /// The time of `stale-while-revalidate`; `nil` when the source states none or forbids it.
  package let staleWhileRevalidate: Duration?
  /// The time of `stale-if-error`; `nil` when the source states none or forbids it.
  package let staleIfError: Duration?
  /// True when the content does not change while it is fresh, even if a user reloads it (RFC 8246).
  package let isImmutable: Bool
}

/// The assumed lifetime of a response without explicit freshness: a fraction of the time since it was last
/// modified (RFC 9111 section 4.2.2).
///
/// It applies to URLs with a query as to all others, as that section says.
public struct HeuristicFreshness: Sendable, Hashable {
  /// The share of the interval between `Last-Modified` and `Date`.
  public let fraction: Double
  /// The longest lifetime that is guessed.
  public let limit: Duration

  /// A tenth, which the RFC calls typical, and at most 24 hours: a document that was last changed ten years
  /// ago would otherwise be fresh for one year.
  public static let standard = HeuristicFreshness(fraction: 0.1, limit: .seconds(86400))
  /// No guess: the expiry of a response without explicit freshness stays unstated.
  public static let off = HeuristicFreshness(fraction: 0, limit: .zero)

  /// Creates a heuristic; a fraction outside 0 to 1 is clamped.
  public init(fraction: Double, limit: Duration) {
    self.fraction = fraction.isNaN ? 0 : min(1, max(0, fraction))
    self.limit = limit
  }

  /// The lifetime of a response that was made so long after its last modification; `nil` for no guess.
  package func lifetime(unmodifiedFor interval: Duration) -> Duration? {
    let lifetime = min(limit, interval * fraction)
    return lifetime > .zero ? lifetime : nil
  }
}
