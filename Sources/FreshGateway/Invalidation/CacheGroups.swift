/// The groups of RFC 9875, which are tags of the stored answers.
enum CacheGroups {
  /// The members of a `Cache-Groups` or `Cache-Group-Invalidation` field; empty when it is no list of
  /// strings (section 2). Their number and length are bounded, as that section allows: those beyond are left out.
  static func read(_ field: String?) -> [String] {
    guard let field, let groups = members(field) else { return [] }
    return distinct(groups.prefix(greatestCount).filter { $0.utf8.count <= greatestLength })
  }

  /// The members of a field of a request, whose sender hears what is wrong with it: none is left out.
  static func readAll(_ field: String) throws(RequestRefusal) -> [String] {
    guard let groups = members(field), !groups.isEmpty else {
      throw .malformed("Cache-Groups is a list of strings, as in \"news\", \"sport\"")
    }
    guard groups.count <= greatestCount, groups.allSatisfy({ $0.utf8.count <= greatestLength })
    else {
      throw .malformed(
        "Cache-Groups names up to \(greatestCount) groups of up to \(greatestLength) bytes: send several requests"
      )
    }
    return distinct(groups)
  }

  private static func distinct(_ groups: [String]) -> [String] {
    groups.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  private static func members(_ field: String) -> [String]? {
    guard let items = StructuredFields.list(field) else { return nil }
    var groups: [String] = []
    for item in items {
      guard case .string(let group) = item else { return nil }
      groups.append(group)
    }
    return groups
  }

  /// The tag of a group: groups are of one origin (section 2).
  static func tag(_ group: String, origin: String) -> String { "\(origin) \(group)" }

  private static let greatestCount = 128
  private static let greatestLength = 128
}
