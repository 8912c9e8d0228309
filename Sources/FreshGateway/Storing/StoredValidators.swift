internal import FreshHTTP
internal import Strategies

/// What tells one representation from another (RFC 9110 section 8.8).
struct StoredValidators: Sendable, Hashable {
  /// `nil` also for a tag that is not valid, which could not be sent back.
  let entityTag: EntityTag?
  /// As it was sent, to be sent back the same (section 8.8.2.1); `nil` when it is no date.
  let lastModified: String?
  let lastModifiedDate: Timestamp?
  let date: Timestamp?
  let receivedAt: Timestamp

  init(_ fields: HeaderFields, receivedAt: Timestamp) {
    func date(_ name: String) -> Timestamp? {
      let values = fields.values(name)
      // Of several dates none can be relied on.
      guard values.count == 1 else { return nil }
      return HTTPDate.parse(values[0], now: receivedAt)
    }
    let tags = fields.values("ETag")
    entityTag = tags.count == 1 ? EntityTag(tags[0]) : nil
    lastModifiedDate = date("Last-Modified")
    lastModified = lastModifiedDate == nil ? nil : fields.first("Last-Modified")
    self.date = date("Date")
    self.receivedAt = receivedAt
  }

  var isEmpty: Bool { entityTag == nil && lastModified == nil }

  /// Section 8.8.2.2: a date is strong only when the answer was made long enough after it that a second
  /// change would show; a minute, so that two clocks of one origin may differ.
  var isLastModifiedStrong: Bool {
    guard let lastModifiedDate, let date else { return false }
    return date.duration(since: lastModifiedDate) >= .seconds(60)
  }

  var strongTag: EntityTag? { entityTag.flatMap { $0.isWeak ? nil : $0 } }

  /// The validator that says that bytes are the same, as it is sent in `If-Range`.
  var strong: String? {
    if let strongTag { return strongTag.text }
    return entityTag == nil && isLastModifiedStrong ? lastModified : nil
  }

  /// True when an origin that is asked about the one tells of the other, too: both were sent by the same tag, or date
  /// where one has no tag, as one that a renewal has brought is not known to the other.
  func areAsked(with other: StoredValidators) -> Bool {
    if let entityTag, let tag = other.entityTag { return entityTag == tag }
    return lastModified != nil && lastModified == other.lastModified
  }

  /// True when both are of the same bytes (RFC 9110 section 15.3.7.3).
  func hasSameBytes(as other: StoredValidators) -> Bool {
    if let entityTag, let tag = other.entityTag { return entityTag.stronglyEquals(tag) }
    guard entityTag == nil, other.entityTag == nil else { return false }
    return isLastModifiedStrong && other.isLastModifiedStrong
      && lastModifiedDate == other.lastModifiedDate
  }
}

extension EntityTag {
  /// The tag as it is sent.
  var text: String { "\(isWeak ? "W/" : "")\"\(opaque)\"" }
}
