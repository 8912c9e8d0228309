internal import FreshHTTP
internal import Strategies

/// The conditional fields of a request (RFC 9110 section 13).
struct Preconditions: Sendable, Hashable {
  /// The value of `If-Match` or `If-None-Match`.
  enum Tags: Sendable, Hashable {
    /// `*`: any representation that there is.
    case any
    /// What is no tag matches none.
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
  /// A date that is not valid does not count (sections 13.1.3, 13.1.4).
  let modifiedSince: Timestamp?
  let unmodifiedSince: Timestamp?
  /// `If-Range`, a tag or a date, as it came.
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
    // Several are one that matches nothing: all of it is sent.
    range = ranges.isEmpty ? nil : ranges.count == 1 ? ranges[0] : ""
  }

  /// The client has a copy, and asks whether it still holds.
  var asksForChange: Bool { noneMatch != nil || modifiedSince != nil }

  /// There is none; `If-Range` alone means nothing.
  var isEmpty: Bool { !asksForChange && !areForOrigin }

  /// Conditions that only an origin can judge (RFC 9111 section 4.3.2), unless the copy meets them.
  var areForOrigin: Bool { match != nil || unmodifiedSince != nil }

  /// True when the copy meets `If-Match`, or else `If-Unmodified-Since` (RFC 9110 section 13.2.2).
  func isMetByOriginsPart(of stored: StoredValidators) -> Bool {
    if let match { return match.matches(stored.entityTag, weakly: false) }
    guard let unmodifiedSince else { return true }
    guard let modified = stored.lastModifiedDate else { return false }
    return modified <= unmodifiedSince
  }

  /// True when the client's copy is the stored one: 304. `If-None-Match` stands before
  /// `If-Modified-Since` (section 13.2.2), whatever comes of it.
  ///
  /// - Parameter isCopy: False for what the origin has just sent. By its `Date` alone that is as new as the moment, and
  ///   a client whose clock is ahead, or that asks again within a second, has something older.
  func isNotModified(_ stored: StoredValidators, isCopy: Bool = true) -> Bool {
    if let noneMatch { return noneMatch.matches(stored.entityTag, weakly: true) }
    guard let modifiedSince, isCopy || stored.lastModifiedDate != nil else { return false }
    // RFC 9111 section 4.3.2: without `Last-Modified`, its `Date`, and else the time of its coming.
    let modified = stored.lastModifiedDate ?? stored.date ?? stored.receivedAt
    return modified <= modifiedSince
  }

  /// True when the ranges are wanted of the stored representation (RFC 9110 section 13.1.5).
  func allowsRanges(of stored: StoredValidators) -> Bool {
    guard let range else { return true }
    if let tag = EntityTag(range) { return stored.entityTag?.stronglyEquals(tag) ?? false }
    // A date has to be the very same, not only late enough, and strong.
    return stored.isLastModifiedStrong && stored.lastModified == range
  }
}
