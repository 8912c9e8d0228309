internal import FreshHTTP

/// Parts of one representation that came in several answers (RFC 9111 section 3.4, RFC 9110 section
/// 15.3.7.3).
enum PartialCombination {
  /// The stored answer that holds the old and the new bytes; `nil` when they are not known to be of the
  /// same representation.
  ///
  /// The fields are those of the newer answer, beside those that only the older one has.
  static func combined(_ new: StoredAnswer, with old: StoredAnswer, _ policy: GatewayPolicy)
    -> StoredAnswer?
  {
    guard [old, new].allSatisfy({ [200, 206].contains($0.status) }),
      new.terms.validators.hasSameBytes(as: old.terms.validators),
      // Tags that are not valid, as without quotes, confirm nothing, but those of two representations differ, too.
      new.fields.values("ETag") == old.fields.values("ETag"),
      new.selection == old.selection, let content = old.content.combined(with: new.content)
    else { return nil }
    let names = Set(new.fields.lines.map { FieldSyntax.lowercased($0.name) })
    var fields = HeaderFields(old.fields.removing(names).lines + new.fields.lines)
    // What the older one was allowed to keep, the newer one may forbid.
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

  /// False where a part, of so many bytes, is too small beside what is kept: all of that is written again with it, and
  /// parts that come one by one would have it written as often. Of many parts, however short, each request reads the
  /// places.
  static func pays(for part: Int64, beside kept: StoredContent) -> Bool {
    kept.keptLength + part < 8 << 20 && kept.extents.count < greatestCount
      || part >= kept.keptLength / 8
  }

  /// So many parts that lie apart are many. Beyond it they grow by an eighth each time, or touch each other.
  private static let greatestCount = 256
}
