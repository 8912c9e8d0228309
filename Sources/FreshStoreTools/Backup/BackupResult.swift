internal import FreshStore

/// The content of a backup.
public struct BackupResult: Sendable, Hashable, Codable {
  /// The copy's absolute path.
  public var path: String
  /// The size of the copy in bytes.
  public var bytes: Int
  /// Its records.
  public var records: Int
  /// Its local writes that no source has accepted yet.
  public var localWrites: Int
}
