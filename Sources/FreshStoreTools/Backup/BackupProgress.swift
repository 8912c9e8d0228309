internal import FreshStore

/// How far a backup is.
public struct BackupProgress: Sendable, Hashable {
  /// Pages copied so far; never fewer than before.
  public let pages: Int
  /// Pages there are to copy.
  public let total: Int
}
