internal import Strategies

/// May a stored answer be used for a request without asking, and on what ground (RFC 9111 section 4)?
enum Reuse: Sendable, Hashable {
  case fresh
  /// It is stale, and the request allows that (section 5.2.1.2).
  case staleByRequest
  /// It is stale, and allows that while it is renewed (RFC 5861 section 3).
  case staleWhileRevalidating
  /// The origin has to be asked.
  case validate(ForwardReason)
  /// The request wants to hear what the origin says.
  static let byRequest = Reuse.validate(.request)

  init(of candidate: Candidate, for request: GatewayRequest, _ policy: GatewayPolicy) {
    let terms = candidate.answer.terms
    guard candidate.mark != .invalid, !terms.mustAlwaysValidate else {
      self = .validate(.stale)
      return
    }
    if Self.wantsFresher(request.directives, than: candidate) && policy.heedsReload(request) {
      self = .byRequest
    } else if candidate.isFresh {
      self = .fresh
    } else if terms.forbidsStale {
      self = .validate(.stale)
    } else if Self.accepts(candidate, request.directives) {
      self = .staleByRequest
    } else if !request.directives.noStore,
      // It is renewed by the fields of this request, of which nothing is kept then (section 5.2.1.5).
      let grace = Graces(of: candidate, for: request, policy).whileRevalidating,
      candidate.staleness <= grace
    {
      self = .staleWhileRevalidating
    } else {
      self = .validate(.stale)
    }
  }

  /// Section 5.2.1.4 as well.
  static func wantsFresher(_ directives: RequestDirectives, than candidate: Candidate) -> Bool {
    directives.noCache || isTooOld(candidate, for: directives)
  }

  /// Sections 5.2.1.1 and 5.2.1.3.
  static func isTooOld(_ candidate: Candidate, for directives: RequestDirectives) -> Bool {
    if let least = directives.minimumFreshness, candidate.freshFor < least { return true }
    guard let greatest = directives.maximumAge, candidate.age > greatest else { return false }
    // RFC 8246 section 2: reloading a page is no reason to ask for what does not change while fresh.
    return !(candidate.answer.terms.isImmutable && candidate.isFresh)
  }

  private static func accepts(_ candidate: Candidate, _ directives: RequestDirectives) -> Bool {
    // A marked copy is known to be out of date, which no time measures.
    guard candidate.mark == .none, candidate.answer.terms.hasLifetime else { return false }
    return switch directives.maximumStaleness {
    case nil: false
    case .any?: true
    case .atMost(let staleness)?: candidate.staleness <= staleness
    }
  }
}

extension Reuse {
  /// May it stand in for an origin that gives no answer, or one of the errors of `stale-if-error` (RFC
  /// 9111 section 4.2.4, RFC 5861 section 4)?
  static func standsIn(
    _ candidate: Candidate, for request: GatewayRequest, failure: OriginFailure,
    _ policy: GatewayPolicy
  ) -> Bool {
    let terms = candidate.answer.terms
    guard candidate.mark != .invalid, !terms.mustAlwaysValidate,
      !Graces.isRuledOut(request, policy)
    else { return false }
    if candidate.isFresh { return true }
    return Graces(of: candidate, for: request, policy)[failure].map { candidate.staleness <= $0 }
      ?? false
  }
}
