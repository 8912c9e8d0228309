internal import FreshHTTP
internal import Strategies

extension CacheSemantics {
  /// Decides what to do with an origin's final answer. Informational answers other than 101 are passed on at once (RFC
  /// 9110 section 15.2).
  func conclude(_ answer: OriginAnswer, to plan: ForwardPlan) -> Conclusion {
    if answer.status == 304, plan.judgesConditions { return renew(plan, by: answer) }
    if answer.isServerError, let reply = staleReply(plan, .serverError(answer.status)) {
      return Conclusion(reply: reply)
    }
    var conclusion = Conclusion(
      reply: .origin(status: answer.status, fields: answer.fields, sendsContent: true))
    conclusion.invalidation = Invalidation(
      by: answer.status, answer.fields, to: plan.request, names: policy.names)
    if plan.method == "HEAD" {
      conclusion.changes = headChanges(answer, plan)
    } else {
      store(answer, plan, &conclusion)
    }
    conclusion.reply = reply(answer, plan, conclusion)
    return conclusion
  }

  /// Decides what to do with a request that got no answer from the origin.
  ///
  /// - Parameter detail: The reason, for people, in `Cache-Status`.
  /// - Parameter wasSent: False when no request was sent, as the origin is unreachable or backing off.
  func conclude(_ plan: ForwardPlan, without detail: String, wasSent: Bool = true) -> Conclusion {
    conclude(plan, without: NoAnswer(words: detail, wasSent: wasSent))
  }

  /// Decides what to do with a request that got no answer from the origin.
  func conclude(_ plan: ForwardPlan, without failure: NoAnswer) -> Conclusion {
    if let reply = staleReply(plan, .noAnswer, failure.words, wasSent: failure.wasSent) {
      return Conclusion(reply: reply)
    }
    // RFC 9111 section 5.2.2.2: an error is better than a copy that must not be used.
    let status = plan.chosen == nil ? failure.status : 504
    var answer = own(status, failure.words, for: plan.request)
    if let delay = failure.retryAfter {
      let (seconds, rest) = delay.components
      answer.fields.set("Retry-After", "\(max(1, rest > 0 ? seconds + 1 : seconds))")
    }
    return Conclusion(reply: .own(answer))
  }

  // MARK: Renewal

  private func renew(_ plan: ForwardPlan, by answer: OriginAnswer) -> Conclusion {
    let (request, candidates) = (plan.request, plan.candidates)
    guard !plan.asked.isEmpty else {
      // The request had no condition that a 304 could answer.
      return Conclusion(
        reply: .own(
          own(502, "the origin answered 304 to a request without conditions", for: request)))
    }
    guard
      let renewal = Renewal(
        by: answer, candidates, asked: plan.asked, onlyTag: plan.onlyTag, for: request)
    else { return Conclusion(reply: .ask(plan.unconditional)) }
    func renewed(_ index: Int) -> StoredAnswer {
      Renewal.renewed(candidates[index].answer, by: answer, for: request, policy)
    }
    let reused = renewed(renewal.reused)
    var status = forwarded(plan, answer)
    status.timeToLive = Candidate(reused, residentTime: .zero).freshFor
    status.isStored = Renewal.mayBeKept(reused, policy) && mayChangeCopies(answer, to: request)
    guard
      let answered = answering.plan(Candidate(reused, residentTime: .zero), for: request, status)
    else { return Conclusion(reply: .ask(.passing(request, .request))) }
    var conclusion = Conclusion(reply: .copy(answered, from: renewal.reused))
    guard mayChangeCopies(answer, to: request) else { return conclusion }
    conclusion.changes = renewal.renewed.compactMap { index in
      let renewed = renewed(index)
      if Renewal.mayBeKept(renewed, policy) {
        return .renew(index, Renewal.kept(renewed, by: answer, policy))
      }
      // An answer to one user leaves the copy of all others as it is.
      return policy.isShared && request.isPersonal ? nil : .remove(index)
    }
    if !renewal.renewed.contains(renewal.reused), Renewal.mayBeKept(reused, policy) {
      let kept = Renewal.kept(reused, by: answer, policy)
      conclusion.changes.append(.add(kept, contentOf: renewal.reused))
    }
    return conclusion
  }

  private func headChanges(_ answer: OriginAnswer, _ plan: ForwardPlan) -> [Conclusion.Change] {
    guard plan.request.mayBeAnsweredFromCopy, mayChangeCopies(answer, to: plan.request) else {
      return []
    }
    return plan.candidates.indices.compactMap { index in
      let stored = plan.candidates[index].answer
      guard plan.request.selects(stored.selection) else { return nil }
      switch HeadComparison(answer, to: stored) {
      case .nothing: return nil
      case .other: return isOneUsers(answer, to: plan.request) ? nil : .invalidate(index)
      case .same:
        // Only a field that tells versions apart confirms a copy that is known to be out of date.
        let namesVersion = ["ETag", "Last-Modified"].contains { answer.fields.first($0) != nil }
        guard plan.candidates[index].mark == .none || namesVersion else { return nil }
        let renewed = Renewal.renewed(stored, by: answer, for: plan.request, policy)
        guard Renewal.mayBeKept(renewed, policy) else {
          return policy.isShared && plan.request.isPersonal ? nil : .remove(index)
        }
        // Only an equal tag shows that one user gets the same answer as others.
        let isForAll = isForAnybody(stored) && !isOneUsers(answer, to: plan.request)
        guard isForAll || answer.fields.first("ETag") != nil else { return nil }
        return .renew(index, Renewal.kept(renewed, by: answer, policy))
      }
    }
  }

  /// RFC 9111 sections 5.2.1.5 and 3.5: an answer to a request with `no-store` changes no copy. In a shared cache
  /// neither does one to an identified user, unless a directive allows that.
  private func mayChangeCopies(_ answer: OriginAnswer, to request: GatewayRequest) -> Bool {
    let directives = AnswerDirectives(answer.fields, targets: policy.targets)
    return !request.directives.noStore
      && (!policy.isShared || !request.isIdentified || directives.isForIdentified)
  }

  private func isOneUsers(_ answer: OriginAnswer, to request: GatewayRequest) -> Bool {
    let directives = AnswerDirectives(answer.fields, targets: policy.targets)
    return policy.isOneUsers(request, isPublic: directives.control.isPublic)
  }

  // MARK: Storing

  private func store(_ answer: OriginAnswer, _ plan: ForwardPlan, _ conclusion: inout Conclusion) {
    do {
      let stored = try Storing(policy: policy).stored(answer, for: plan.request)
      conclusion.storing = .success(stored)
      guard stored.status == 206 else {
        if stored.isServerError, VariantChoice.hidesGood(stored.selection, plan.candidates) {
          conclusion.storing = .failure(.serverError)
          conclusion.momentary = momentary(answer, to: plan.request)
        } else if replacesUsableCopy(stored, plan) {
          conclusion.storing = .failure(.cookie)
        }
        return
      }
      for (index, candidate) in plan.candidates.enumerated()
      where candidate.mark != .invalid && candidate.answer.selection == stored.selection {
        guard PartialCombination.combined(stored, with: candidate.answer, policy) != nil else {
          continue
        }
        conclusion.joins = index
        return
      }
      if plan.partMayLackFields || hasWhole(plan) {
        conclusion.storing = .failure(.partial)
      }
    } catch {
      conclusion.storing = .failure(error)
      if error == .useless { conclusion.momentary = momentary(answer, to: plan.request) }
      // The new answer may not be kept, and it shows that the copy is out of date.
      if concernsAll(error, answer, plan.request), [200, 404, 410].contains(answer.status) {
        conclusion.withdraws = true
        if let chosen = plan.chosen { conclusion.changes = [.remove(chosen)] }
      }
    }
  }

  /// True when the whole is stored and fresh: it is worth more than a part.
  private func hasWhole(_ plan: ForwardPlan) -> Bool {
    guard let chosen = plan.chosen else { return false }
    return plan.candidates[chosen].isFresh && plan.candidates[chosen].answer.content.isWhole
  }

  /// True for an answer to one user that would replace a copy which may still be served stale. Other users would have
  /// no copy left once the origin fails.
  private func replacesUsableCopy(_ stored: StoredAnswer, _ plan: ForwardPlan) -> Bool {
    guard policy.isShared, !isForOthers(stored, besides: plan.request), let chosen = plan.chosen
    else { return false }
    let copy = plan.candidates[chosen]
    guard copy.answer.selection == stored.selection, isForAnybody(copy.answer),
      let grace = Graces(of: copy, for: plan.request, policy).withoutAnswer
    else { return false }
    return copy.staleness <= grace
  }

  /// False for a refusal that concerns only this request, or an answer to one user.
  private func concernsAll(
    _ refusal: StoringRefusal, _ answer: OriginAnswer, _ request: GatewayRequest
  ) -> Bool {
    switch refusal {
    case .request, .requestNoStore, .authorization, .private, .setsCookie, .cookie: false
    case .noStore:
      !policy.isShared
        || !request.isPersonal && !answer.hasLostCookie
          && !StoredCookies.areAmong(answer.fields)
    case .useless: !isOneUsers(answer, to: request)
    case .status, .mustUnderstand, .variesByEverything, .notCacheable, .partial, .ambiguousLength:
      true
    case .serverError, .notKept, .overtaken, .tooLarge, .tooSmall, .rules, .unchecked, .broken:
      false
    }
  }

  // MARK: Replies

  private func reply(_ answer: OriginAnswer, _ plan: ForwardPlan, _ conclusion: Conclusion)
    -> Conclusion.Reply
  {
    var fields = policy.forClients(answer.fields)
    if answer.isAmbiguous { fields.set("Content-Length", nil) }
    var status = forwarded(plan, answer)
    switch conclusion.storing {
    case .success(let stored):
      status.isStored = true
      status.timeToLive = Candidate(stored, residentTime: .zero).freshFor
    case .failure(let refusal): status.detail = refusal.rawValue
    case nil: break
    }
    let validators = StoredValidators(answer.fields, receivedAt: answer.receivedAt)
    guard plan.judgesConditions, (200...299).contains(answer.status),
      plan.request.preconditions.isNotModified(validators, isCopy: false)
    else {
      // The status of the origin is named only where the answer has another one (RFC 9211 section 2.3).
      status.forwardStatus = nil
      status.append(to: &fields)
      // RFC 9110 section 15.3.6: a 205 has no content, and its framing must say so.
      if answer.status == 205 { fields.set("Content-Length", "0") }
      return .origin(
        status: answer.status, fields: fields,
        sendsContent: plan.request.method != "HEAD" && ![204, 205, 304].contains(answer.status))
    }
    status.append(to: &fields)
    fields = AnswerPlan.notModified(fields)
    return .origin(status: 304, fields: fields, sendsContent: false)
  }

  private func forwarded(_ plan: ForwardPlan, _ answer: OriginAnswer) -> CacheStatus {
    var status = status(for: plan.request)
    status.forward = plan.reason
    status.forwardStatus = answer.status
    return status
  }

  /// The stale copy instead of an error or of no answer (RFC 9111 section 4.3.3).
  private func staleReply(
    _ plan: ForwardPlan, _ failure: OriginFailure, _ detail: String? = nil, wasSent: Bool = true
  ) -> Conclusion.Reply? {
    guard plan.request.mayBeAnsweredFromCopy, let chosen = plan.chosen else { return nil }
    let candidate = plan.candidates[chosen]
    guard Reuse.standsIn(candidate, for: plan.request, failure: failure, policy) else { return nil }
    var status = status(for: plan.request)
    status.forward = plan.reason
    status.isHit = !wasSent
    status.timeToLive = candidate.freshFor
    switch failure {
    case .serverError(let code):
      status.forwardStatus = code
      status.detail = "stale-if-error"
    case .noAnswer: status.detail = detail
    }
    return answering.plan(candidate, for: plan.request, status).map { .copy($0, from: chosen) }
  }
}
