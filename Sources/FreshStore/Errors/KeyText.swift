/// Keys in messages and logs.
package enum KeyText {
  /// A key as others may see it: a URL loses its user information and query, which often carry
  /// secrets.
  package static func shown(_ key: String) -> String {
    // By code points: a combining mark after a delimiter would join it to one character.
    let text = key.unicodeScalars
    guard let mark = text.firstRange(of: "://".unicodeScalars), isScheme(text[..<mark.lowerBound])
    else { return key }
    let rest = text[mark.upperBound...]
    let path = rest.prefix { $0 != "?" }
    let authority = path.prefix { $0 != "/" && $0 != "#" }
    let user = authority.lastIndex(of: "@").map { "…" + String(path[$0...]) } ?? String(path)
    return String(text[..<mark.upperBound]) + user + (path.endIndex == rest.endIndex ? "" : "?…")
  }

  /// Text that may precede `://`: a scheme (RFC 3986 section 3.1), or several as in `jdbc:mysql`.
  private static func isScheme(_ text: Substring.UnicodeScalarView) -> Bool {
    !text.isEmpty
      && text.allSatisfy { scalar in
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "+", "-", ".", ":": true
        default: false
        }
      }
  }
}
