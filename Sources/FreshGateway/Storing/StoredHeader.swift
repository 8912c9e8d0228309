internal import FreshHTTP

/// The fields of an answer that are stored (RFC 9111 section 3.1).
enum StoredHeader {
  /// - Parameters:
  ///   - fields: The fields that may be forwarded.
  ///   - status: The status of the answer.
  static func fields(
    _ fields: HeaderFields, _ status: Int, _ control: CacheControl, _ policy: GatewayPolicy
  ) -> HeaderFields {
    var unwanted = unkept.union(ofOneRequest(control, policy))
    if status == 206 { unwanted.insert(place) }
    // The terms of caching are no secret, and every decision needs them.
    let terms = terms.union(policy.targets.map(FieldSyntax.lowercased))
    return fields.removing(unwanted.subtracting(terms))
  }

  /// The fields that are only for the client of this request (sections 5.2.2.4 and 5.2.2.7). They need validation, or
  /// in a shared cache belong to one user.
  static func ofOneRequest(_ control: CacheControl, _ policy: GatewayPolicy) -> Set<String> {
    policy.isShared ? control.noCacheFields.union(control.privateFields) : control.noCacheFields
  }

  /// The stored fields as a 304, or the answer to a HEAD, renews them for its client (section 3.2).
  ///
  /// Each field of the renewal replaces the stored ones, except for fields about the stored bytes. Fields that must not
  /// be stored come only from the renewal.
  static func updated(
    _ stored: HeaderFields, _ status: Int, by renewal: HeaderFields, _ policy: GatewayPolicy
  ) -> HeaderFields {
    let renewal = renewal.removing(unkept.union(ofContent))
    let others = stored.removing(Set(renewal.lines.map { FieldSyntax.lowercased($0.name) }))
    let terms = AnswerDirectives(
      HeaderFields(others.lines + renewal.lines), targets: policy.targets)
    return HeaderFields(fields(others, status, terms.control, policy).lines + renewal.lines)
  }

  /// The fields about the bytes of one message (RFC 9530 section 2, RFC 1864, RFC 9110 section 14.4). They do not hold
  /// for other bytes of the same representation.
  static let ofMessage: Set = ["content-digest", "content-md5", place]
  /// The place of a part is stored with its bytes. In any other answer the field means nothing (RFC 9110 section 14.4),
  /// and is stored like others (RFC 9111 section 3.1).
  private static let place = "content-range"

  /// These follow from the stored times and content. `Warning` is obsolete (section 5.5).
  private static let computed: Set = ["age", "content-length", "warning"]
  /// These make a client act at that moment. `Alt-Svc` names another server (RFC 7838 section 3), which may be gone
  /// later. `Clear-Site-Data` deletes what the client keeps of the site, as after a sign-out (W3C).
  private static let ofOneMoment: Set = ["alt-svc", "clear-site-data"]
  private static let unkept = computed.union(ofOneMoment)
  private static let terms: Set = ["cache-control", "date", "expires", "vary"]
  private static let ofContent: Set = [
    "content-digest", "content-encoding", "content-md5", place, "content-type", "digest",
  ]
}

/// The rule for the cookies of an answer: whether they are stored with it (RFC 9111 section 7.3).
enum StoredCookies {
  /// True where cookies may be stored with the answer.
  ///
  /// No RFC forbids it, but an answer with a cookie is mostly for one user. A shared cache stores it only where the
  /// answer allows sharing explicitly. A plain lifetime does not, in any field. Nor does an `s-maxage` of 0, which
  /// forbids shared caches to give it to others.
  static func areKept(by directives: AnswerDirectives, _ policy: GatewayPolicy) -> Bool {
    !policy.isShared || directives.control.isPublic || isForShared(directives.control)
  }

  private static func isForShared(_ control: CacheControl) -> Bool {
    guard case .after(let lifetime)? = control.sharedMaximumAge else { return false }
    return lifetime > .zero
  }

  static func areAmong(_ fields: HeaderFields) -> Bool {
    names.contains { fields.first($0) != nil }
  }

  static func removed(from fields: HeaderFields) -> HeaderFields { fields.removing(names) }

  private static let names: Set = ["set-cookie", "set-cookie2"]
}
