/// A host that fails as a whole: its breaker guards all fetches that name it, in all processes.
///
/// One origin has one spelling. A URL counts as its scheme, host and port (RFC 6454, section 4), so
/// `https://API.example`, `https://api.example:443/users?page=2` and `https://api.example:443` are equal.
/// Any other text is a label, which is equal only to the same bytes.
public struct Origin: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// `scheme://host:port` of a URL, else the label.
  public let name: String

  /// The origin of a URL, or a label.
  public init(_ text: String) {
    name = Self.normalised(text) ?? text
  }

  /// The origin of a URL, or a label.
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

  /// The normal form of a URL's origin; `nil` for any other text. Reads code points, as a combining mark after a
  /// delimiter would form one character with it.
  private static func normalised(_ url: String) -> String? {
    if isNormal(url) { return url }
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

  /// True for a name as ``normalised(_:)`` writes it, of letters, digits and a few marks in ASCII. A caller that asks
  /// many sources over and over has such names.
  private static func isNormal(_ url: String) -> Bool {
    let text = url.utf8
    guard let end = text.firstIndex(of: UInt8(ascii: ":")), end > text.startIndex,
      text[..<end].allSatisfy(isLowercaseOrDigit), text[end...].starts(with: "://".utf8)
    else { return false }
    let place = text[end...].dropFirst(3)
    guard let colon = place.firstIndex(of: UInt8(ascii: ":")), colon > place.startIndex,
      place[..<colon].allSatisfy({ isLowercaseOrDigit($0) || "-._".utf8.contains($0) })
    else { return false }
    let port = place[colon...].dropFirst()
    return (1...5).contains(port.count) && port.first != UInt8(ascii: "0")
      && port.allSatisfy { (0x30...0x39).contains($0) }
  }

  private static func isLowercaseOrDigit(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
  }
}

/// The verdict of an attempt on its origin.
enum OriginVerdict: Sendable {
  /// The origin answered, with any result.
  case answered
  /// The origin is to blame for a failure.
  case failed(OriginBlame)
  /// No verdict: the attempt failed here, before the origin could answer.
  case unknown

  /// The verdict of several attempts made as one.
  init(of verdicts: [OriginVerdict]) {
    self = .unknown
    for verdict in verdicts {
      switch (self, verdict) {
      case (.failed, _), (_, .unknown): break
      case (_, .failed), (_, .answered): self = verdict
      }
    }
  }
}

/// A failure that an origin is to blame for.
struct OriginBlame: Sendable {
  let message: String
  /// The pause that the origin itself named.
  var namedPause: Duration?
}
