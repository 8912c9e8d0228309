internal import FreshHTTP
internal import Strategies

/// The head of a stored answer, and all that a later request is decided by. The content lies elsewhere.
struct StoredAnswer: Sendable, Hashable {
  /// 206 while only parts are kept.
  let status: Int
  /// As they were stored, `Date` among them; without `Age`, `Content-Length` and the place of a part.
  let fields: HeaderFields
  /// The requests that it answers (RFC 9111 section 4.1); its encoded form is the variant's key.
  let selection: VarySelection
  let content: StoredContent
  /// When it, or the 304 that renewed it, came in.
  let receivedAt: Timestamp
  /// Its age at that moment (RFC 9111 section 4.2.3).
  let initialAge: Duration
  /// What follows from the fields, and from the lifetime that the operator has given it.
  let terms: ReuseTerms
  /// What was last made of it.
  let memo = AnswerMemo()

  /// True for one that says of its server alone that it has failed (RFC 9110 section 15.6).
  var isServerError: Bool { (500...599).contains(status) }

  /// The longest time for which a cache that knows its fields alone, and not those for this one, takes it for fresh.
  var greatestLifetime: Duration {
    let control = CacheControl(fields.combined("Cache-Control"))
    let exchange = HTTPExchange(
      status: status, request: [:], response: fields, responseTime: receivedAt,
      responseDelay: .zero)
    let audiences: [FreshnessCalculation.Audience] = [.oneUser, .everybody]
    let lifetimes = audiences.map { audience -> Duration in
      let calculation = FreshnessCalculation(audience: audience)
      guard case .after(let lifetime) = calculation.expiry(of: exchange, control) else {
        return .zero
      }
      return lifetime
    }
    return lifetimes.max() ?? .zero
  }

  /// Puts a stored answer together again from what was kept of it.
  ///
  /// - Parameter assumedLifetime: The one that the operator gives it, if it states none.
  init(
    status: Int, fields: HeaderFields, selection: VarySelection, content: StoredContent,
    receivedAt: Timestamp, initialAge: Duration, assumedLifetime: Duration?, policy: GatewayPolicy
  ) {
    self.status = status
    self.fields = fields
    self.selection = selection
    self.content = content
    self.receivedAt = receivedAt
    self.initialAge = initialAge
    terms = ReuseTerms(
      status: status, fields: fields, receivedAt: receivedAt, assumed: assumedLifetime,
      policy: policy)
  }

  static func == (left: StoredAnswer, right: StoredAnswer) -> Bool {
    // What was made of it follows from these.
    left.status == right.status && left.fields == right.fields
      && left.selection == right.selection && left.content == right.content
      && left.receivedAt == right.receivedAt && left.initialAge == right.initialAge
      && left.terms == right.terms
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(status)
    hasher.combine(fields)
    hasher.combine(selection)
    hasher.combine(receivedAt)
  }

  /// The same answer with other content; 200 as soon as that is whole (RFC 9111 section 3.4).
  func with(_ content: StoredContent, policy: GatewayPolicy) -> StoredAnswer {
    guard status == 206, content.isWhole else { return StoredAnswer(self, with: content) }
    return StoredAnswer(
      status: 200, fields: fields, selection: selection, content: content,
      receivedAt: receivedAt, initialAge: initialAge, assumedLifetime: terms.assumedLifetime,
      policy: policy)
  }

  /// Of the same head: the terms follow from that alone.
  private init(_ head: StoredAnswer, with content: StoredContent) {
    (status, fields, selection) = (head.status, head.fields, head.selection)
    (receivedAt, initialAge, terms) = (head.receivedAt, head.initialAge, head.terms)
    self.content = content
  }

  /// The answer as it may be kept once its content has ended; `nil` when that is not as long as the head
  /// has said (RFC 9111 section 3.3): what is incomplete is never kept as whole.
  ///
  /// - Parameter isComplete: True when the end of the content was seen: its last chunk, its last byte by
  ///   length, or the orderly end of its connection.
  func completed(length: Int64, isComplete: Bool, policy: GatewayPolicy) -> StoredAnswer? {
    guard isComplete else { return nil }
    // A part that is all of it is as good as the answer to a request for all of it.
    if status == 206 { return content.keptLength == length ? with(content, policy: policy) : nil }
    guard content.completeLength == nil || content.completeLength == length else { return nil }
    return with(.whole(length), policy: policy)
  }
}
