/// Keys in messages and logs.
package enum KeyText {
  /// A key as others may see it: of a URL neither the user information nor the query, which often carry
  /// secrets.
  package static func shown(_ key: String) -> String {
    // By code points: what follows a delimiter may make one character of both.
    let text = key.unicodeScalars
    let scheme = ["http://", "https://"].first {
      String(text.prefix($0.count)).lowercased().hasSameBytes(as: $0)
    }
    guard let scheme else { return key }
    let rest = text.dropFirst(scheme.count)
    let path = rest.prefix { $0 != "?" }
    let authority = path.prefix { $0 != "/" && $0 != "#" }
    let user = authority.lastIndex(of: "@").map { "…" + String(path[$0...]) } ?? String(path)
    return String(text.prefix(scheme.count)) + user
      + (path.endIndex == rest.endIndex ? "" : "?…")
  }
}
