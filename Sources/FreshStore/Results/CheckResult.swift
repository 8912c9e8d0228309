/// What a check of the whole file found.
public struct CheckResult: Sendable, Hashable, Codable {
  /// A record, or a local write of it, that cannot be used as it is.
  public struct DamagedRecord: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The record's collection.
    public var collection: String
    /// The record's key.
    public var key: String
    /// What is wrong.
    public var problem: String

    /// All of it in one line.
    public var description: String { "\(collection)/\(key): \(problem)" }
  }

  /// What SQLite's `integrity_check` says of the file's structure, and what kept the check from
  /// looking at everything; empty when all is well.
  public var problems: [String]
  /// Every record that is damaged, as far as its name can be read.
  public var damagedRecords: [DamagedRecord]
  /// Records looked at.
  public var records: Int

  /// True when nothing was found.
  public var isSound: Bool { problems.isEmpty && damagedRecords.isEmpty }

  /// Everything that was found, a line each.
  public var findings: [String] { problems + damagedRecords.map { "\($0)" } }
}
