internal import FreshHTTP

/// References to the origin in the answers of a reverse proxy, whose clients may not reach the origin.
///
/// They become paths, which clients resolve against the address they requested. So answers are the same for all
/// clients. Copies keep the references as the origin sent them. References to other hosts stay as they are.
struct OriginReferences: Sendable, Hashable {
  /// The origin, always with its port.
  let base: String
  private let scheme: String
  /// The spellings of its host and port, in lower case.
  private let authorities: Set<String>

  init(to origin: HTTPAddress) {
    base = origin.origin
    scheme = origin.scheme.rawValue
    let (host, port) = (origin.host, origin.port)
    var authorities: Set = ["\(host):\(port)"]
    if port == origin.scheme.defaultPort { authorities.formUnion([host, "\(host):"]) }
    self.authorities = authorities
  }

  /// The fields for clients, with new values for `Location`, `Content-Location` (RFC 9110 sections 10.2.2 and 8.7) and
  /// `Refresh`, which HTML defines.
  func rewritten(_ fields: HeaderFields) -> HeaderFields {
    guard fields.lines.contains(where: { Self.kind(of: $0.name) != nil }) else { return fields }
    return HeaderFields(
      fields.lines.map { line in
        switch Self.kind(of: line.name) {
        case .reference?: HeaderFields.Line(name: line.name, value: path(of: line.value))
        case .refresh?: HeaderFields.Line(name: line.name, value: refresh(line.value))
        case nil: line
        }
      })
  }

  private enum Kind { case reference, refresh }

  private static func kind(of name: String) -> Kind? {
    switch name.utf8.count {
    case 7: FieldSyntax.equalIgnoringCase(name, "Refresh") ? .refresh : nil
    case 8: FieldSyntax.equalIgnoringCase(name, "Location") ? .reference : nil
    case 16: FieldSyntax.equalIgnoringCase(name, "Content-Location") ? .reference : nil
    default: nil
    }
  }

  /// The path of a reference to the origin; any other reference unchanged.
  func path(of reference: String) -> String {
    guard let rest = target(of: reference) else { return reference }
    guard rest.utf8.first == FieldSyntax.slash else { return "/\(rest)" }
    // Two slashes would begin a host (RFC 3986 section 4.2); browsers accept a backslash for either.
    let second = rest.utf8.dropFirst().first
    let isHost = second == FieldSyntax.slash || second == FieldSyntax.backslash
    return isHost ? "/.\(rest)" : String(rest)
  }

  /// The text behind the host of a reference to the origin; `nil` for any other reference.
  private func target(of reference: String) -> Substring? {
    // Browsers remove some control characters anywhere in a reference.
    guard reference.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
    var rest = reference[...]
    if rest.utf8.first != FieldSyntax.slash {
      guard let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")),
        FieldSyntax.equalIgnoringCase(rest[..<colon], scheme)
      else { return nil }
      rest = rest[rest.utf8.index(after: colon)...]
    }
    guard rest.utf8.starts(with: "//".utf8) else { return nil }
    rest = rest[rest.utf8.index(rest.startIndex, offsetBy: 2)...]
    let end = rest.utf8.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
    guard authorities.contains(FieldSyntax.lowercased(rest[..<end])) else { return nil }
    return rest[end...]
  }

  /// A number of seconds, then the reference: `5; url=/a`. The reference may be in quotes.
  private func refresh(_ value: String) -> String {
    guard let separator = value.utf8.firstIndex(where: { ";,".utf8.contains($0) }) else {
      return value
    }
    var rest = Self.next(value[value.utf8.index(after: separator)...])
    let word = String(decoding: rest.utf8.prefix(3), as: UTF8.self)
    if FieldSyntax.equalIgnoringCase(word, "url") {
      let sign = Self.next(rest[rest.utf8.index(rest.startIndex, offsetBy: 3)...])
      if sign.utf8.first == FieldSyntax.equals {
        rest = Self.next(sign[sign.utf8.index(after: sign.startIndex)...])
      }
    }
    if let quote = rest.utf8.first, quote == FieldSyntax.quote || quote == UInt8(ascii: "'") {
      rest = rest[rest.utf8.index(after: rest.startIndex)...]
      rest = rest[..<(rest.utf8.firstIndex(of: quote) ?? rest.endIndex)]
    }
    let path = path(of: String(rest))
    return "\(value[..<rest.startIndex])\(path)\(value[rest.endIndex...])"
  }

  /// The text without leading white space.
  private static func next(_ text: Substring) -> Substring {
    let start = text.utf8.firstIndex { !FieldSyntax.isWhitespace($0) } ?? text.endIndex
    return text[start...]
  }
}
