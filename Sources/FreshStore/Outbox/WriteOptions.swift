/// The facts that a local write states beside its value.
public struct WriteOptions: Sendable, Hashable {
  /// True when the write, a replacement or a deletion, may replace the previous one, if that one is
  /// a creation or a replacement for the same source and was never sent: the source then receives
  /// both as one, and a creation with its deletion not at all, unless it is known to hold the
  /// object. The entry keeps its number and its place. A write that is based on another version than
  /// the present one never does.
  public var coalesces: Bool
  /// Labels by which the record can be marked stale; `nil` keeps those it has.
  public var tags: Set<String>?
  /// The address to send the write to; `nil` keeps the record's address.
  public var address: String?
  /// The media type of the value; `nil` keeps the record's, or without one uses the codec's
  /// (``Codec/mediaType``).
  public var contentType: String?
  /// Those of a higher priority are sent first; 0 by default. Among writes of one priority the one that is due
  /// for longest goes first: since it was written or last tried, and after a failure since the end of its pause.
  public var priority: Int
  /// The number of a local write, of any key and any collection, before which this one is not sent, such
  /// as a report before its photo: it waits until the source has accepted that one, or it was dropped. While
  /// that one is parked, it waits. Where a merge has taken that one's place, it waits for the merge.
  /// One that is not in the outbox any more was settled, and is not waited for; a number that no local write
  /// has ever had is refused (`invalidArgument`).
  public var after: OutboxEntry.ID?

  /// Creates options; the defaults state nothing.
  public init(
    coalesces: Bool = false, tags: Set<String>? = nil, address: String? = nil,
    contentType: String? = nil, priority: Int = 0, after: OutboxEntry.ID? = nil
  ) {
    self.coalesces = coalesces
    self.tags = tags
    self.address = address
    self.contentType = contentType
    self.priority = priority
    self.after = after
  }
}
