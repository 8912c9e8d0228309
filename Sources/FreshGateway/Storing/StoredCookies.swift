internal import FreshHTTP

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
