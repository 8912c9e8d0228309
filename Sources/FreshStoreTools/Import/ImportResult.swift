internal import FreshStore

/// The result of an import.
public struct ImportResult: Sendable, Hashable, Codable {
  /// Records read.
  public var records = 0
  /// Records stored.
  public var imported = 0
  /// Records left unchanged, because the existing copy is as new or newer.
  public var kept = 0
  /// Records left unchanged, because their local write waits for its source.
  public var pending = 0
  /// Lines refused.
  public var refused = 0
  /// Bytes of the values stored.
  public var bytes = 0
  /// True when nothing was written: records were only counted.
  public var isDryRun = false

  /// An empty result.
  package init() {}
}
