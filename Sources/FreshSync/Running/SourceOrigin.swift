/// The origin of a record, by which limits and pauses are counted.
enum SourceOrigin {
  /// The origin a policy names, else scheme, host and port of a URL source, else the collection.
  static func name(policy: String?, source: String?, collection: String) -> String {
    policy ?? source.flatMap(origin) ?? collection
  }

  /// Scheme, host and port of a URL (RFC 6454 section 4), in lower case; `nil` for another text.
  private static func origin(of source: String) -> String? {
    // By code points: a mark after a delimiter may form one character with it.
    let text = source.unicodeScalars
    guard let scheme = text.firstRange(of: "://".unicodeScalars),
      scheme.lowerBound > text.startIndex
    else { return nil }
    let rest = text[scheme.upperBound...]
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    // The part before an at sign is a name and a password.
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] }
    let name = host ?? authority
    guard !name.isEmpty else { return nil }
    return (String(text[..<scheme.lowerBound]) + "://" + String(name)).lowercased()
  }
}
