internal import FreshStore

/// The result of a recovery.
public struct RecoveryResult: Sendable, Hashable, Codable {
  /// The absolute path of the new store.
  public var path: String
  /// Local writes recovered.
  public var writes = 0
  /// Local writes that could not be read, which the caller accepted; `nil` when their number is
  /// unknown.
  public var lostWrites: Int? = 0
  /// Records recovered.
  public var records = 0
  /// Records that could not be read; `nil` when their number is unknown.
  public var unreadableRecords: Int? = 0
  /// Recovered records that are marked stale, because marks of the damaged file, their tags, or
  /// their local writes could not be read.
  public var staleRecords = 0
  /// The new file's size in bytes.
  public var bytes = 0

  private enum CodingKeys: String, CodingKey {
    case path, writes, lostWrites, records, unreadableRecords, staleRecords, bytes
  }

  /// An unknown number is encoded as `null`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(path, forKey: .path)
    try container.encode(writes, forKey: .writes)
    try container.encode(lostWrites, forKey: .lostWrites)
    try container.encode(records, forKey: .records)
    try container.encode(unreadableRecords, forKey: .unreadableRecords)
    try container.encode(staleRecords, forKey: .staleRecords)
    try container.encode(bytes, forKey: .bytes)
  }
}
