internal import FreshHTTP

/// Which fields of an answer are kept (RFC 9111 section 3.1).
enum StoredHeader {
  /// - Parameters:
  ///   - fields: Those that may be sent on.
  ///   - status: That of the answer.
  static func fields(
    _ fields: HeaderFields, _ status: Int, _ control: CacheControl, _ policy: GatewayPolicy
  ) -> HeaderFields {
    var unwanted = unkept.union(ofOneRequest(control, policy))
    if status == 206 { unwanted.insert(place) }
    // The terms themselves are nobody's secret, and nothing can be decided without them.
    let terms = terms.union(policy.targets.map(FieldSyntax.lowercased))
    return fields.removing(unwanted.subtracting(terms))
  }

  /// The fields that are for whoever has asked alone: those that must not be used again without asking, and those of one
  /// user (sections 5.2.2.4 and 5.2.2.7).
  static func ofOneRequest(_ control: CacheControl, _ policy: GatewayPolicy) -> Set<String> {
    policy.isShared ? control.noCacheFields.union(control.privateFields) : control.noCacheFields
  }

  /// The stored fields as a 304, or the answer to a HEAD, renews them for whoever has asked (section 3.2): each field
  /// that it has takes the place of the stored ones, but for those that say how the stored bytes are to be read. Of
  /// those that must not be kept its own are there, and no others.
  static func updated(
    _ stored: HeaderFields, _ status: Int, by renewal: HeaderFields, _ policy: GatewayPolicy
  ) -> HeaderFields {
    let renewal = renewal.removing(unkept.union(ofContent))
    let others = stored.removing(Set(renewal.lines.map { FieldSyntax.lowercased($0.name) }))
    let terms = AnswerDirectives(
      HeaderFields(others.lines + renewal.lines), targets: policy.targets)
    return HeaderFields(fields(others, status, terms.control, policy).lines + renewal.lines)
  }

  /// What is said of the bytes of one message (RFC 9530 section 2, RFC 1864, RFC 9110 section 14.4): of other bytes of the
  /// same representation it is not true.
  static let ofMessage: Set = ["content-digest", "content-md5", place]
  /// The place of a part is kept with its bytes. In an answer that is no part it says nothing (RFC 9110 section 14.4), and
  /// is a field as any other (RFC 9111 section 3.1).
  private static let place = "content-range"

  /// These follow from the times and the content that are kept. `Warning` is obsolete (section 5.5).
  private static let computed: Set = ["age", "content-length", "warning"]
  /// These have whoever gets them do something, at that moment: go to another server from now on (RFC 7838 section 3),
  /// which need not be there any more, or forget what it keeps of the site (W3C Clear Site Data), as it has signed out.
  private static let ofOneMoment: Set = ["alt-svc", "clear-site-data"]
  private static let unkept = computed.union(ofOneMoment)
  private static let terms: Set = ["cache-control", "date", "expires", "vary"]
  private static let ofContent: Set = [
    "content-digest", "content-encoding", "content-md5", place, "content-type", "digest",
  ]
}

/// Which cookies that an answer sets are kept with it (RFC 9111 section 7.3).
enum StoredCookies {
  /// Nothing forbids it, but whoever sets a cookie mostly answers one user: in a shared cache the answer has to say that
  /// it is for one, which a plain lifetime does not, in whichever field it stands. Nor does an `s-maxage` of 0, which
  /// keeps shared caches from giving it to others.
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
