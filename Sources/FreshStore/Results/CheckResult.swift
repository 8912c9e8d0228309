/// The findings of a check of the whole file.
public struct CheckResult: Sendable, Hashable, Codable {
  /// A record, a local write of it, or the known state of its source below those, that cannot be used as it is.
  public struct DamagedRecord: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The record's collection.
    public var collection: String
    /// The record's key.
    public var key: String
    /// The problem, which says so where it is not the record's own.
    public var problem: String

    /// All fields in one line.
    public var description: String { "\(collection)/\(key): \(problem)" }
  }

  /// The findings of SQLite's `integrity_check` about the file's structure, and the reasons that
  /// cut the check short; empty when all is well.
  public var problems: [String]
  /// Every damaged record whose name can be read.
  public var damagedRecords: [DamagedRecord]
  /// Records looked at.
  public var records: Int

  /// True when there are no findings.
  public var isSound: Bool { problems.isEmpty && damagedRecords.isEmpty }

  /// All findings, one per line.
  package var findings: [String] { problems + damagedRecords.map { "\($0)" } }
}
