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
