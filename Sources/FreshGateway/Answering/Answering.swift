internal import FreshHTTP
internal import Strategies

/// Makes answers to clients from stored answers.
struct Answering: Sendable {
  let policy: GatewayPolicy
  /// Makes the boundary of a multipart answer.
  let boundary: @Sendable () -> String

  /// The answer to a GET or HEAD from the chosen candidate (RFC 9111 section 4, RFC 9110 section 13.2.2).
  ///
  /// It is `nil` when the copy does not meet a condition that is meant for the origin.
  ///
  /// - Parameter isArriving: True while the content is still in flight; its length may be unknown.
  func plan(
    _ candidate: Candidate, for request: GatewayRequest, _ status: CacheStatus,
    isArriving: Bool = false
  ) -> AnswerPlan? {
    guard request.isPlain, !isArriving else {
      return made(candidate, for: request, status, isArriving)
    }
    return candidate.answer.memo.plan(
      candidate.age.components.seconds, status, policy.targets, policy.references?.base
    ) { made(candidate, for: request, status, false) }
  }

  private func made(
    _ candidate: Candidate, for request: GatewayRequest, _ status: CacheStatus, _ isArriving: Bool
  ) -> AnswerPlan? {
    let answer = candidate.answer
    let validators = answer.terms.validators
    var plan = AnswerPlan(
      status: answer.status, fields: fields(candidate, status), content: .whole)
    // Conditions count only for a success (RFC 9110 section 13.2.1).
    if (200...299).contains(answer.status) {
      guard request.preconditions.isMetByOriginsPart(of: validators) else { return nil }
      if request.preconditions.isNotModified(validators, isCopy: !isArriving) {
        return AnswerPlan(
          status: 304, fields: AnswerPlan.notModified(plan.fields), content: .none)
      }
    }
    if answer.status == 200 || answer.status == 206, let ranges = request.ranges,
      request.preconditions.allowsRanges(of: validators)
    {
      plan = ranged(plan, ranges.resolved(in: answer.content.completeLength), answer)
    } else {
      guard answer.content.isWhole || isArriving else { return nil }
      plan.fields.set("Content-Length", answer.content.completeLength.map { "\($0)" })
    }
    if request.method == "HEAD" { plan.content = .none }
    switch plan.status {
    case 204, 304:
      // RFC 9112 section 6.3: these answers have no body, even if the origin sent one.
      plan.fields.set("Content-Length", nil)
      plan.content = .none
    case 205:
      plan.fields.set("Content-Length", "0")
      plan.content = .none
    default: break
    }
    return plan
  }

  /// RFC 9111 sections 4 and 5.1: `Age` is in whole seconds, rounded down.
  private func fields(_ candidate: Candidate, _ status: CacheStatus) -> HeaderFields {
    var fields = policy.forClients(candidate.answer.fields)
    let age = candidate.statedAge.components.seconds
    fields.append("Age", "\(min(DeltaSeconds.greatest, age))")
    status.append(to: &fields)
    return fields
  }

  private func ranged(
    _ plan: AnswerPlan, _ resolution: RangeRequest.Resolution, _ answer: StoredAnswer
  ) -> AnswerPlan {
    var plan = plan
    let whole = answer.content.completeLength
    switch resolution {
    case .everything:
      plan.fields.set("Content-Length", whole.map { "\($0)" })
    case .unsatisfiable:
      // RFC 9110 section 15.5.17. This answer is about the request, so it has few of the stored fields.
      var fields = HeaderFields()
      for name in ["Date", "Cache-Status"] {
        if let value = plan.fields.combined(name) { fields.append(name, value) }
      }
      if let text = ContentRange.unsatisfied(whole) { fields.append("Content-Range", text) }
      fields.append("Content-Length", "0")
      return AnswerPlan(status: 416, fields: fields, content: .none)
    case .parts(let parts) where parts.count == 1:
      plan.status = 206
      plan.fields = plan.fields.removing(StoredHeader.ofMessage)
      plan.content = .range(parts[0])
      plan.fields.set("Content-Range", ContentRange(parts[0], of: whole).text)
      plan.fields.set("Content-Length", "\(parts[0].count)")
    case .parts(let parts):
      let multipart = MultipartRanges(
        parts, of: whole, contentType: plan.fields.first("Content-Type"), boundary: boundary())
      plan.status = 206
      plan.fields = plan.fields.removing(StoredHeader.ofMessage)
      plan.content = .ranges(multipart)
      plan.fields.set("Content-Type", multipart.contentType)
      plan.fields.set("Content-Length", "\(multipart.length)")
    }
    return plan
  }
}
