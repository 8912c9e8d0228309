internal import FreshStore

/// The progress of a backup.
public struct BackupProgress: Sendable, Hashable {
  /// Pages copied so far; it never decreases.
  public let pages: Int
  /// The total number of pages.
  public let total: Int
}
