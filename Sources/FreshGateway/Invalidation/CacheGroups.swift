/// The groups of RFC 9875, which are tags of the stored answers.
enum CacheGroups {
  /// The members of a `Cache-Groups` or `Cache-Group-Invalidation` field; empty when it is no list of
  /// strings (section 2). Their number and length are bounded, as that section allows.
  static func read(_ field: String?) -> [String] {
    guard let field, let items = StructuredFields.list(field) else { return [] }
    var groups: [String] = []
    for item in items.prefix(greatestCount) {
      guard case .string(let group) = item else { return [] }
      if group.utf8.count <= greatestLength, !groups.contains(group) {
        groups.append(group)
      }
    }
    return groups
  }

  /// The tag of a group: groups are of one origin (section 2).
  static func tag(_ group: String, origin: String) -> String { "\(origin) \(group)" }

  private static let greatestCount = 128
  private static let greatestLength = 128
}
