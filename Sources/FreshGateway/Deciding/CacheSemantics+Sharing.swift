internal import FreshHTTP
internal import Strategies

/// One answer of an origin for several requests (RFC 9111 section 4).
///
/// One rule: what the origin says after a request has come is an answer to that request, too. It meets `no-cache`,
/// `max-age` and `min-fresh` of the request, and it is the validation that `no-cache`, `must-revalidate` and the end of
/// its lifetime demand before an answer is used again. What a cache behind the gateway has said in its place meets those
/// of the request that has asked for it (``asksPast(_:_:stored:of:residentTime:)``).
extension CacheSemantics {
  /// The answer to a request that waits for somebody else's (``ForwardPlan/mayBeShared``), now that its
  /// head is here; `nil` when the answer may not be shared with it.
  ///
  /// - Parameters:
  ///   - stored: The answer as it will be kept (``Conclusion/storing``), its content perhaps still on its
  ///     way.
  ///   - residentTime: The time since its head came.
  ///   - plan: What was sent to the origin.
  ///   - isAwaited: True where the answer came after the request. Any other answers it as a copy would: while it is fresh
  ///     enough.
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

  /// True for a request that comes when the head of somebody else's answer is here already, and is not to be answered
  /// by that (RFC 9111 sections 4.2.4, 5.2.1.1, 5.2.1.3, 5.2.1.4, 5.2.2.4). Of another variant that is said by the like of
  /// it alone.
  ///
  /// - Parameters:
  ///   - stored: The answer as it will be kept.
  ///   - residentTime: The time since its head came.
  func needsNewer(
    _ request: GatewayRequest, than stored: StoredAnswer, residentTime: Duration
  ) -> Bool {
    request.selects(stored.selection)
      && !isReusable(Candidate(stored, residentTime: residentTime), for: request)
  }

  /// True for a request that wants a fresher answer than a cache behind the gateway has given to somebody else's, which
  /// did not ask for that: its own goes on to the origin (RFC 9111 sections 5.2.1.1, 5.2.1.3, 5.2.1.4).
  ///
  /// - Parameters:
  ///   - answer: What came in.
  ///   - stored: The same as it will be kept, or the copy that it has confirmed.
  ///   - plan: What was sent to the origin.
  ///   - residentTime: The time since its head came.
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

  /// The answer by the copy that a request selects now, where the origin has given or confirmed that since the request
  /// was made, and it is for anybody.
  ///
  /// - Parameter time: The time since the request was made.
  func validated(_ plan: ForwardPlan, within time: Duration) -> Conclusion? {
    guard plan.request.mayBeAnsweredFromCopy, let chosen = plan.chosen else { return nil }
    let candidate = plan.candidates[chosen]
    // An `Age` is of whole seconds: a younger one came from the origin itself.
    guard candidate.mark == .none, candidate.residentTime <= time, isForAnybody(candidate.answer),
      candidate.answer.initialAge < .seconds(1) || !wantsFresher(plan.request, than: candidate),
      let answer = collapsed(candidate, plan, for: plan.request, isArriving: false)
    else { return nil }
    return Conclusion(reply: .copy(answer, from: chosen))
  }

  /// False for an answer that has to be validated each time, by a request that tells whose it is: those who send others
  /// like it may be told something else.
  func isForOthers(_ stored: StoredAnswer, besides request: GatewayRequest) -> Bool {
    isForAnybody(stored) || !request.isPersonal
  }

  /// An answer that is of no use to whoever asks later, for those who have waited for it.
  ///
  /// Its origin has to say that it is to be asked each time: about an answer without a word nobody has thought. And it
  /// has to state a length that memory holds: of what goes on without end, as events do, or is kept nowhere, a client that
  /// is slow beside others would lose the rest.
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

  /// True for an answer that a copy would give to any request, at least at first, and for one that its origin declares to
  /// be for all. Any other may be one client's own, and of a user who has two sessions one session's: its origin counts
  /// on being asked.
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
