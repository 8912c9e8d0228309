internal import FreshHTTP
internal import Strategies

/// The terms of reuse that the fields of a stored answer state.
struct ReuseTerms: Sendable, Hashable {
  /// The freshness lifetime (RFC 9111 section 4.2.1); `nil` when nothing states or suggests one.
  let lifetime: Duration?
  /// The lifetime from the operator, for an answer that states none; `nil` where the lifetime has another source.
  let assumedLifetime: Duration?
  /// True when the lifetime is heuristic (section 4.2.2).
  let isHeuristic: Bool
  /// `no-cache`: never used without validation (section 5.2.2.4).
  let mustAlwaysValidate: Bool
  /// True where it must not be served stale (section 4.2.4): by `must-revalidate`, and in a shared cache by
  /// `proxy-revalidate` and `s-maxage`. An answer whose lifetime the operator sets to zero may be one session's, and
  /// the graces that it states are not for other clients.
  let forbidsStale: Bool
  /// RFC 5861; `nil` where it is forbidden.
  let staleWhileRevalidate: Duration?
  let staleIfError: Duration?
  /// RFC 8246.
  let isImmutable: Bool
  let validators: StoredValidators
  /// RFC 9875.
  let groups: [String]

  /// True when it has ever been fresh, by its origin, the operator or its last change.
  var hasLifetime: Bool { lifetime.map { $0 > .zero } ?? false }

  /// - Parameter assumed: The operator's lifetime for such answers, if they state none.
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
      // A lifetime of zero overrides only a heuristic lifetime or another zero.
      AssumedLifetimes.mayCount(for: fields, directives, policy)
        || $0 == .zero && (own == .zero || !Self.statesLifetime(fields, directives, policy))
        ? $0 : nil
    }
    // The operator's lifetime overrides a heuristic one.
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

  /// True when a field states the lifetime, even in an invalid form (RFC 9111 section 3, the last condition).
  static func statesLifetime(
    _ fields: HeaderFields, _ directives: AnswerDirectives, _ policy: GatewayPolicy
  ) -> Bool {
    directives.control.maximumAge != nil
      || (policy.isShared && directives.control.hasSharedMaximumAge)
      || (directives.usesExpires && fields.first("Expires") != nil)
  }
}

/// The validators of a stored answer (RFC 9110 section 8.8).
struct StoredValidators: Sendable, Hashable {
  /// `nil` also for an invalid tag, which could not be sent back.
  let entityTag: EntityTag?
  /// As the origin sent it, to be sent back unchanged (section 8.8.2.1); `nil` when it is no date.
  let lastModified: String?
  let lastModifiedDate: Timestamp?
  let date: Timestamp?
  let receivedAt: Timestamp

  init(_ fields: HeaderFields, receivedAt: Timestamp) {
    func date(_ name: String) -> Timestamp? {
      let values = fields.values(name)
      // Of several dates none is reliable.
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

  /// Section 8.8.2.2: a date is strong only when the answer was made so long after it that a second change would show.
  /// A minute allows for two clocks of one origin.
  var isLastModifiedStrong: Bool {
    guard let lastModifiedDate, let date else { return false }
    return date.duration(since: lastModifiedDate) >= .seconds(60)
  }

  var strongTag: EntityTag? { entityTag.flatMap { $0.isWeak ? nil : $0 } }

  /// True when a question about one of them also covers the other: their tags are equal, or their dates where one has
  /// no tag. A renewal may have brought a tag that the other lacks.
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
