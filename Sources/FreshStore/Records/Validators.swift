/// The validators that let a source answer "not modified": kept as the source sent them, never
/// interpreted.
public struct Validators: Sendable, Hashable, Codable {
  /// The entity tag, quotes and weakness mark included (RFC 9110 section 8.8.3).
  public var entityTag: String?
  /// The source's own modification date (RFC 9110 section 8.8.2), as text.
  public var lastModified: String?

  /// Creates validators.
  public init(entityTag: String? = nil, lastModified: String? = nil) {
    self.entityTag = entityTag
    self.lastModified = lastModified
  }

  /// Equal by bytes: to a source, as to HTTP, two spellings of one character are two.
  public static func == (left: Validators, right: Validators) -> Bool {
    isSame(left.entityTag, right.entityTag) && isSame(left.lastModified, right.lastModified)
  }

  private static func isSame(_ left: String?, _ right: String?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return left.utf8.elementsEqual(right.utf8)
  }

  /// True when a conditional request is not possible.
  public var isEmpty: Bool { entityTag == nil && lastModified == nil }
}
