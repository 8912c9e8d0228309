/// The texts accepted as URLs (RFC 3986).
public struct URLForm: Sendable, Hashable {
  /// The accepted forms of an address without a scheme.
  public enum Reference: String, Sendable, Hashable, Codable {
    /// None.
    case refused
    /// A path, a query or a fragment, relative to a page, as in `../a?b`; also `//host/path`.
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
  /// The scheme of a text that begins with a host, such as `https` for `example.com/a`; `nil` when
  /// such a text is refused.
  public var defaultScheme: String?
  /// The accepted forms of a text without a scheme.
  public var reference: Reference
  /// Whether a user's name and password may precede the host: refused by default, because they
  /// deceive readers and end up in logs.
  public var allowsUser: Bool
  /// Whether letters of any script may stand in the host, visible characters of any script after it
  /// (RFC 3987).
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
