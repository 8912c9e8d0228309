internal import FreshHTTP
internal import Strategies

/// The rules for whether an answer may be stored (RFC 9111 section 3).
struct Storing: Sendable {
  let policy: GatewayPolicy

  /// The head of the answer as it would be stored; throws the reason against it. Its content must still arrive as a
  /// whole (``StoredAnswer/completed(length:isComplete:policy:)``).
  func stored(_ answer: OriginAnswer, for request: GatewayRequest) throws(StoringRefusal)
    -> StoredAnswer
  {
    let stored = try storable(answer, for: request)
    try checkUse(stored, answer, request)
    return stored
  }

  /// The same without a check that the stored answer is of use to later requests.
  func storable(_ answer: OriginAnswer, for request: GatewayRequest) throws(StoringRefusal)
    -> StoredAnswer
  {
    let directives = AnswerDirectives(answer.fields, targets: policy.targets)
    let control = directives.control
    guard !request.directives.noStore else { throw .requestNoStore }
    try check(answer, directives, request)
    try checkRequest(request, answer, directives)
    let selection = VarySelection(of: answer.fields, for: request, policy)
    guard selection != VarySelection.none else { throw .variesByEverything }
    let content = try content(of: answer)
    let stored = StoredAnswer(
      status: answer.status,
      fields: StoredHeader.fields(answer.fields, answer.status, control, policy),
      selection: selection, content: content, receivedAt: answer.receivedAt,
      initialAge: answer.initialAge,
      assumedLifetime: policy.assumedLifetime(
        of: answer.status, for: request, isForAll: control.isPublic),
      policy: policy)
    // A lost cookie may belong to anybody.
    if answer.hasLostCookie || StoredCookies.areAmong(stored.fields) {
      guard StoredCookies.areKept(by: directives, policy) else { throw .setsCookie }
    }
    return stored
  }

  private func check(
    _ answer: OriginAnswer, _ directives: AnswerDirectives, _ request: GatewayRequest
  ) throws(StoringRefusal) {
    let (status, control) = (answer.status, directives.control)
    guard (200...599).contains(status), !Self.ofOneRequest.contains(status) else {
      throw .status
    }
    if let refusal = Self.refusal(by: control, status, policy) { throw refusal }
    guard
      control.isPublic || ReuseTerms.statesLifetime(answer.fields, directives, policy)
        || FreshnessCalculation.isHeuristicallyCacheable(status)
        || (!policy.isShared && control.isPrivate)
        || isGivenLifetime(answer, directives, request)
    else { throw .notCacheable }
  }

  /// True where the operator gives a lifetime that the answer does not state: at a reverse proxy that is the origin's
  /// word.
  private func isGivenLifetime(
    _ answer: OriginAnswer, _ directives: AnswerDirectives, _ request: GatewayRequest
  ) -> Bool {
    guard AssumedLifetimes.mayCount(for: answer.fields, directives, policy) else { return false }
    let lifetime = policy.assumedLifetime(
      of: answer.status, for: request, isForAll: directives.control.isPublic)
    return lifetime.map { $0 > .zero } ?? false
  }

  /// The refusal by a directive of a new or a renewed answer; `nil` without one. Sections 5.2.2.3, 5.2.2.5 and 5.2.2.7.
  static func refusal(
    by control: CacheControl, _ status: Int, _ policy: GatewayPolicy
  ) -> StoringRefusal? {
    if control.mustUnderstand {
      // `must-understand` demands a known status, and then overrides `no-store`.
      guard understood.contains(status) else { return .mustUnderstand }
    } else if control.noStore {
      return .noStore
    }
    return policy.isShared && control.isWhollyPrivate ? .private : nil
  }

  private func checkRequest(
    _ request: GatewayRequest, _ answer: OriginAnswer, _ directives: AnswerDirectives
  ) throws(StoringRefusal) {
    guard request.mayBeAnsweredFromCopy && request.method == "GET" || isPosted(request, answer)
    else { throw .request }
    // Section 3.5.
    if policy.isShared && request.isIdentified {
      guard directives.isForIdentified else { throw .authorization }
    }
    guard !answer.isAmbiguous else { throw .ambiguousLength }
  }

  /// True for an answer to a POST that, by its own word, equals the answer to a GET and has a lifetime (RFC 9110
  /// section 9.3.3).
  private func isPosted(_ request: GatewayRequest, _ answer: OriginAnswer) -> Bool {
    guard request.method == "POST", !request.hasUnkeyedFields, answer.status == 200,
      let address = request.address,
      let location = answer.fields.first("Content-Location"),
      ReuseTerms.statesLifetime(
        answer.fields, AnswerDirectives(answer.fields, targets: policy.targets), policy)
    else { return false }
    return Invalidation.address(location, from: address) == address
  }

  /// Section 3.3; a multipart answer is not taken apart.
  private func content(of answer: OriginAnswer) throws(StoringRefusal) -> StoredContent {
    guard answer.status == 206 else { return StoredContent([], of: answer.statedLength) }
    let ranges = answer.fields.values("Content-Range")
    guard ranges.count == 1, let place = ContentRange(ranges[0]) else { throw .partial }
    if let length = answer.statedLength, length != Int64(place.range.count) { throw .partial }
    return StoredContent([place.range], of: place.completeLength)
  }

  /// A stored answer must be of use: fresh for a while, usable when stale, or open to validation.
  private func checkUse(
    _ stored: StoredAnswer, _ answer: OriginAnswer, _ request: GatewayRequest
  ) throws(StoringRefusal) {
    let terms = stored.terms
    let isOneUsers = mayBeOneUsers(terms, answer, request)
    guard terms.validators.isEmpty else {
      if isOneUsers, terms.validators.entityTag == nil { throw Self.refusal(request) }
      return
    }
    guard !terms.mustAlwaysValidate else { throw .useless }
    guard terms.hasLifetime || terms.staleIfError != nil || terms.staleWhileRevalidate != nil else {
      throw isOneUsers && terms.assumedLifetime != nil ? Self.refusal(request) : .useless
    }
  }

  /// The reason for which an answer may be one user's.
  private static func refusal(_ request: GatewayRequest) -> StoringRefusal {
    request.isIdentified ? .authorization : .cookie
  }

  /// True for the answer to a request that identifies its user, unless the answer allows others to have it without
  /// validation. `must-revalidate` does not allow that. A date tells the pages of two users apart only by chance: the
  /// origin would confirm one user's page to the other.
  private func mayBeOneUsers(
    _ terms: ReuseTerms, _ answer: OriginAnswer, _ request: GatewayRequest
  ) -> Bool {
    guard !terms.hasLifetime || terms.mustAlwaysValidate else { return false }
    let directives = AnswerDirectives(answer.fields, targets: policy.targets)
    return policy.isOneUsers(request, isPublic: directives.control.isPublic)
  }

  /// Answers with 304, 412 and 416 depend on a precondition or a range, which no key holds. An answer with 407 concerns
  /// one hop. Those with 428, 429, 431 and 511 concern one client, and no cache may store them, even with a lifetime
  /// (RFC 6585).
  private static let ofOneRequest: Set = [304, 407, 412, 416, 428, 429, 431, 511]

  /// The final statuses of RFC 9110 section 15, whose demands on a cache are met.
  private static let understood = Set([
    200, 201, 202, 203, 204, 205, 206, 300, 301, 302, 303, 305, 307, 308, 400, 401, 402, 403, 404,
    405, 406, 408, 409, 410, 411, 413, 414, 415, 417, 421, 422, 426, 500, 501, 502, 503, 504, 505,
  ])
}

/// The reason why an answer is not stored, as `Cache-Status` and the figures name it.
enum StoringRefusal: String, Error, Sendable, Hashable, CaseIterable {
  /// The request has a method whose answers are not stored, or content, or fields that select the answer without being
  /// in the key.
  case request
  case status
  case requestNoStore = "request-no-store"
  case noStore = "no-store"
  case `private`
  case mustUnderstand = "must-understand"
  case authorization
  case variesByEverything = "vary"
  case notCacheable = "not-cacheable"
  case setsCookie = "set-cookie"
  case partial
  case ambiguousLength = "ambiguous-length"
  /// The request had cookies, and the answer does not allow other users to have it.
  case cookie
  /// The answer could never be used again.
  case useless
  /// The answer is a server error, and would replace a good copy.
  case serverError = "server-error"

  // The head allows these, but another reason is against them.

  /// The store takes nothing now, or no more of this answer.
  case notKept = "not-kept"
  /// The answer is to a POST, and the resource was requested or changed meanwhile.
  case overtaken
  case tooLarge = "too-large"
  /// The answer is a part, and too small beside the stored ones.
  case tooSmall = "too-small"
  /// The content breaks the rules for its address.
  case rules
  /// There are rules for the address, and the content cannot be checked.
  case unchecked
  /// The content is incomplete.
  case broken
}
