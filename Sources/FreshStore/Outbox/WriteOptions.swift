/// What a local write states beside its value.
public struct WriteOptions: Sendable, Hashable {
  /// True when the write, a replacement or a deletion, may take the place of the one before it, should
  /// that one be a creation or a replacement that goes to the same source and was never sent: the source
  /// then hears of both as one, and of a creation with its deletion not at all, unless it is known to
  /// hold the object. The entry keeps its number and its place.
  public var coalesces: Bool
  /// Labels by which the record can be marked stale; `nil` keeps those it has.
  public var tags: Set<String>?
  /// Where the write is to be sent, for people and for who pushes it; `nil` keeps what the record
  /// names.
  public var source: String?
  /// The media type of the value; `nil` keeps what the record states, and where that states none it is
  /// the codec's (``Codec/mediaType``).
  public var contentType: String?

  /// Creates options; the defaults state nothing.
  public init(
    coalesces: Bool = false, tags: Set<String>? = nil, source: String? = nil,
    contentType: String? = nil
  ) {
    self.coalesces = coalesces
    self.tags = tags
    self.source = source
    self.contentType = contentType
  }
}
