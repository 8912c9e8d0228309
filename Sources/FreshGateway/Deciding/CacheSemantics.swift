internal import FreshHTTP
internal import Strategies

/// All decisions of an HTTP cache (RFC 9111), as functions of fields and times.
///
/// Nothing here reads a clock, a file or a network. Any field values are safe to pass.
struct CacheSemantics: Sendable {
  let policy: GatewayPolicy
  let answering: Answering

  /// - Parameter boundary: Makes the boundary of a multipart answer; it must be unpredictable.
  init(_ policy: GatewayPolicy, boundary: @escaping @Sendable () -> String = Self.randomBoundary) {
    self.policy = policy
    answering = Answering(policy: policy, boundary: boundary)
  }

  /// Decides what to do with a request.
  ///
  /// - Parameter candidates: All stored answers of the key (``GatewayRequest/key``), in any order.
  func decide(_ request: GatewayRequest, among candidates: [Candidate]) -> GatewayDecision {
    if SentOnFields.isLoop(request, by: policy.name) {
      let words = "the request has been here before; give gateways in a row each its own --name"
      return .refuse(own(508, words, for: request))
    }
    if SentOnFields.forwardsLeft(request) == 0 {
      // The answer repeats nothing of the request: an intermediary may have added fields that its client must not see.
      let code = request.method == "OPTIONS" ? 200 : 501
      return .refuse(own(code, "this gateway is the last to be asked", for: request))
    }
    guard request.mayBeAnsweredFromCopy else {
      let isOtherMethod = request.method != "GET" && request.method != "HEAD"
      return forward(.passing(request, isOtherMethod ? .method : .bypass))
    }
    guard let chosen = VariantChoice.index(among: candidates, for: request) else {
      return forward(.asking(request, missReason(request, candidates), candidates, chosen: nil))
    }
    let candidate = candidates[chosen]
    let reuse = Reuse(of: candidate, for: request, policy)
    switch reuse {
    case .validate(let reason):
      return forward(.asking(request, reason, candidates, chosen: chosen))
    case .fresh, .staleByRequest, .staleWhileRevalidating:
      guard let plan = answering.plan(candidate, for: request, hit(candidate, request, reuse))
      else {
        return forward(.passing(request, .request, candidates, chosen: chosen))
      }
      guard reuse == .staleWhileRevalidating else { return .answer(plan, from: chosen) }
      let general = request.general
      let index = candidate.answer.content.isWhole ? chosen : nil
      return .answerAndRevalidate(
        plan, from: chosen, .asking(general, .stale, candidates, chosen: index))
    }
  }

  /// The plan for a request that was about to be forwarded, with the answers that are stored by now.
  ///
  /// It is `nil` where one of them answers the request, or nothing is to be forwarded. The plan keeps the client's own
  /// request. A renewal in the background is a GET of the whole: its answer would not suit a HEAD or a range request.
  func plannedAnew(_ request: GatewayRequest, among candidates: [Candidate]) -> ForwardPlan? {
    switch decide(request, among: candidates) {
    case .forward(let plan): plan
    case .answerAndRevalidate(_, from: let index, _):
      .asking(request, .stale, candidates, chosen: index)
    case .answer, .refuse: nil
    }
  }

  /// The plan with the answers that are stored by now; `nil` where none of them may answer.
  func replanned(_ plan: ForwardPlan, among candidates: [Candidate]) -> ForwardPlan? {
    guard plan.request.mayBeAnsweredFromCopy else { return nil }
    switch decide(plan.request, among: candidates) {
    case .forward(let plan): return plan
    case .answer(_, from: let index), .answerAndRevalidate(_, from: let index, _):
      return .passing(plan.request, plan.reason, candidates, chosen: index)
    case .refuse: return nil
    }
  }

  /// RFC 9111 section 5.2.1.7: `only-if-cached` is never forwarded.
  private func forward(_ plan: ForwardPlan) -> GatewayDecision {
    guard plan.request.directives.onlyIfCached else { return .forward(plan) }
    return .refuse(own(504, "nothing that is stored answers this request", for: plan.request))
  }

  private func missReason(_ request: GatewayRequest, _ candidates: [Candidate]) -> ForwardReason {
    if candidates.isEmpty { return .uriMiss }
    return candidates.contains { request.selects($0.answer.selection) }
      ? (candidates.contains { !$0.answer.content.isWhole } ? .partial : .varyMiss) : .varyMiss
  }

  private func hit(_ candidate: Candidate, _ request: GatewayRequest, _ reuse: Reuse) -> CacheStatus
  {
    var status = status(for: request)
    status.isHit = true
    status.timeToLive = candidate.freshFor
    switch reuse {
    case .staleByRequest: status.detail = "max-stale"
    case .staleWhileRevalidating: status.detail = "stale-while-revalidate"
    case .fresh, .validate: break
    }
    return status
  }

  func status(for request: GatewayRequest) -> CacheStatus {
    var status = CacheStatus(policy.name)
    status.key = policy.revealsKey ? request.key : nil
    return status
  }

  /// An answer of the gateway itself.
  func own(_ code: Int, _ reason: String, for request: GatewayRequest?) -> AnswerPlan {
    var status = CacheStatus(policy.name)
    status.detail = reason
    var fields: HeaderFields = [
      "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store",
      "Content-Length": "\(reason.utf8.count + 1)",
    ]
    status.append(to: &fields)
    return AnswerPlan(
      status: code, fields: fields,
      content: request?.method == "HEAD" ? .none : .text("\(reason)\n"))
  }

  static func randomBoundary() -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)
    return String(
      decoding: (0..<24).map { _ in letters[Int.random(in: 0..<letters.count)] }, as: UTF8.self)
  }
}

/// One answer of an origin for several requests (RFC 9111 section 4).
///
/// An answer that the origin gives after a request has arrived is an answer to that request, too. It meets `no-cache`,
/// `max-age` and `min-fresh` of the request. It is also the validation that `no-cache`, `must-revalidate` and an
/// expired lifetime demand. An answer of a cache behind the gateway meets only the directives of the request that
/// brought it (``asksPast(_:_:stored:of:residentTime:)``).
extension CacheSemantics {
  /// The answer to a request that waits for another request's answer (``ForwardPlan/mayBeShared``), once its header
  /// section is here. It is `nil` when the answer may not be shared with it.
  ///
  /// - Parameters:
  ///   - stored: The answer as it will be kept (``Conclusion/storing``); its content may still be in flight.
  ///   - residentTime: The time since its header section arrived.
  ///   - plan: The request as it was sent to the origin.
  ///   - isAwaited: True where the answer came after the request. An earlier answer serves the request only as a copy
  ///     would: while it is fresh enough.
  func shared(
    _ stored: StoredAnswer, residentTime: Duration = .zero, of plan: ForwardPlan,
    with request: GatewayRequest, isAwaited: Bool
  ) -> AnswerPlan? {
    guard request.mayBeAnsweredFromCopy, request.ranges == nil, stored.status != 206,
      request.selects(stored.selection)
    else { return nil }
    let candidate = Candidate(stored, residentTime: residentTime)
    guard
      isAwaited
        ? isForAnybody(stored) || request.isAsked(like: plan.request)
        : isReusable(candidate, for: request)
    else { return nil }
    return collapsed(candidate, plan, for: request)
  }

  /// True for a request that another request's answer cannot serve, although its header section is here. An answer of
  /// another variant says nothing of that.
  ///
  /// RFC 9111 sections 4.2.4, 5.2.1.1, 5.2.1.3, 5.2.1.4, 5.2.2.4.
  ///
  /// - Parameters:
  ///   - stored: The answer as it will be kept.
  ///   - residentTime: The time since its header section arrived.
  func needsNewer(
    _ request: GatewayRequest, than stored: StoredAnswer, residentTime: Duration
  ) -> Bool {
    request.selects(stored.selection)
      && !isReusable(Candidate(stored, residentTime: residentTime), for: request)
  }

  /// True for a request that demands a fresher answer than a cache behind the gateway has given to another request,
  /// which did not demand that. It is forwarded itself (RFC 9111 sections 5.2.1.1, 5.2.1.3, 5.2.1.4).
  ///
  /// - Parameters:
  ///   - answer: The answer as it arrived.
  ///   - stored: The same answer as it will be kept, or the copy that it has confirmed.
  ///   - plan: The request as it was sent to the origin.
  ///   - residentTime: The time since its header section arrived.
  func asksPast(
    _ request: GatewayRequest, _ answer: OriginAnswer, stored: StoredAnswer, of plan: ForwardPlan,
    residentTime: Duration = .zero
  ) -> Bool {
    let asked = plan.request.directives
    guard answer.isFromCache, !asked.noCache, asked != request.directives,
      request.selects(stored.selection)
    else { return false }
    return wantsFresher(request, than: Candidate(stored, residentTime: residentTime))
  }

  /// The answer from the copy that a request selects now. It is `nil` unless the copy is for anybody, and the origin
  /// has sent or confirmed it since the request was made.
  ///
  /// - Parameter time: The time since the request was made.
  func validated(_ plan: ForwardPlan, within time: Duration) -> Conclusion? {
    guard plan.request.mayBeAnsweredFromCopy, let chosen = plan.chosen else { return nil }
    let candidate = plan.candidates[chosen]
    // `Age` counts whole seconds: an answer without a whole second came from the origin itself.
    guard candidate.mark == .none, candidate.residentTime <= time, isForAnybody(candidate.answer),
      candidate.answer.initialAge < .seconds(1) || !wantsFresher(plan.request, than: candidate),
      let answer = collapsed(candidate, plan, for: plan.request, isArriving: false)
    else { return nil }
    return Conclusion(reply: .copy(answer, from: chosen))
  }

  /// False for an answer that must always be validated, to a request that identifies its user. Other users with such
  /// requests may get other answers.
  func isForOthers(_ stored: StoredAnswer, besides request: GatewayRequest) -> Bool {
    isForAnybody(stored) || !request.isPersonal
  }

  /// An answer for the requests that have waited for it, which is of no use to later ones.
  ///
  /// The origin must state that the answer is to be validated each time: an answer without any directive may be for one
  /// client by accident. It must also state a length that memory holds. Of an endless body, such as events, a slow
  /// client would lose the rest, as nothing keeps it.
  func momentary(_ answer: OriginAnswer, to request: GatewayRequest) -> StoredAnswer? {
    let directives = AnswerDirectives(answer.fields, targets: policy.targets)
    guard let length = answer.statedLength, length <= Self.longestMomentary,
      directives.control.noCache || ReuseTerms.statesLifetime(answer.fields, directives, policy)
    else { return nil }
    do throws(StoringRefusal) {
      let storable = try Storing(policy: policy).storable(answer, for: request)
      return isForOthers(storable, besides: request) ? storable : nil
    } catch {
      return nil
    }
  }

  private static let longestMomentary: Int64 = 256 << 10

  /// True for an answer that a copy could give to any request, at least at first, or that its origin declares `public`.
  /// Any other answer may be for one client or one session, and its origin counts on a request each time.
  func isForAnybody(_ stored: StoredAnswer) -> Bool {
    guard !isGoodAtFirst(stored) else { return true }
    return AnswerDirectives(stored.fields, targets: policy.targets).control.isPublic
  }

  private func isGoodAtFirst(_ stored: StoredAnswer) -> Bool {
    !stored.terms.mustAlwaysValidate && Candidate(stored, residentTime: .zero).isFresh
  }

  private func isReusable(_ candidate: Candidate, for request: GatewayRequest) -> Bool {
    guard candidate.isFresh, !candidate.answer.terms.mustAlwaysValidate else { return false }
    return !wantsFresher(request, than: candidate)
  }

  private func wantsFresher(_ request: GatewayRequest, than candidate: Candidate) -> Bool {
    Reuse.wantsFresher(request.directives, than: candidate) && policy.heedsReload(request)
  }

  private func collapsed(
    _ candidate: Candidate, _ plan: ForwardPlan, for request: GatewayRequest,
    isArriving: Bool = true
  ) -> AnswerPlan? {
    var status = CacheStatus(policy.name)
    status.forward = plan.reason
    status.isCollapsed = true
    status.timeToLive = candidate.freshFor
    return answering.plan(candidate, for: request, status, isArriving: isArriving)
  }
}
