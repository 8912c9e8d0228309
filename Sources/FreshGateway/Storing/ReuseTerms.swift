internal import FreshHTTP
internal import Strategies

/// On what terms a stored answer may be used again, as its fields state them.
struct ReuseTerms: Sendable, Hashable {
  /// How long from its beginning it is fresh (RFC 9111 section 4.2.1); `nil` when nothing states or
  /// suggests it.
  let lifetime: Duration?
  /// The lifetime that the operator has given to the answer, which states none; `nil` where it is another's.
  let assumedLifetime: Duration?
  /// True when the lifetime is a guess (section 4.2.2).
  let isHeuristic: Bool
  /// `no-cache`: never without asking (section 5.2.2.4).
  let mustAlwaysValidate: Bool
  /// It must not be used stale (section 4.2.4): `must-revalidate`, and in a shared cache
  /// `proxy-revalidate` and `s-maxage`. Neither may what an operator gives no lifetime, as it may be one session's: the
  /// graces that it states are for whoever may have a copy.
  let forbidsStale: Bool
  /// RFC 5861; `nil` where it is forbidden.
  let staleWhileRevalidate: Duration?
  let staleIfError: Duration?
  /// RFC 8246.
  let isImmutable: Bool
  let validators: StoredValidators
  /// RFC 9875.
  let groups: [String]

  /// True when it was ever fresh by what its origin, the operator, or its last change, says.
  var hasLifetime: Bool { lifetime.map { $0 > .zero } ?? false }

  /// - Parameter assumed: The lifetime that the operator gives to such answers, if they state none.
  init(
    status: Int, fields: HeaderFields, receivedAt: Timestamp, assumed: Duration?,
    policy: GatewayPolicy
  ) {
    let directives = AnswerDirectives(fields, targets: policy.targets)
    let control = directives.control
    let calculation = FreshnessCalculation(heuristic: policy.heuristic, audience: policy.audience)
    let exchange = HTTPExchange(
      status: status, request: [:], response: fields, responseTime: receivedAt,
      responseDelay: .zero)
    let own: Duration? =
      switch calculation.expiry(of: exchange, control, usesExpires: directives.usesExpires) {
      case .after(let duration): duration
      case .immediately: .zero
      case .never, .unstated: nil
      }
    assumedLifetime = assumed.flatMap {
      // None at all overrides nothing but a guess, or what is none either.
      AssumedLifetimes.mayCount(for: fields, directives, policy)
        || $0 == .zero && (own == .zero || !Self.statesLifetime(fields, directives, policy))
        ? $0 : nil
    }
    // What an operator states takes the place of a guess.
    lifetime = assumedLifetime ?? own
    isHeuristic = assumedLifetime == nil && !Self.statesLifetime(fields, directives, policy)
    mustAlwaysValidate = control.noCache
    forbidsStale =
      control.noCache || control.mustRevalidate || assumedLifetime == .zero
      || (policy.isShared && (control.proxyRevalidate || control.hasSharedMaximumAge))
    staleWhileRevalidate = forbidsStale ? nil : control.staleWhileRevalidate
    staleIfError = forbidsStale ? nil : control.staleIfError
    isImmutable = control.isImmutable
    validators = StoredValidators(fields, receivedAt: receivedAt)
    groups = CacheGroups.read(fields.combined("Cache-Groups"))
  }

  /// True when a field states the lifetime, however it reads (RFC 9111 section 3, the last condition).
  static func statesLifetime(
    _ fields: HeaderFields, _ directives: AnswerDirectives, _ policy: GatewayPolicy
  ) -> Bool {
    directives.control.maximumAge != nil
      || (policy.isShared && directives.control.hasSharedMaximumAge)
      || (directives.usesExpires && fields.first("Expires") != nil)
  }
}

/// What tells one representation from another (RFC 9110 section 8.8).
struct StoredValidators: Sendable, Hashable {
  /// `nil` also for a tag that is not valid, which could not be sent back.
  let entityTag: EntityTag?
  /// As it was sent, to be sent back the same (section 8.8.2.1); `nil` when it is no date.
  let lastModified: String?
  let lastModifiedDate: Timestamp?
  let date: Timestamp?
  let receivedAt: Timestamp

  init(_ fields: HeaderFields, receivedAt: Timestamp) {
    func date(_ name: String) -> Timestamp? {
      let values = fields.values(name)
      // Of several dates none can be relied on.
      guard values.count == 1 else { return nil }
      return HTTPDate.parse(values[0], now: receivedAt)
    }
    let tags = fields.values("ETag")
    entityTag = tags.count == 1 ? EntityTag(tags[0]) : nil
    lastModifiedDate = date("Last-Modified")
    lastModified = lastModifiedDate == nil ? nil : fields.first("Last-Modified")
    self.date = date("Date")
    self.receivedAt = receivedAt
  }

  var isEmpty: Bool { entityTag == nil && lastModified == nil }

  /// Section 8.8.2.2: a date is strong only when the answer was made long enough after it that a second
  /// change would show; a minute, so that two clocks of one origin may differ.
  var isLastModifiedStrong: Bool {
    guard let lastModifiedDate, let date else { return false }
    return date.duration(since: lastModifiedDate) >= .seconds(60)
  }

  var strongTag: EntityTag? { entityTag.flatMap { $0.isWeak ? nil : $0 } }

  /// True when an origin that is asked about the one tells of the other, too: both were sent by the same tag, or date
  /// where one has no tag, as one that a renewal has brought is not known to the other.
  func areAsked(with other: StoredValidators) -> Bool {
    if let entityTag, let tag = other.entityTag { return entityTag == tag }
    return lastModified != nil && lastModified == other.lastModified
  }

  /// True when both are of the same bytes (RFC 9110 section 15.3.7.3).
  func hasSameBytes(as other: StoredValidators) -> Bool {
    if let entityTag, let tag = other.entityTag { return entityTag.stronglyEquals(tag) }
    guard entityTag == nil, other.entityTag == nil else { return false }
    return isLastModifiedStrong && other.isLastModifiedStrong
      && lastModifiedDate == other.lastModifiedDate
  }
}

extension EntityTag {
  /// The tag as it is sent.
  var text: String { "\(isWeak ? "W/" : "")\"\(opaque)\"" }
}
