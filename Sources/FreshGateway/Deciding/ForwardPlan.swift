internal import FreshHTTP

/// A request that goes on to the origin.
struct ForwardPlan: Sendable, Hashable {
  /// The client's.
  let request: GatewayRequest
  let method: String
  /// What is sent, but for `Host`, the framing and `Via`.
  let fields: HeaderFields
  let reason: ForwardReason
  /// The stored answers of the key, as they were when this was planned.
  let candidates: [Candidate]
  /// The candidate that the request selects; it stands in for an origin that fails.
  let chosen: Int?
  /// The candidates that were described to the origin: a 304 is about one of them.
  let asked: [Int]
  /// True when the conditions that the client sent are not among the fields, and are judged here.
  let judgesConditions: Bool
  /// True for a request that is decided anew where it may wait for its client, or for the disk.
  var looksFirst = false
  /// True where that reads much from the file at once.
  var readsMuch = false

  /// True when its answer may serve others who ask for the same key meanwhile. They wait for its head,
  /// and go on by themselves unless ``CacheSemantics/shared(_:residentTime:of:with:isAwaited:)`` has an answer for them.
  var mayBeShared: Bool {
    request.mayBeAnsweredFromCopy && method == "GET" && judgesConditions && request.ranges == nil
      && !request.directives.noStore
  }

  /// The tag that the origin was asked about, where that was one alone.
  var onlyTag: EntityTag? {
    judgesConditions ? fields.combined("If-None-Match").flatMap { EntityTag($0) } : nil
  }

  /// RFC 9110 section 15.3.7: in answer to `If-Range` an origin leaves out what the client has from before, as how the
  /// content is coded. Only with a copy that has those fields such a part is for others.
  var partMayLackFields: Bool { request.preconditions.range != nil }

  /// True where the request was decided on without any stored answer, and would be decided on in the same way again as
  /// long as there is none.
  var isOfMiss: Bool { mayBeShared && candidates.isEmpty && reason == .uriMiss }

  /// Everything as the client sent it. A count of `Max-Forwards` goes down.
  static func passing(
    _ request: GatewayRequest, _ reason: ForwardReason, _ candidates: [Candidate] = [],
    chosen: Int? = nil
  ) -> ForwardPlan {
    var fields = request.fields
    if let left = SentOnFields.forwardsLeft(request) { fields.set("Max-Forwards", "\(left - 1)") }
    return ForwardPlan(
      request: request, method: request.method, fields: fields, reason: reason,
      candidates: candidates, chosen: chosen, asked: [], judgesConditions: false)
  }

  /// A request whose copy has to be read first.
  ///
  /// - Parameter readsMuch: False for a copy that is read block by block as it is sent.
  static func looking(_ request: GatewayRequest, readsMuch: Bool) -> ForwardPlan {
    var plan = passing(request, .request)
    (plan.looksFirst, plan.readsMuch) = (true, readsMuch)
    return plan
  }

  /// Of a request whose copies are gone, conditions of this cache and all.
  var withoutCopies: ForwardPlan { .asking(request, reason, [], chosen: nil) }

  /// With conditions of this cache.
  static func asking(
    _ request: GatewayRequest, _ reason: ForwardReason, _ candidates: [Candidate], chosen: Int?
  ) -> ForwardPlan {
    // What only the origin can judge goes to it with all that belongs to it.
    if request.preconditions.areForOrigin {
      return passing(request, reason, candidates, chosen: chosen)
    }
    let conditional = ConditionalRequest(for: request, candidates, chosen: chosen)
    return ForwardPlan(
      request: request, method: request.method, fields: conditional.fields, reason: reason,
      candidates: candidates, chosen: chosen, asked: conditional.asked, judgesConditions: true)
  }

  /// The same request, once other stored answers of its key have taken the place of those that it was planned with: what
  /// the origin says of validators that it was asked about, it says of those that have them now, and all that is wanted.
  func about(_ latest: [Candidate]) -> ForwardPlan {
    let described = asked.map { candidates[$0].answer.terms.validators }
    let renewed = latest.indices.filter { index in
      VariantChoice.suits(latest[index], request)
        && described.contains { $0.areAsked(with: latest[index].answer.terms.validators) }
    }
    return ForwardPlan(
      request: request, method: method, fields: fields, reason: reason, candidates: latest,
      chosen: VariantChoice.index(among: latest, for: request), asked: renewed,
      judgesConditions: judgesConditions)
  }

  /// The same without conditions of this cache, after a 304 that was about none of its answers.
  var unconditional: ForwardPlan {
    ForwardPlan(
      request: request, method: method,
      fields: request.fields.removing(["if-none-match", "if-modified-since"]), reason: reason,
      candidates: candidates, chosen: chosen, asked: [], judgesConditions: true)
  }
}

extension GatewayRequest {
  /// A request for the whole resource, by which this cache renews its copy for others as well.
  var general: GatewayRequest {
    let fields = fields.removing([
      "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "range",
      "cache-control", "pragma",
    ])
    return GatewayRequest(
      method: "GET", target: target, version: version, fields: fields, framing: .none,
      directives: RequestDirectives([:]), preconditions: .none, ranges: nil)
  }
}
