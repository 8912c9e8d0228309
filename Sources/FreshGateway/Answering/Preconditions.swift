internal import FreshHTTP
internal import Strategies

/// The conditional fields of a request (RFC 9110 section 13).
struct Preconditions: Sendable, Hashable {
  /// The value of `If-Match` or `If-None-Match`.
  enum Tags: Sendable, Hashable {
    /// `*`: any representation.
    case any
    /// These tags; a member that is no valid tag is left out.
    case these([EntityTag])

    init?(_ field: String?) {
      guard let field else { return nil }
      let members = FieldSyntax.listMembers(field)
      self = members == ["*"] ? .any : .these(members.compactMap { EntityTag($0) })
    }

    func matches(_ tag: EntityTag?, weakly: Bool) -> Bool {
      switch self {
      case .any: true
      case .these(let tags):
        tags.contains { other in
          guard let tag else { return false }
          return weakly ? other.weaklyEquals(tag) : other.stronglyEquals(tag)
        }
      }
    }
  }

  let match: Tags?
  let noneMatch: Tags?
  /// An invalid date does not count (sections 13.1.3, 13.1.4).
  let modifiedSince: Timestamp?
  let unmodifiedSince: Timestamp?
  /// The value of `If-Range`, a tag or a date, as it was sent.
  let range: String?

  /// No conditions.
  static let none = Preconditions([:], now: Timestamp(millisecondsSinceEpoch: 0))

  init(_ fields: HeaderFields, now: Timestamp) {
    func date(_ name: String) -> Timestamp? {
      let values = fields.values(name)
      return values.count == 1 ? HTTPDate.parse(values[0], now: now) : nil
    }
    match = Tags(fields.combined("If-Match"))
    noneMatch = Tags(fields.combined("If-None-Match"))
    modifiedSince = date("If-Modified-Since")
    unmodifiedSince = date("If-Unmodified-Since")
    let ranges = fields.values("If-Range")
    // Several values match nothing: the whole representation is sent.
    range = ranges.isEmpty ? nil : ranges.count == 1 ? ranges[0] : ""
  }

  /// True when the client has a copy and wants to know whether it still holds.
  var asksForChange: Bool { noneMatch != nil || modifiedSince != nil }

  /// True without conditions. `If-Range` does not count here: it means nothing by itself.
  var isEmpty: Bool { !asksForChange && !areForOrigin }

  /// True with conditions that only an origin can judge (RFC 9111 section 4.3.2), unless the copy meets them.
  var areForOrigin: Bool { match != nil || unmodifiedSince != nil }

  /// True when the copy meets `If-Match`, or else `If-Unmodified-Since` (RFC 9110 section 13.2.2).
  func isMetByOriginsPart(of stored: StoredValidators) -> Bool {
    if let match { return match.matches(stored.entityTag, weakly: false) }
    guard let unmodifiedSince else { return true }
    guard let modified = stored.lastModifiedDate else { return false }
    return modified <= unmodifiedSince
  }

  /// True when the client's copy is the stored one: the answer is 304. `If-None-Match` overrides `If-Modified-Since`
  /// (section 13.2.2).
  ///
  /// - Parameter isCopy: False for an answer that the origin has just sent. Its `Date` is the present moment. A client
  ///   whose clock is ahead, or that asks twice within a second, would take an older copy for that answer.
  func isNotModified(_ stored: StoredValidators, isCopy: Bool = true) -> Bool {
    if let noneMatch { return noneMatch.matches(stored.entityTag, weakly: true) }
    guard let modifiedSince, isCopy || stored.lastModifiedDate != nil else { return false }
    // RFC 9111 section 4.3.2: without `Last-Modified` the `Date` counts, and without that the time of receipt.
    let modified = stored.lastModifiedDate ?? stored.date ?? stored.receivedAt
    return modified <= modifiedSince
  }

  /// True when `If-Range` allows ranges of the stored representation (RFC 9110 section 13.1.5).
  func allowsRanges(of stored: StoredValidators) -> Bool {
    guard let range else { return true }
    if let tag = EntityTag(range) { return stored.entityTag?.stronglyEquals(tag) ?? false }
    // The date must be identical, not only late enough, and strong.
    return stored.isLastModifiedStrong && stored.lastModified == range
  }
}
