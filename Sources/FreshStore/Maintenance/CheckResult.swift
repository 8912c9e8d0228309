/// What a check of the whole file found.
public struct CheckResult: Sendable, Hashable, Codable {
  /// What SQLite's `integrity_check` says of the file's structure; empty when all is well.
  public var problems: [String]
  /// Records whose checksum does not match, as `collection/key`.
  public var damagedRecords: [String]
  /// Records looked at.
  public var records: Int

  /// True when nothing was found.
  public var isSound: Bool { problems.isEmpty && damagedRecords.isEmpty }
}
