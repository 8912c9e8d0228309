/// The directives of `Cache-Control` in a response (RFC 9111 section 5.2.2, RFC 5861, RFC 8246).
/// Unknown directives are ignored (section 5.2.3).
package struct CacheControl: Sendable, Hashable {
  /// The argument of `max-age` or `s-maxage`.
  package enum MaximumAge: Sendable, Hashable {
    /// The lifetime after the response was made; more than 2^31 seconds count as 2^31 (section 1.2.2).
    case after(Duration)
    /// The argument is no number of seconds, or there are several different ones: the response counts as
    /// stale (section 4.2.1).
    case invalid
  }

  /// `max-age` (section 5.2.2.1).
  package private(set) var maximumAge: MaximumAge?
  /// `no-store` (sections 5.2.1.5, 5.2.2.5).
  package private(set) var noStore = false
  /// `no-cache` without field names (section 5.2.2.4).
  package private(set) var noCache = false
  /// The names in `no-cache="…"`, in lower case. These fields must not be reused without revalidation.
  package private(set) var noCacheFields: Set<String> = []
  /// `must-revalidate` (section 5.2.2.2).
  package private(set) var mustRevalidate = false
  /// `proxy-revalidate` (section 5.2.2.8).
  package private(set) var proxyRevalidate = false
  /// `must-understand` (section 5.2.2.3).
  package private(set) var mustUnderstand = false
  /// `public` (section 5.2.2.9).
  package private(set) var isPublic = false
  /// `private`, with or without field names (section 5.2.2.7).
  package private(set) var isPrivate = false
  /// `private` without field names (section 5.2.2.7).
  package private(set) var isWhollyPrivate = false
  /// The names in `private="…"`, in lower case. A shared cache must not store these fields.
  package private(set) var privateFields: Set<String> = []
  /// `s-maxage` (section 5.2.2.10).
  package private(set) var sharedMaximumAge: MaximumAge?
  /// True with `s-maxage`, also when its argument is invalid.
  package var hasSharedMaximumAge: Bool { sharedMaximumAge != nil }
  /// `immutable` (RFC 8246).
  package private(set) var isImmutable = false
  /// `stale-while-revalidate` (RFC 5861 section 3); `nil` also when it is not a number.
  package private(set) var staleWhileRevalidate: Duration?
  /// `stale-if-error` (RFC 5861 section 4); `nil` also when it is not a number.
  package private(set) var staleIfError: Duration?

  /// Reads a field value, the lines of one message joined by commas. Any text is safe.
  package init(_ fieldValue: String?) {
    self.init(CacheDirective.list(fieldValue ?? ""))
  }

  /// Reads directives that were parsed before.
  package init(_ directives: [CacheDirective]) {
    for directive in directives {
      apply(directive)
    }
  }

  /// True when the source allows a copy of an identified user's response to answer other users, too. `public`
  /// allows it for every request. `must-revalidate` allows it only for a request that `Authorization`
  /// identified (section 3.5), never for one with cookies or keys.
  ///
  /// `s-maxage` allows it, too, but for a time of its own. A copy has one lifetime, that of the identified
  /// user, so such a response stays with that user.
  ///
  /// - Parameter isByAuthorization: True when only `Authorization` identified the user.
  func isForEverybody(askedByAuthorizationAlone isByAuthorization: Bool) -> Bool {
    !isPrivate && !hasSharedMaximumAge && (isPublic || (isByAuthorization && mustRevalidate))
  }

  private mutating func apply(_ directive: CacheDirective) {
    switch directive.name {
    case "max-age":
      maximumAge = Self.maximumAge(directive, beside: maximumAge)
    case "no-store": noStore = true
    case "no-cache":
      if let names = Self.fieldNames(directive) {
        noCacheFields.formUnion(names)
      } else {
        noCache = true
      }
    case "must-revalidate": mustRevalidate = true
    case "must-understand": mustUnderstand = true
    case "public": isPublic = true
    case "proxy-revalidate": proxyRevalidate = true
    case "private":
      isPrivate = true
      if let names = Self.fieldNames(directive) {
        privateFields.formUnion(names)
      } else {
        isWhollyPrivate = true
      }
    case "s-maxage":
      sharedMaximumAge = Self.maximumAge(directive, beside: sharedMaximumAge)
    case "immutable": isImmutable = true
    case "stale-while-revalidate":
      staleWhileRevalidate = Self.shorter(staleWhileRevalidate, Self.seconds(directive))
    case "stale-if-error":
      staleIfError = Self.shorter(staleIfError, Self.seconds(directive))
    default: break
    }
  }

  /// The names in the argument, in lower case. `nil` for an argument that is no list of field names: that
  /// reads as the plain directive, the stricter of the two.
  private static func fieldNames(_ directive: CacheDirective) -> [String]? {
    guard case .text(let text) = directive.argument else { return nil }
    let names = FieldSyntax.listMembers(text)
    guard !names.isEmpty, names.allSatisfy(FieldSyntax.isToken) else { return nil }
    return names.map(FieldSyntax.lowercased)
  }

  private static func maximumAge(_ directive: CacheDirective, beside other: MaximumAge?)
    -> MaximumAge
  {
    let own = seconds(directive).map { MaximumAge.after($0) } ?? .invalid
    return other == nil || other == own ? own : .invalid
  }

  private static func shorter(_ one: Duration?, _ other: Duration?) -> Duration? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }

  private static func seconds(_ directive: CacheDirective) -> Duration? {
    guard case .text(let text) = directive.argument else { return nil }
    return DeltaSeconds(text)?.duration
  }
}

/// One member of a `Cache-Control` field (RFC 9111 section 5.2), not yet interpreted.
package struct CacheDirective: Sendable, Hashable {
  /// The argument of the directive.
  package enum Argument: Sendable, Hashable {
    /// The directive has no argument.
    case absent
    /// The token, or the content of the quoted string. Both forms are accepted for every directive.
    case text(String)
    /// Neither of them, or text follows it.
    case malformed
  }

  /// The name, in lower case.
  package let name: String
  /// The argument of the directive.
  package let argument: Argument

  /// Creates a directive; the name must be in lower case.
  package init(name: String, argument: Argument) {
    self.name = name
    self.argument = argument
  }

  /// Splits a field value, the lines of one message joined by commas. Members that do not begin with a token
  /// are left out. Any text is safe. The cost is linear in its length.
  package static func list(_ fieldValue: String) -> [CacheDirective] {
    var scanner = ByteScanner(fieldValue)
    var directives: [CacheDirective] = []
    while !scanner.isAtEnd {
      scanner.take { $0 == FieldSyntax.comma || FieldSyntax.isWhitespace($0) }
      let name = scanner.take(while: FieldSyntax.isTokenByte)
      var argument = argument(&scanner)
      scanner.take(while: FieldSyntax.isWhitespace)
      if scanner.current != FieldSyntax.comma && !scanner.isAtEnd {
        argument = .malformed
        scanner.take { $0 != FieldSyntax.comma }
      }
      if !name.isEmpty {
        let name = FieldSyntax.lowercased(String(decoding: name, as: UTF8.self))
        directives.append(CacheDirective(name: name, argument: argument))
      }
    }
    return directives
  }

  private static func argument(_ scanner: inout ByteScanner) -> Argument {
    guard scanner.take(UInt8(ascii: "=")) else { return .absent }
    if scanner.current == FieldSyntax.quote {
      // The scan resumes after an unterminated quote, so that the quote hides no directive.
      return scanner.quotedString().map { .text(String(decoding: $0, as: UTF8.self)) }
        ?? .malformed
    }
    let token = scanner.take(while: FieldSyntax.isTokenByte)
    return token.isEmpty ? .malformed : .text(String(decoding: token, as: UTF8.self))
  }
}

/// A non-negative number of seconds as header fields carry it (RFC 9111 section 1.2.2).
package struct DeltaSeconds: Sendable, Hashable {
  /// The value that stands for every greater number.
  package static let greatest: Int64 = 2_147_483_648

  /// The number.
  package let seconds: Int64

  /// Reads one or more digits; `nil` for any other text.
  package init?(_ text: some StringProtocol) {
    guard !text.isEmpty, text.utf8.allSatisfy(FieldSyntax.isDigit) else { return nil }
    // Clamped after every digit, so that no length of digits overflows.
    seconds = text.utf8.reduce(0) { min(Self.greatest, $0 * 10 + Int64($1 - UInt8(ascii: "0"))) }
  }

  /// The number as a duration.
  package var duration: Duration { .seconds(seconds) }
}
