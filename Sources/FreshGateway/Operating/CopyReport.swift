#if Gateway
  package import FreshHTTP
  package import FreshStore
  internal import NIOCore
  internal import Strategies

  /// A copy that a gateway stores for an address, and how the gateway would use it.
  package struct CopyReport: Sendable {
    package enum LifetimeSource: String, Sendable {
      /// The fields of the response state it.
      case answer
      /// The gateway that stored the copy was started with the option of this name.
      case expiry
      case expiryAbsent = "expiry-absent"
      /// It follows from the time since the last change.
      case heuristic
    }

    package let key: String
    package let status: Int
    /// The number of stored body bytes.
    package let size: Int
    /// False for a copy of parts only.
    package let isWhole: Bool
    package let age: Duration
    /// The remaining time for which the copy is fresh; negative for the time since it became stale.
    package let freshFor: Duration
    /// The source of the lifetime; `nil` without a lifetime.
    package let lifetimeSource: LifetimeSource?
    /// How long the stale copy may be served: during revalidation, when the origin gives no answer, and when it answers
    /// with an error. `nil` means never.
    package let graceWhileRevalidating: Duration?
    package let graceWithoutAnswer: Duration?
    package let graceOnServerError: Duration?
    /// The reason of the copy's mark; `nil` without a mark.
    package let mark: String?
    package let entityTag: String?
    package let lastModified: String?
    /// The request fields that select the copy; empty when it answers any request.
    package let variesBy: [String]
    /// True when a request with the given fields selects the copy.
    package let isSelected: Bool

    /// Returns the copies of an address, and in one clause what a GET with these fields would cause. `nil` means that
    /// no gateway stores a copy. Fetches nothing, and changes nothing.
    ///
    /// - Parameter options: The gateway's options. The collection decides whether the cache is private.
    package static func of(
      _ text: String, in store: Store, _ collection: String, _ fields: HeaderFields,
      by options: GatewayOptions = GatewayOptions()
    ) throws(StoreError) -> (copies: [CopyReport], action: String)? {
      var options = options
      options.isPrivate = collection == GatewayOptions.privateCollection
      guard let address = address(text) else { return nil }
      // Fields that target a gateway concern the one in front of the origin.
      let policy = options.policy(at: .origin(address))
      let shelf = try CopyShelf(store, collection: collection, policy)
      let copies = try shelf.copies(of: CopyKey(address.text), looksAgain: true)
      guard !copies.isEmpty else { return nil }
      var request = GatewayRequest(
        method: "GET", target: .resource(address), version: .http11, fields: fields,
        framing: .none, directives: RequestDirectives(fields),
        preconditions: Preconditions(fields, now: store.now().wall),
        ranges: RangeRequest(fields.combined("Range")))
      request.hasUnkeyedFields = RequestReading.hasUnkeyedFields(fields)
      let decision = CacheSemantics(policy).decide(request, among: copies.map(\.candidate))
      return (copies.map { CopyReport($0, request, policy) }, words(decision, policy))
    }

    private static func address(_ text: String) -> HTTPAddress? {
      do throws(HTTPAddress.Refusal) {
        return try HTTPAddress(text)
      } catch {
        return nil
      }
    }

    private init(_ copy: HeldCopy, _ request: GatewayRequest, _ policy: GatewayPolicy) {
      let answer = copy.answer
      let graces = Graces(of: copy.candidate, for: request, policy)
      key = copy.record.key
      status = answer.status
      size = copy.record.value?.bytes.readableBytes ?? copy.record.size
      isWhole = answer.content.isWhole
      age = copy.candidate.age
      freshFor = copy.candidate.freshFor
      lifetimeSource = Self.lifetimeSource(of: answer)
      graceWhileRevalidating = graces.whileRevalidating
      graceWithoutAnswer = graces.withoutAnswer
      graceOnServerError = graces.onServerError
      mark = copy.record.mark
      entityTag = answer.terms.validators.entityTag?.text
      lastModified = answer.terms.validators.lastModified
      variesBy =
        switch answer.selection {
        case .every: []
        case .none: ["*"]
        case .fields(let names, _): names
        }
      isSelected = request.selects(answer.selection)
    }

    private static func lifetimeSource(of answer: StoredAnswer) -> LifetimeSource? {
      let terms = answer.terms
      guard terms.lifetime != nil, terms.assumedLifetime != .zero else { return nil }
      guard terms.assumedLifetime == nil else {
        return answer.status < 400 ? .expiry : .expiryAbsent
      }
      return terms.isHeuristic ? .heuristic : .answer
    }

    private static func words(_ decision: GatewayDecision, _ policy: GatewayPolicy) -> String {
      switch decision {
      case .answer: "answer from a copy"
      case .answerAndRevalidate: "answer from a copy, and renew it behind"
      case .forward(let plan):
        "ask the origin \(plan.asked.isEmpty ? "" : "whether a copy still holds ")"
          + "(\(plan.reason.rawValue))\(staleWords(plan, policy))"
      case .refuse(let plan): "refuse with \(plan.status)"
      }
    }

    private static func staleWords(_ plan: ForwardPlan, _ policy: GatewayPolicy) -> String {
      guard let chosen = plan.chosen else { return "" }
      func standsIn(_ failure: OriginFailure) -> Bool {
        Reuse.standsIn(plan.candidates[chosen], for: plan.request, failure: failure, policy)
      }
      guard standsIn(.noAnswer) else { return "" }
      return standsIn(.serverError(503))
        ? "; a copy stands in where that fails" : "; a copy stands in where that gives no answer"
    }
  }
#endif
