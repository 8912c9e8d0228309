/// One record of a listing: its stamps and the gate's decision on it, without its value.
public struct RecordSummary: Sendable {
  /// The collection.
  public let collection: String
  /// The key.
  public let key: String
  /// The size of the value in bytes.
  public let size: Int
  /// The media type.
  public let contentType: String?
  /// The source's URL or label.
  public let source: String?
  /// The tags, sorted.
  public let tags: [String]
  /// True when the record is never pruned.
  public let isPinned: Bool
  /// True when a local write waits to reach the source.
  public let isPending: Bool
  /// The gate's decision, leaving reachability aside.
  public let decision: Decision
}
