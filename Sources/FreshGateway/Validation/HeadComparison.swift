internal import FreshHTTP

/// What the answer to a HEAD says of a stored answer (RFC 9111 section 4.3.5).
enum HeadComparison: Sendable, Hashable {
  /// It is about the same representation, and renews it.
  case same
  /// It is about another one.
  case other
  /// It says nothing.
  case nothing

  init(_ answer: OriginAnswer, to stored: StoredAnswer) {
    // Parts could not have been chosen for a HEAD.
    guard stored.status != 206 else {
      self = .nothing
      return
    }
    guard answer.status == 200 else {
      self = [404, 410].contains(answer.status) ? .other : .nothing
      return
    }
    guard stored.status == 200 else {
      self = .other
      return
    }
    let new = StoredValidators(answer.fields, receivedAt: answer.receivedAt)
    let old = stored.terms.validators
    let hasSameTag =
      answer.fields.first("ETag") == nil || Self.areSame(new.entityTag, old.entityTag)
    let hasSameDate =
      answer.fields.first("Last-Modified") == nil
      || (new.lastModifiedDate != nil && new.lastModifiedDate == old.lastModifiedDate)
    let hasSameLength =
      answer.statedLength == nil || answer.statedLength == stored.content.completeLength
    self = hasSameTag && hasSameDate && hasSameLength && !answer.isAmbiguous ? .same : .other
  }

  private static func areSame(_ one: EntityTag?, _ other: EntityTag?) -> Bool {
    guard let one, let other else { return false }
    return one.isWeak == other.isWeak && one.weaklyEquals(other)
  }
}
