/// The texts accepted as URLs (RFC 3986).
public struct URLForm: Sendable, Hashable {
  /// The accepted forms of an address without a scheme.
  public enum Reference: String, Sendable, Hashable, Codable {
    /// None.
    case refused
    /// A path, a query or a fragment relative to a page, as in `../a?b`; also `//host/path`.
    case relative
  }

  /// The accepted hosts.
  public enum Host: String, Sendable, Hashable, Codable {
    /// Names with a dot in them and IP addresses.
    case dotted
    /// Also names without a dot, such as `localhost`.
    case any
    /// Also none at all, as in `mailto:a@b.c` or `file:///etc`.
    case optional
  }

  /// The schemes that are accepted, in lower case.
  public var schemes: [String]
  /// The accepted hosts.
  public var host: Host
  /// The scheme of a text that begins with a host, such as `https` for `example.com/a`; `nil` to refuse such a text.
  public var defaultScheme: String?
  /// The accepted forms of a text without a scheme.
  public var reference: Reference
  /// Whether a user's name and password may precede the host. Refused by default, because they deceive readers and
  /// end up in logs.
  public var allowsUser: Bool
  /// Whether the host may have letters of any script, and the rest visible characters of any script (RFC 3987).
  public var isInternational: Bool

  /// Creates a form.
  public init(
    schemes: [String], host: Host = .dotted, defaultScheme: String? = nil,
    reference: Reference = .refused, allowsUser: Bool = false, isInternational: Bool = false
  ) {
    self.schemes = schemes.map { $0.lowercased() }
    self.host = host
    self.defaultScheme = defaultScheme?.lowercased()
    self.reference = reference
    self.allowsUser = allowsUser
    self.isInternational = isInternational
  }

  /// An absolute address of the web: `http` or `https`, a host with a dot.
  public static let web = URLForm(schemes: ["http", "https"])
  /// The same, with hosts such as `localhost` too.
  public static let webOrLocal = URLForm(schemes: ["http", "https"], host: .any)
  /// The same as ``web``, or a reference relative to a page.
  public static let webOrRelative = URLForm(schemes: ["http", "https"], reference: .relative)

  /// Any absolute URL of these schemes, with or without a host.
  public static func schemes(_ schemes: String...) -> URLForm {
    URLForm(schemes: schemes, host: .optional)
  }
}

/// Reads a URL from front to back, by the grammar of RFC 3986, appendix A.
struct URLScanner {
  private let form: URLForm
  private var cursor: TextCursor

  /// True when the text is a URL of this form. Takes one pass, or two for a text without a scheme.
  static func accepts(_ text: String, _ form: URLForm) -> Bool {
    let start = URLScanner(form: form, cursor: TextCursor(text))
    guard !start.cursor.isAtEnd else { return false }
    for scheme in form.schemes {
      var absolute = start
      if absolute.cursor.take(word: scheme), absolute.cursor.take(":") {
        if absolute.takeAbsolute(), absolute.cursor.isAtEnd { return true }
        break
      }
    }
    if form.defaultScheme != nil {
      var bare = start
      if bare.takeAuthority(), bare.takeRest(), bare.cursor.isAtEnd { return true }
    }
    var relative = start
    return form.reference == .relative && relative.takeRelative() && relative.cursor.isAtEnd
  }

  private mutating func takeAbsolute() -> Bool {
    if takeDoubleSlash() {
      if form.host == .optional, cursor.next == "/" { return takeRest() }
      return takeAuthority() && takeRest()
    }
    return form.host == .optional && !cursor.isAtEnd && takeTail()
  }

  private mutating func takeRelative() -> Bool {
    if takeDoubleSlash() { return takeAuthority() && takeRest() }
    // A colon in the first segment would make it a scheme (section 4.2).
    var ahead = self
    while let scalar = ahead.cursor.next, scalar != "/", scalar != "?", scalar != "#" {
      if scalar == ":" { return false }
      ahead.cursor.advance()
    }
    return takeTail()
  }

  private mutating func takeDoubleSlash() -> Bool {
    var ahead = cursor
    guard ahead.take("/"), ahead.take("/") else { return false }
    cursor = ahead
    return true
  }

  private mutating func takeAuthority() -> Bool {
    var ahead = self
    if ahead.takeUser() {
      guard form.allowsUser else { return false }
      self = ahead
    }
    guard takeHost() else { return false }
    guard cursor.take(":") else { return true }
    var port = 0
    let digits = cursor.take(upTo: 5) { scalar in
      guard scalar.isASCIIDigit else { return false }
      port = port * 10 + scalar.digitValue
      return true
    }
    return digits > 0 && port <= 65_535
  }

  private mutating func takeUser() -> Bool {
    while takeCharacter(or: .colon) {}
    return cursor.take("@")
  }

  private mutating func takeHost() -> Bool {
    if cursor.take("[") { return cursor.takeIPv6() && cursor.take("]") }
    var address = cursor
    if address.takeIPv4(), address.next.map(Self.endsHost) ?? true {
      cursor = address
      return true
    }
    guard let name = cursor.takeDomainName(international: form.isInternational) else {
      return false
    }
    return !name.lastIsNumeric && (name.labels > 1 || form.host != .dotted)
  }

  private static func endsHost(_ scalar: Unicode.Scalar) -> Bool {
    scalar == ":" || scalar == "/" || scalar == "?" || scalar == "#"
  }

  /// Takes the part after an authority.
  private mutating func takeRest() -> Bool {
    cursor.next.map { $0 == "/" || $0 == "?" || $0 == "#" } ?? true ? takeTail() : false
  }

  /// Takes a path, a query and a fragment, each of which may be empty.
  private mutating func takeTail() -> Bool {
    while takeCharacter(or: .path) {}
    if cursor.take("?") { while takeCharacter(or: .query) {} }
    if cursor.take("#") { while takeCharacter(or: .query) {} }
    return true
  }

  /// The delimiters that have no meaning in a part of a URL.
  private enum Delimiters {
    case colon, path, query

    func contains(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar {
      case ":": true
      case "@", "/": self != .colon
      case "?": self == .query
      default: false
      }
    }
  }

  /// Takes one of the unreserved characters and subdelimiters, a percent-encoded octet, or one of `others`.
  private mutating func takeCharacter(or others: Delimiters) -> Bool {
    guard let scalar = cursor.next else { return false }
    if scalar == "%" {
      var ahead = cursor
      ahead.advance()
      guard ahead.take(upTo: 2, while: \.isHexadecimalDigit) == 2 else { return false }
      cursor = ahead
      return true
    }
    guard isPlain(scalar) || others.contains(scalar) else { return false }
    cursor.advance()
    return true
  }

  private func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCIILetterOrDigit { return true }
    switch scalar {
    case "-", ".", "_", "~", "!", "$", "&", "'", "(", ")", "*", "+", ",", ";", "=": return true
    default: return form.isInternational && !scalar.isASCII && scalar.isVisible
    }
  }
}
