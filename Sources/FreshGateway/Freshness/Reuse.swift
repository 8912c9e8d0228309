internal import FreshHTTP
internal import Strategies

/// Whether a stored answer may be used for a request without validation, and for which reason (RFC 9111 section 4).
enum Reuse: Sendable, Hashable {
  case fresh
  /// The answer is stale, and the request allows that (section 5.2.1.2).
  case staleByRequest
  /// The answer is stale, and allows that while it is renewed (RFC 5861 section 3).
  case staleWhileRevalidating
  /// The origin must validate it.
  case validate(ForwardReason)
  /// The request demands an answer of the origin.
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
      // The renewal would send the fields of this request, of which nothing may be kept with `no-store` (section
      // 5.2.1.5).
      let grace = Graces(of: candidate, for: request, policy).whileRevalidating,
      candidate.staleness <= grace
    {
      self = .staleWhileRevalidating
    } else {
      self = .validate(.stale)
    }
  }

  /// Sections 5.2.1.1, 5.2.1.3 and 5.2.1.4.
  static func wantsFresher(_ directives: RequestDirectives, than candidate: Candidate) -> Bool {
    directives.noCache || isTooOld(candidate, for: directives)
  }

  /// Sections 5.2.1.1 and 5.2.1.3.
  static func isTooOld(_ candidate: Candidate, for directives: RequestDirectives) -> Bool {
    if let least = directives.minimumFreshness, candidate.freshFor < least { return true }
    guard let greatest = directives.maximumAge, candidate.age > greatest else { return false }
    // RFC 8246 section 2: a reload does not ask for immutable content while it is fresh.
    return !(candidate.answer.terms.isImmutable && candidate.isFresh)
  }

  private static func accepts(_ candidate: Candidate, _ directives: RequestDirectives) -> Bool {
    // A marked copy is known to be out of date; no limit on time covers that.
    guard candidate.mark == .none, candidate.answer.terms.hasLifetime else { return false }
    return switch directives.maximumStaleness {
    case nil: false
    case .any?: true
    case .atMost(let staleness)?: candidate.staleness <= staleness
    }
  }

  /// True where the copy may be served stale instead of a failure (RFC 9111 section 4.2.4, RFC 5861 section 4).
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

/// How long past its lifetime a stored answer may be used, by the word of its origin, the operator and the request.
///
/// The same rule decides what is served and what is reported. `nil` means never.
struct Graces: Sendable, Hashable {
  /// While it is renewed (RFC 5861 section 3).
  var whileRevalidating: Duration?
  /// While the origin gives no answer, is unreachable or is backing off (RFC 9111 section 4.2.4).
  var withoutAnswer: Duration?
  /// Instead of one of the errors of `stale-if-error` (RFC 5861 section 4).
  var onServerError: Duration?

  init(of candidate: Candidate, for request: GatewayRequest, _ policy: GatewayPolicy) {
    let terms = candidate.answer.terms
    guard candidate.mark != .invalid, !terms.mustAlwaysValidate, !terms.forbidsStale else { return }
    // A marked copy is known to be out of date: a client that can get a better one waits for it.
    if candidate.mark == .none { whileRevalidating = terms.staleWhileRevalidate }
    guard !Self.isRuledOut(request, policy) else { return }
    var stated = [terms.staleIfError]
    var (disconnected, error): (Duration?, Duration?)
    // Without a lifetime the answer was kept only to be validated, and may be one user's.
    if terms.hasLifetime {
      stated.append(request.directives.staleIfError)
      disconnected = policy.graceWhenDisconnected
      // A grace that the answer or the request states overrides the usual one.
      let isStated = stated.contains { $0 != nil }
      // A stored error is no better than a new one.
      let isUsual = !isStated && candidate.answer.status < 500
      error =
        policy.graceOnServerError ?? (isUsual ? GatewayPolicy.usualGraceOnServerError : nil)
    }
    withoutAnswer = Self.longest(stated + [disconnected], atMost: policy.greatestStaleness)
    onServerError = Self.longest(stated + [error], atMost: policy.greatestStaleness)
  }

  /// The grace for a failure.
  subscript(failure: OriginFailure) -> Duration? {
    switch failure {
    case .noAnswer: withoutAnswer
    case .serverError: onServerError
    }
  }

  /// True for a request that accepts only the word of its origin.
  static func isRuledOut(_ request: GatewayRequest, _ policy: GatewayPolicy) -> Bool {
    request.directives.noCache && policy.heedsReload(request)
  }

  private static func longest(_ graces: [Duration?], atMost limit: Duration) -> Duration? {
    guard limit > .zero else { return nil }
    return graces.compactMap(\.self).max().map { min($0, limit) }
  }
}

/// A failure of an origin.
enum OriginFailure: Sendable, Hashable {
  /// No answer came, or no request was sent: the origin is unreachable, too slow, or backing off.
  case noAnswer
  /// An answer with one of the statuses of RFC 5861 section 4.
  case serverError(Int)
}

/// A stored answer for the key of a request, as it is at this moment.
struct Candidate: Sendable, Hashable {
  /// The latest mark of the answer.
  enum Mark: Sendable, Hashable {
    case none
    /// It is to be fetched again, and may be served stale until then.
    case stale
    /// It must not be used before it is validated (RFC 9111 section 4.4).
    case invalid
  }

  let answer: StoredAnswer
  /// The time since ``StoredAnswer/receivedAt`` (`resident_time`), by a monotonic clock where there is one.
  let residentTime: Duration
  let mark: Mark
  /// The time since the mark.
  let markAge: Duration

  init(
    _ answer: StoredAnswer, residentTime: Duration, mark: Mark = .none, markAge: Duration = .zero
  ) {
    self.answer = answer
    self.residentTime = max(.zero, residentTime)
    self.mark = mark
    self.markAge = markAge
  }

  /// `current_age` of RFC 9111 section 4.2.3.
  var age: Duration { answer.initialAge + residentTime }

  /// The age that clients are told.
  ///
  /// No field tells them of a mark: a cache behind this one would take a marked copy for fresh. So the age of a marked
  /// copy is at least the lifetime that its fields state.
  var statedAge: Duration { mark == .none ? age : max(age, answer.greatestLifetime) }

  /// How long it stays fresh; negative once it is stale. A marked copy is stale since its mark, or earlier.
  var freshFor: Duration {
    let left = (answer.terms.lifetime ?? .zero) - age
    return mark == .none ? left : min(left, .zero - markAge)
  }

  /// RFC 9111 section 4.2: the lifetime is greater than the age.
  var isFresh: Bool { freshFor > .zero && mark == .none }

  var staleness: Duration { max(.zero, .zero - freshFor) }
}
