/// A record as the hosts of a fleet share it.
public struct SharedRecord: Sendable, Hashable {
  /// True when the source says that the object does not exist.
  public var isAbsent: Bool
  /// The value's bytes; `nil` for an absent one, and for a value that stays with the host that has it: every other host
  /// asks the source for itself, without a lease, and waits for nobody.
  public var value: [UInt8]?
  /// The tags: a mark of one of them covers the record.
  public var tags: [[UInt8]]
  /// The other stamps, in the form of the store; the tier does not read them.
  public var stamps: [UInt8]
  /// The time since the record was last known to equal its source.
  public var age: Duration
  /// The time for which it is fresh, from its last update; `nil` for ever.
  public var lifetime: Duration?
  /// Of a record that lands: the time from the moment at which its host heard of the lease to the record's last
  /// update, by the host's clock; less than nothing where the source has stated that it is older. The tier takes no
  /// record for younger than this after the grant, however late the landing arrives; `nil` counts as zero.
  public var updatedAfterGrant: Duration?

  /// Creates a record.
  public init(
    value: [UInt8]?, isAbsent: Bool = false, tags: [[UInt8]] = [], stamps: [UInt8] = [],
    age: Duration = .zero, lifetime: Duration? = nil, updatedAfterGrant: Duration? = nil
  ) {
    (self.value, self.isAbsent, self.tags, self.stamps) = (value, isAbsent, tags, stamps)
    (self.age, self.lifetime, self.updatedAfterGrant) = (age, lifetime, updatedAfterGrant)
  }
}

/// A fresh record of the shared tier that no mark covers.
public struct SharedFinding: Sendable, Hashable {
  /// The record.
  public let record: SharedRecord
  /// Distinguishes it from every other record that this key has or had.
  public let edition: Int64
  /// The number of the newest mark when its source was asked.
  public let number: Int64
  /// The host that brought it.
  public let owner: String

  /// Creates a finding.
  public init(record: SharedRecord, edition: Int64, number: Int64, owner: String) {
    (self.record, self.edition, self.number, self.owner) = (record, edition, number, owner)
  }
}
