internal import FreshHTTP
internal import Strategies

/// The stored answers that a 304 is about, and their renewal (RFC 9111 section 4.3.4).
struct Renewal: Sendable, Hashable {
  /// The indices of the candidates that are renewed.
  let renewed: [Int]
  /// The candidate whose content answers the request.
  let reused: Int

  /// `nil` when it is about none of them: they must not be renewed, and the request is sent again without conditions.
  ///
  /// One rule is more lenient than section 4.3.4. If only one tag was sent, for the copy that the request selects, a
  /// 304 with a weakly equal tag is about that copy. `If-None-Match` compares weakly (RFC 9110 section 13.1.2), so the
  /// 304 says that the sent tag matched, in whichever form it repeats it. RFC 9110 section 15.4.5 wants the form that a
  /// 200 would have had. But nginx sends a compressed file with `W/"x"`, and confirms it with a 304 that has `"x"`.
  /// Read strictly, that 304 is about no copy, or about another variant.
  ///
  /// - Parameters:
  ///   - asked: The candidates that were described to the origin.
  ///   - onlyTag: The tag that the origin was asked about, where it was only one.
  init?(
    by answer: OriginAnswer, _ candidates: [Candidate], asked: [Int], onlyTag: EntityTag?,
    for request: GatewayRequest
  ) {
    let new = StoredValidators(answer.fields, receivedAt: answer.receivedAt)
    // The answers that could have been chosen for the request.
    let initial = candidates.indices.filter { index in
      request.selects(candidates[index].answer.selection)
        && VariantChoice.suits(candidates[index], request)
    }
    func latest(_ indices: [Int]) -> Int? {
      indices.max { VariantChoice.isOlder(candidates[$0], candidates[$1]) }
    }
    func stored(_ index: Int) -> StoredValidators { candidates[index].answer.terms.validators }

    let hasTag = answer.fields.first("ETag") != nil
    if let onlyTag, let tag = new.entityTag, tag.weaklyEquals(onlyTag),
      !tag.stronglyEquals(onlyTag),
      let index = latest(
        initial.filter { asked.contains($0) && stored($0).entityTag == onlyTag })
    {
      (renewed, reused) = ([index], index)
    } else if let tag = new.strongTag {
      let isSame = { (index: Int) in stored(index).entityTag?.stronglyEquals(tag) ?? false }
      renewed = initial.filter(isSame)
      // The bytes of another variant are confirmed for this request, too.
      let others = asked.filter { isSame($0) && !VariantChoice.isOfOneSession(candidates[$0]) }
      guard let index = latest(renewed) ?? latest(others) else { return nil }
      reused = index
    } else if hasTag {
      guard let tag = new.entityTag,
        let index = latest(
          initial.filter { stored($0).entityTag?.weaklyEquals(tag) ?? false })
      else { return nil }
      (renewed, reused) = ([index], index)
    } else if let date = new.lastModifiedDate {
      let same = asked.filter { stored($0).lastModifiedDate == date }
      // A date does not tell which of several tags it confirms.
      guard let index = latest(same.filter { initial.contains($0) }),
        same.allSatisfy({ stored($0).entityTag == stored(index).entityTag })
      else { return nil }
      (renewed, reused) = ([index], index)
    } else {
      // A 304 without validators is about the only answer that was described.
      guard asked.count == 1, initial.contains(asked[0]) else { return nil }
      (renewed, reused) = ([asked[0]], asked[0])
    }
  }

  /// The stored answer, renewed by an answer without content: a 304, or the answer to a HEAD.
  static func renewed(
    _ stored: StoredAnswer, by answer: OriginAnswer, for request: GatewayRequest,
    _ policy: GatewayPolicy
  ) -> StoredAnswer {
    var fields = StoredHeader.updated(stored.fields, stored.status, by: answer.fields, policy)
    // The stored tag stays, as the bytes are still those it came with. Another form of it would claim more or less of
    // them, and a strong one might belong to another variant.
    let new = StoredValidators(answer.fields, receivedAt: answer.receivedAt)
    if let tag = stored.terms.validators.entityTag, let other = new.entityTag, tag != other,
      tag.weaklyEquals(other)
    {
      fields.set("ETag", tag.text)
    }
    return StoredAnswer(
      status: stored.status, fields: fields,
      selection: VarySelection(
        of: fields, confirming: stored.selection, for: request, policy),
      content: stored.content,
      receivedAt: answer.receivedAt, initialAge: answer.initialAge,
      assumedLifetime: policy.assumedLifetime(
        of: stored.status, for: request, isForAll: isForAll(stored, as: fields, policy)),
      policy: policy)
  }

  /// True for an answer that says so, and for one that was for all before: it still is, whoever requested the renewal.
  /// An answer of one session has a lifetime of zero where it states none.
  private static func isForAll(
    _ stored: StoredAnswer, as fields: HeaderFields, _ policy: GatewayPolicy
  ) -> Bool {
    if stored.terms.hasLifetime { return true }
    if AnswerDirectives(fields, targets: policy.targets).control.isPublic { return true }
    let directives = AnswerDirectives(stored.fields, targets: policy.targets)
    return stored.terms.assumedLifetime == nil
      && !ReuseTerms.statesLifetime(stored.fields, directives, policy)
  }

  /// The renewed answer as it is stored. Fields that must not be stored are only for the client of this request, as are
  /// cookies unless the answer allows sharing.
  static func kept(
    _ renewed: StoredAnswer, by answer: OriginAnswer, _ policy: GatewayPolicy
  ) -> StoredAnswer {
    let terms = AnswerDirectives(renewed.fields, targets: policy.targets)
    var fields = StoredHeader.fields(renewed.fields, renewed.status, terms.control, policy)
    if StoredCookies.areAmong(fields) {
      // Earlier directives do not cover a new cookie.
      let source = StoredCookies.areAmong(answer.fields) ? answer.fields : renewed.fields
      let directives = AnswerDirectives(source, targets: policy.targets)
      if !StoredCookies.areKept(by: directives, policy) {
        fields = StoredCookies.removed(from: fields)
      }
    }
    guard fields != renewed.fields else { return renewed }
    return StoredAnswer(
      status: renewed.status, fields: fields, selection: renewed.selection,
      content: renewed.content, receivedAt: renewed.receivedAt, initialAge: renewed.initialAge,
      assumedLifetime: renewed.terms.assumedLifetime, policy: policy)
  }

  /// False when its new terms forbid storing a renewed answer.
  static func mayBeKept(_ renewed: StoredAnswer, _ policy: GatewayPolicy) -> Bool {
    let control = AnswerDirectives(renewed.fields, targets: policy.targets).control
    return Storing.refusal(by: control, renewed.status, policy) == nil
      && renewed.selection != VarySelection.none
  }
}

/// The comparison of an answer to a HEAD with a stored answer (RFC 9111 section 4.3.5).
enum HeadComparison: Sendable, Hashable {
  /// It is about the same representation, and renews the stored answer.
  case same
  /// It is about another representation.
  case other
  /// It allows no conclusion.
  case nothing

  init(_ answer: OriginAnswer, to stored: StoredAnswer) {
    // A part could not have been chosen for a HEAD.
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

/// Combines parts of one representation from several answers (RFC 9111 section 3.4, RFC 9110 section 15.3.7.3).
enum PartialCombination {
  /// The stored answer with the old and the new bytes; `nil` unless both are known to be of the same representation.
  ///
  /// Fields of the newer answer override those of the older one.
  static func combined(_ new: StoredAnswer, with old: StoredAnswer, _ policy: GatewayPolicy)
    -> StoredAnswer?
  {
    guard [old, new].allSatisfy({ [200, 206].contains($0.status) }),
      new.terms.validators.hasSameBytes(as: old.terms.validators),
      // Invalid tags, such as unquoted ones, confirm nothing. But those of two representations differ, too.
      new.fields.values("ETag") == old.fields.values("ETag"),
      new.selection == old.selection, let content = old.content.combined(with: new.content)
    else { return nil }
    let names = Set(new.fields.lines.map { FieldSyntax.lowercased($0.name) })
    var fields = HeaderFields(old.fields.removing(names).lines + new.fields.lines)
    // The newer answer may forbid fields that the older one allowed.
    let directives = AnswerDirectives(fields, targets: policy.targets)
    fields = StoredHeader.fields(fields, 206, directives.control, policy)
    if !StoredCookies.areKept(by: directives, policy) {
      fields = StoredCookies.removed(from: fields)
    }
    let combined = StoredAnswer(
      status: 206, fields: fields.removing(StoredHeader.ofMessage),
      selection: new.selection, content: content, receivedAt: new.receivedAt,
      initialAge: new.initialAge, assumedLifetime: new.terms.assumedLifetime, policy: policy)
    return combined.with(content, policy: policy)
  }

  /// False where a part of this size is too small beside the stored content. All of that is written again with each
  /// part, so small parts would rewrite it as often. And each request reads the places of all parts, however short they
  /// are.
  static func pays(for part: Int64, beside kept: StoredContent) -> Bool {
    kept.keptLength + part < 8 << 20 && kept.extents.count < greatestCount
      || part >= kept.keptLength / 8
  }

  /// The most separate parts. Beyond it each part must grow the content by an eighth, or join others.
  private static let greatestCount = 256
}
