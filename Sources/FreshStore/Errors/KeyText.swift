/// Keys in messages and logs.
package enum KeyText {
  /// A key as others may see it: of a URL neither the user information nor the query, which often carry
  /// secrets.
  package static func shown(_ key: String) -> String {
    // By code points: what follows a delimiter may make one character of both.
    let text = key.unicodeScalars
    guard let mark = text.firstRange(of: "://".unicodeScalars), isScheme(text[..<mark.lowerBound])
    else { return key }
    let rest = text[mark.upperBound...]
    let path = rest.prefix { $0 != "?" }
    let authority = path.prefix { $0 != "/" && $0 != "#" }
    let user = authority.lastIndex(of: "@").map { "…" + String(path[$0...]) } ?? String(path)
    return String(text[..<mark.upperBound]) + user + (path.endIndex == rest.endIndex ? "" : "?…")
  }

  /// What may stand before `://`: a scheme (RFC 3986 section 3.1), or several as in `jdbc:mysql`.
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
