internal import Strategies

/// How long past its lifetime a stored answer may be used, by what its origin, the operator and the request allow:
/// the one rule for what is served, and for what is told of it. `nil` is for never.
struct Graces: Sendable, Hashable {
  /// While it is renewed (RFC 5861 section 3).
  var whileRevalidating: Duration?
  /// In the place of an origin that gives no answer, or is not asked as it is out of reach or left alone (RFC 9111
  /// section 4.2.4).
  var withoutAnswer: Duration?
  /// In the place of one of the errors of `stale-if-error` (RFC 5861 section 4).
  var onServerError: Duration?

  init(of candidate: Candidate, for request: GatewayRequest, _ policy: GatewayPolicy) {
    let terms = candidate.answer.terms
    guard candidate.mark != .invalid, !terms.mustAlwaysValidate, !terms.forbidsStale else { return }
    // A marked copy is known to be out of date: whoever could ask for a better one does.
    if candidate.mark == .none { whileRevalidating = terms.staleWhileRevalidate }
    guard !Self.isRuledOut(request, policy) else { return }
    var stated = [terms.staleIfError]
    var (disconnected, error): (Duration?, Duration?)
    // Without a lifetime it was kept to be validated alone, and may be one user's.
    if terms.hasLifetime {
      stated.append(request.directives.staleIfError)
      disconnected = policy.graceWhenDisconnected
      // Who states how long, or that it may not be, knows better.
      let isStated = stated.contains { $0 != nil }
      // An error that was kept is no better than a new one.
      let isUsual = !isStated && candidate.answer.status < 500
      error =
        policy.graceOnServerError ?? (isUsual ? GatewayPolicy.usualGraceOnServerError : nil)
    }
    withoutAnswer = Self.longest(stated + [disconnected], atMost: policy.greatestStaleness)
    onServerError = Self.longest(stated + [error], atMost: policy.greatestStaleness)
  }

  /// The one for a failure.
  subscript(failure: OriginFailure) -> Duration? {
    switch failure {
    case .noAnswer: withoutAnswer
    case .serverError: onServerError
    }
  }

  /// True for a request that wants what its origin says, or nothing.
  static func isRuledOut(_ request: GatewayRequest, _ policy: GatewayPolicy) -> Bool {
    request.directives.noCache && policy.heedsReload(request)
  }

  private static func longest(_ graces: [Duration?], atMost limit: Duration) -> Duration? {
    guard limit > .zero else { return nil }
    return graces.compactMap(\.self).max().map { min($0, limit) }
  }
}
