internal import FreshHTTP
internal import Strategies

/// The head of a stored answer: all that decides about a later request. The content is stored elsewhere.
struct StoredAnswer: Sendable, Hashable {
  /// 206 while only parts are stored.
  let status: Int
  /// The stored fields with `Date`, without `Age`, `Content-Length` and the place of a part.
  let fields: HeaderFields
  /// The requests that it answers (RFC 9111 section 4.1). The encoded form is the variant's key.
  let selection: VarySelection
  let content: StoredContent
  /// The time of receipt, of the answer or of the 304 that renewed it.
  let receivedAt: Timestamp
  /// Its age at that time (RFC 9111 section 4.2.3).
  let initialAge: Duration
  /// The terms that follow from the fields and the operator's lifetime.
  let terms: ReuseTerms
  /// The last answer that was made from it.
  let memo = AnswerMemo()

  /// True for an answer that only reports a failure of its server (RFC 9110 section 15.6).
  var isServerError: Bool { (500...599).contains(status) }

  /// The longest time for which another cache takes it for fresh: one that reads its general fields, and not the
  /// targeted ones.
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

  /// Restores an answer from its stored parts.
  ///
  /// - Parameter assumedLifetime: The operator's lifetime, if the answer states none.
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
    // The memo follows from these.
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

  /// The same answer with other content, as a 200 once that is whole (RFC 9111 section 3.4).
  func with(_ content: StoredContent, policy: GatewayPolicy) -> StoredAnswer {
    guard status == 206, content.isWhole else { return StoredAnswer(self, with: content) }
    return StoredAnswer(
      status: 200, fields: fields, selection: selection, content: content,
      receivedAt: receivedAt, initialAge: initialAge, assumedLifetime: terms.assumedLifetime,
      policy: policy)
  }

  /// The same head with other content: the terms follow from the head.
  private init(_ head: StoredAnswer, with content: StoredContent) {
    (status, fields, selection) = (head.status, head.fields, head.selection)
    (receivedAt, initialAge, terms) = (head.receivedAt, head.initialAge, head.terms)
    self.content = content
  }

  /// The answer to keep once its content has ended; `nil` when the length differs from the stated one. Incomplete
  /// content is never kept as whole (RFC 9111 section 3.3).
  ///
  /// - Parameter isComplete: True when the end was seen: the last chunk, the last byte by length, or an orderly close.
  func completed(length: Int64, isComplete: Bool, policy: GatewayPolicy) -> StoredAnswer? {
    guard isComplete else { return nil }
    // A part that is the whole equals the answer to a request for the whole.
    if status == 206 { return content.keptLength == length ? with(content, policy: policy) : nil }
    guard content.completeLength == nil || content.completeLength == length else { return nil }
    return with(.whole(length), policy: policy)
  }
}

extension StoredAnswer {
  /// The head as one text, to be stored beside the content; the variant's key is stored apart.
  ///
  /// The first line has the status, the times in milliseconds, the complete length (`*` where it is unknown) and the
  /// extents. The operator's lifetime follows, if any. Each further line is a field.
  var encoded: String {
    let extents = content.extents.map { "\($0.lowerBound)-\($0.upperBound)" }
    var figures = [
      "\(status)", "\(receivedAt.millisecondsSinceEpoch)", "\(initialAge.wholeMilliseconds)",
      content.completeLength.map { "\($0)" } ?? "*", extents.joined(separator: ","),
    ]
    if let lifetime = terms.assumedLifetime {
      figures.append("\(Self.lifetimeName)\(lifetime.wholeMilliseconds)")
    }
    let lines = fields.lines.map { "\($0.name): \($0.value)" }
    return ([figures.joined(separator: " ")] + lines).joined(separator: "\n")
  }

  /// Reads ``encoded`` back; `nil` for a text that no stored answer has.
  init?(encoded: String, selection: VarySelection, policy: GatewayPolicy) {
    // It works on bytes, as each copy outside of memory is read here for its client.
    let lines = Array(encoded.utf8).split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let figures = lines[0].split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard (5...6).contains(figures.count), let status = Int(figures[0]),
      (200...599).contains(status),
      let receivedAt = Int64(figures[1]), let age = Int64(figures[2]), age >= 0,
      figures[3] == "*" || Int64(figures[3]).map({ $0 >= 0 }) == true
    else { return nil }
    var lifetime: Duration?
    if figures.count == 6 {
      guard let stated = Self.lifetime(figures[5]) else { return nil }
      lifetime = stated
    }
    let length = Int64(figures[3])
    let parts = figures[4].split(separator: ",")
    let extents = parts.compactMap(Self.extent)
    guard extents.count == parts.count, extents.allSatisfy({ $0.upperBound <= length ?? .max })
    else { return nil }
    var fields = HeaderFields()
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
      let (name, value) = (line[..<colon], line[(colon + 1)...])
      guard FieldSyntax.isToken(bytes: name), FieldSyntax.isFieldValue(bytes: value) else {
        return nil
      }
      fields.append(
        String(decoding: name, as: UTF8.self),
        String(decoding: value.drop(while: FieldSyntax.isWhitespace), as: UTF8.self))
    }
    self.init(
      status: status, fields: fields, selection: selection,
      content: StoredContent(extents, of: length),
      receivedAt: Timestamp(millisecondsSinceEpoch: receivedAt), initialAge: .milliseconds(age),
      assumedLifetime: lifetime, policy: policy)
  }

  private static let lifetimeName = "expiry="

  private static func lifetime(_ text: String) -> Duration? {
    guard text.hasPrefix(lifetimeName),
      let milliseconds = Int64(text.dropFirst(lifetimeName.count)), milliseconds >= 0
    else { return nil }
    return .milliseconds(milliseconds)
  }

  private static func extent(_ text: Substring) -> Range<Int64>? {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let start = Int64(ends[0]), let end = Int64(ends[1]), start < end else {
      return nil
    }
    return start..<end
  }
}

/// The stored bytes of a representation.
struct StoredContent: Sendable, Hashable {
  /// In order; no extent is empty or touches another.
  private(set) var extents: [Range<Int64>]
  /// The complete length; `nil` where it is unknown.
  let completeLength: Int64?

  /// The whole representation.
  static func whole(_ length: Int64) -> StoredContent {
    StoredContent(length > 0 ? [0..<length] : [], of: length)
  }

  /// Some parts of it.
  init(_ extents: [Range<Int64>], of completeLength: Int64?) {
    self.extents = Self.joined(extents)
    self.completeLength = completeLength
  }

  /// The number of stored bytes.
  var keptLength: Int64 { extents.reduce(0) { $0 + Int64($1.count) } }

  var isWhole: Bool {
    guard let completeLength else { return false }
    return completeLength == 0 || extents == [0..<completeLength]
  }

  func contains(_ range: Range<Int64>) -> Bool {
    extents.contains { $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound }
  }

  /// The union with another part of the same representation; `nil` when the lengths contradict each other.
  func combined(with other: StoredContent) -> StoredContent? {
    if let completeLength, let length = other.completeLength, completeLength != length {
      return nil
    }
    let length = completeLength ?? other.completeLength
    let extents = Self.joined(extents + other.extents)
    if let length, let end = extents.last?.upperBound, end > length { return nil }
    return StoredContent(extents, of: length)
  }

  private static func joined(_ extents: [Range<Int64>]) -> [Range<Int64>] {
    var joined: [Range<Int64>] = []
    for extent in extents.sorted(by: { $0.lowerBound < $1.lowerBound }) where !extent.isEmpty {
      if let last = joined.last, extent.lowerBound <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, extent.upperBound)
      } else {
        joined.append(extent)
      }
    }
    return joined
  }
}
