internal import FreshHTTP
internal import Strategies

/// All that an HTTP cache decides (RFC 9111), as functions of fields and times: nothing here reads a
/// clock, a file or a network, and any field values are safe to hand in.
struct CacheSemantics: Sendable {
  let policy: GatewayPolicy
  let answering: Answering

  /// - Parameter boundary: Makes the boundary of an answer with several ranges; not to be guessed.
  init(_ policy: GatewayPolicy, boundary: @escaping @Sendable () -> String = Self.randomBoundary) {
    self.policy = policy
    answering = Answering(policy: policy, boundary: boundary)
  }

  /// Decides what becomes of a request.
  ///
  /// - Parameter candidates: All stored answers of its key (``GatewayRequest/key``), in any order.
  func decide(_ request: GatewayRequest, among candidates: [Candidate]) -> GatewayDecision {
    if SentOnFields.isLoop(request, by: policy.name) {
      let words = "the request has been here before; give gateways in a row each its own --name"
      return .refuse(own(508, words, for: request))
    }
    if SentOnFields.forwardsLeft(request) == 0 {
      // Nothing of a request is sent back, which could be what only an intermediary has added.
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

  /// How the origin is asked for a request that was to be sent already, among the stored answers that are there by now;
  /// `nil` where one of them answers it without the origin, or nothing is to be asked.
  ///
  /// The request stays what its client has sent: the one that renews a copy behind an answer is a GET of all of it, and
  /// the answer to that is none to a HEAD, or to a request for a part.
  func plannedAnew(_ request: GatewayRequest, among candidates: [Candidate]) -> ForwardPlan? {
    switch decide(request, among: candidates) {
    case .forward(let plan): plan
    case .answerAndRevalidate(_, from: let index, _):
      .asking(request, .stale, candidates, chosen: index)
    case .answer, .refuse: nil
    }
  }

  /// A plan with other stored answers of its key, which came meanwhile; `nil` where none of them may answer.
  func replanned(_ plan: ForwardPlan, among candidates: [Candidate]) -> ForwardPlan? {
    guard plan.request.mayBeAnsweredFromCopy else { return nil }
    switch decide(plan.request, among: candidates) {
    case .forward(let plan): return plan
    case .answer(_, from: let index), .answerAndRevalidate(_, from: let index, _):
      return .passing(plan.request, plan.reason, candidates, chosen: index)
    case .refuse: return nil
    }
  }

  /// RFC 9111 section 5.2.1.7.
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
    var status = CacheStatus(policy.name)
    status.isHit = true
    status.timeToLive = candidate.freshFor
    status.key = policy.revealsKey ? request.key : nil
    switch reuse {
    case .staleByRequest: status.detail = "max-stale"
    case .staleWhileRevalidating: status.detail = "stale-while-revalidate"
    case .fresh, .validate: break
    }
    return status
  }

  /// An answer of the gateway's own.
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
