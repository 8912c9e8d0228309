/// The directives of `Cache-Control` for a private store (RFC 9111 section 5.2, RFC 5861, RFC
/// 8246).
///
/// Of the directives for shared caches only those remain that decide whether an answer is for
/// everybody (``isForEverybody``); unknown directives are ignored (section 5.2.3).
package struct CacheControl: Sendable, Hashable {
  /// The argument of `max-age`.
  package enum MaximumAge: Sendable, Hashable {
    /// So long after the response was made; more than 2^31 seconds count as 2^31 (section 1.2.2).
    case after(Duration)
    /// Not a number of seconds: the response counts as stale (section 4.2.1).
    case invalid
  }

  /// `max-age` (section 5.2.2.1); of several the first counts (section 4.2.1).
  package private(set) var maximumAge: MaximumAge?
  /// `no-store` (sections 5.2.1.5, 5.2.2.5).
  package private(set) var noStore = false
  /// `no-cache` without field names (section 5.2.2.4).
  package private(set) var noCache = false
  /// The names in `no-cache="…"`, in lower case: these fields must not be reused without asking.
  package private(set) var noCacheFields: Set<String> = []
  /// `must-revalidate` (section 5.2.2.2).
  package private(set) var mustRevalidate = false
  /// `must-understand` (section 5.2.2.3).
  package private(set) var mustUnderstand = false
  /// `public` (section 5.2.2.9).
  package private(set) var isPublic = false
  /// `private`, with or without field names (section 5.2.2.7).
  package private(set) var isPrivate = false
  /// True with `s-maxage` (section 5.2.2.10), whatever its argument.
  package private(set) var hasSharedMaximumAge = false
  /// `immutable` (RFC 8246).
  package private(set) var isImmutable = false
  /// `stale-while-revalidate` (RFC 5861 section 3); `nil` also when it is not a number.
  package private(set) var staleWhileRevalidate: Duration?
  /// `stale-if-error` (RFC 5861 section 4); `nil` also when it is not a number.
  package private(set) var staleIfError: Duration?

  /// Reads a field value, the lines of one message joined by commas; `nil` and any text are safe.
  package init(_ fieldValue: String?) {
    for directive in CacheDirective.list(fieldValue ?? "") {
      apply(directive)
    }
  }

  /// True when the source declares that an answer to an identified user may be given to others,
  /// too. `public` says so for every request, `must-revalidate` for one identified by
  /// `Authorization` alone (section 3.5), and never for one with cookies or keys.
  ///
  /// `s-maxage` says so as well, but for a time of its own, and a copy has one lifetime, that of
  /// the identified user: such an answer stays with that user.
  ///
  /// - Parameter isByAuthorization: True when `Authorization` alone identified the user.
  package func isForEverybody(askedByAuthorizationAlone isByAuthorization: Bool) -> Bool {
    !isPrivate && !hasSharedMaximumAge && (isPublic || (isByAuthorization && mustRevalidate))
  }

  private mutating func apply(_ directive: CacheDirective) {
    switch directive.name {
    case "max-age":
      maximumAge = maximumAge ?? Self.seconds(directive).map { .after($0) } ?? .invalid
    case "no-store": noStore = true
    case "no-cache": applyNoCache(directive.argument)
    case "must-revalidate": mustRevalidate = true
    case "must-understand": mustUnderstand = true
    case "public": isPublic = true
    case "private": isPrivate = true
    case "s-maxage": hasSharedMaximumAge = true
    case "immutable": isImmutable = true
    case "stale-while-revalidate":
      staleWhileRevalidate = staleWhileRevalidate ?? Self.seconds(directive)
    case "stale-if-error":
      staleIfError = staleIfError ?? Self.seconds(directive)
    default: break
    }
  }

  /// Anything but a list of field names reads as the plain directive, the stricter of the two.
  private mutating func applyNoCache(_ argument: CacheDirective.Argument) {
    guard case .text(let text) = argument else {
      noCache = true
      return
    }
    let names = FieldSyntax.listMembers(text)
    if names.isEmpty || !names.allSatisfy(FieldSyntax.isToken) {
      noCache = true
    } else {
      noCacheFields.formUnion(names.map(FieldSyntax.lowercased))
    }
  }

  private static func seconds(_ directive: CacheDirective) -> Duration? {
    guard case .text(let text) = directive.argument else { return nil }
    return DeltaSeconds(text)?.duration
  }
}
