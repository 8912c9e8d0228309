/// Keys in messages and logs.
package enum KeyText {
  /// A key as others may see it: of a URL neither the user information nor the query, which often carry
  /// secrets.
  package static func shown(_ key: String) -> String {
    let scheme = ["http://", "https://"].first { key.prefix($0.count).lowercased() == $0 }
    guard let scheme else { return key }
    let rest = key.dropFirst(scheme.count)
    let path = rest.prefix { $0 != "?" }
    let authority = path.prefix { !"/#".contains($0) }
    let user = authority.lastIndex(of: "@").map { "…" + path[$0...] } ?? String(path)
    return key.prefix(scheme.count) + user + (path.endIndex == rest.endIndex ? "" : "?…")
  }
}
