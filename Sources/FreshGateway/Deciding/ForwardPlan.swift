internal import FreshHTTP

/// A request to forward to the origin.
struct ForwardPlan: Sendable, Hashable {
  /// The client's request.
  let request: GatewayRequest
  let method: String
  /// The fields to send, without `Host`, the framing and `Via`.
  let fields: HeaderFields
  let reason: ForwardReason
  /// The stored answers of the key at the time of this plan.
  let candidates: [Candidate]
  /// The candidate that the request selects. It is served stale when the origin fails.
  let chosen: Int?
  /// The candidates whose validators the origin is sent: a 304 is about one of them.
  let asked: [Int]
  /// True when the client's conditions are not among the fields: the gateway judges them.
  let judgesConditions: Bool
  /// True for a request that is decided again, where it may wait for its client or the disk.
  var looksFirst = false
  /// True where the new decision reads much from the file at once.
  var readsMuch = false

  /// True when the answer may serve other requests for the same key. They wait for its header section, and are
  /// forwarded themselves unless ``CacheSemantics/shared(_:residentTime:of:with:isAwaited:)`` has an answer for them.
  var mayBeShared: Bool {
    request.mayBeAnsweredFromCopy && method == "GET" && judgesConditions && request.ranges == nil
      && !request.directives.noStore
  }

  /// The tag that the origin was asked about, where it was only one.
  var onlyTag: EntityTag? {
    judgesConditions ? fields.combined("If-None-Match").flatMap { EntityTag($0) } : nil
  }

  /// RFC 9110 section 15.3.7: in answer to `If-Range` an origin omits the fields that the client already has, such as
  /// the content coding. Without a copy that has those fields, such a part serves no other client.
  var partMayLackFields: Bool { request.preconditions.range != nil }

  /// True where no answer was stored, and the decision holds as long as none is.
  var isOfMiss: Bool { mayBeShared && candidates.isEmpty && reason == .uriMiss }

  /// The request as the client sent it, with a lower `Max-Forwards`.
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

  /// A request whose copy must be read first.
  ///
  /// - Parameter readsMuch: False for a copy that is read block by block as it is sent.
  static func looking(_ request: GatewayRequest, readsMuch: Bool) -> ForwardPlan {
    var plan = passing(request, .request)
    (plan.looksFirst, plan.readsMuch) = (true, readsMuch)
    return plan
  }

  /// The plan without its copies, once they are gone, and without the conditions about them.
  var withoutCopies: ForwardPlan { .asking(request, reason, [], chosen: nil) }

  /// The request with the conditions of this cache.
  static func asking(
    _ request: GatewayRequest, _ reason: ForwardReason, _ candidates: [Candidate], chosen: Int?
  ) -> ForwardPlan {
    // Conditions that only the origin can judge are forwarded with all fields that belong to them.
    if request.preconditions.areForOrigin {
      return passing(request, reason, candidates, chosen: chosen)
    }
    let conditional = ConditionalRequest(for: request, candidates, chosen: chosen)
    return ForwardPlan(
      request: request, method: request.method, fields: conditional.fields, reason: reason,
      candidates: candidates, chosen: chosen, asked: conditional.asked, judgesConditions: true)
  }

  /// The same request with other stored answers of its key, which have replaced those of the plan.
  ///
  /// The origin's word on a validator counts for each stored answer that has this validator now and suits the request.
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

  /// The request without conditions, after a 304 that was about none of its answers.
  var unconditional: ForwardPlan {
    ForwardPlan(
      request: request, method: method,
      fields: request.fields.removing(["if-none-match", "if-modified-since"]), reason: reason,
      candidates: candidates, chosen: chosen, asked: [], judgesConditions: true)
  }
}

extension GatewayRequest {
  /// A request for the whole resource, by which this cache renews its copy for all clients.
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
