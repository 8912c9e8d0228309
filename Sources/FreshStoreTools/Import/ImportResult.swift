internal import FreshStore

/// What an import did.
public struct ImportResult: Sendable, Hashable, Codable {
  /// Records read.
  public var records = 0
  /// Records stored.
  public var imported = 0
  /// Records left as they are here, because the copy here is as new or newer.
  public var kept = 0
  /// Records left as they are here, because a local write of theirs waits for its source.
  public var pending = 0
  /// Lines refused.
  public var refused = 0
  /// Bytes of the values stored.
  public var bytes = 0
  /// True when nothing was written: what would be imported was only counted.
  public var isDryRun = false

  /// An empty result.
  public init() {}
}
