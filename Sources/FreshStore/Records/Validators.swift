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

  /// True when a conditional request is not possible.
  public var isEmpty: Bool { entityTag == nil && lastModified == nil }
}
