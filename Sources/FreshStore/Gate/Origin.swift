/// A host that fails as a whole: its breaker guards all fetches that name it, in all processes.
///
/// One origin has one spelling. A URL stands for its scheme, host and port (RFC 6454, section 4), so
/// `https://API.example`, `https://api.example:443/users?page=2` and `https://api.example:443` are equal;
/// any other text is a label that is equal to the same bytes only.
public struct Origin: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// `scheme://host:port` of a URL, else the label.
  public let name: String

  /// The origin of a URL, or a label.
  public init(_ text: String) {
    name = Self.normalised(text) ?? text
  }

  /// As ``init(_:)``.
  public init(stringLiteral text: String) {
    self.init(text)
  }

  /// The origin of a URL; `nil` for any other text.
  public init?(url text: String) {
    guard let name = Self.normalised(text) else { return nil }
    self.name = name
  }

  /// The name.
  public var description: String { name }

  /// By bytes, as the database compares.
  public static func == (left: Origin, right: Origin) -> Bool {
    left.name.hasSameBytes(as: right.name)
  }

  /// By bytes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ExactName(name))
  }

  /// The ports that schemes imply.
  private static let ports = ["http": 80, "https": 443, "ws": 80, "wss": 443]

  /// Reads code points, as a mark after a delimiter may form one character with it.
  private static func normalised(_ url: String) -> String? {
    let text = url.unicodeScalars
    guard let end = text.firstRange(of: "://".unicodeScalars), end.lowerBound > text.startIndex
    else { return nil }
    let scheme = String(text[..<end.lowerBound]).lowercased()
    let authority = text[end.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    // The user information ends with an at sign.
    let start = authority.lastIndex(of: "@").map(authority.index(after:)) ?? authority.startIndex
    let place = authority[start...]
    guard !place.isEmpty else { return nil }
    // Brackets enclose the colons of an IPv6 address.
    let close = place.lastIndex(of: "]") ?? place.startIndex
    let colon = place[close...].lastIndex(of: ":")
    let host = String(place[..<(colon ?? place.endIndex)]).lowercased()
    let digits = colon.map { String(place[place.index(after: $0)...]) } ?? ""
    let isNumber = digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
    guard isNumber, let port = digits.isEmpty ? ports[scheme] : Int(digits) else {
      return "\(scheme)://\(host)" + (digits.isEmpty ? "" : ":\(digits)")
    }
    return "\(scheme)://\(host):\(port)"
  }
}
