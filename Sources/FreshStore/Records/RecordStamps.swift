public import Strategies

/// Everything the freshness gate may know of a stored record: what a store's chain judges.
///
/// ``lastUpdate`` is on the wall clock of this moment: within one boot it is derived from the boot
/// clock, so a step of the wall clock changes no age.
public struct RecordStamps: Sendable, Hashable, Timestamped, Invalidatable, Versioned {
  /// The collection.
  public let collection: String
  /// The key.
  public let key: String
  /// When the record was last known to equal its source.
  public let lastUpdate: Timestamp?
  /// How long it holds from ``lastUpdate``.
  public let expiry: Expiry
  /// Why it is marked stale; `nil` when it is not.
  public let invalidation: String?
  /// The version of the content the writer declared.
  public let version: Int

  /// Creates stamps.
  public init(
    collection: String, key: String, lastUpdate: Timestamp?, expiry: Expiry,
    invalidation: String? = nil, version: Int = 0
  ) {
    self.collection = collection
    self.key = key
    self.lastUpdate = lastUpdate
    self.expiry = expiry
    self.invalidation = invalidation
    self.version = version
  }
}

extension RecordStamps {
  /// The stamps of a stored record.
  init(_ collection: String, _ key: String, _ record: JudgedRecord, now: ClockReading) {
    self.init(
      collection: collection, key: key, lastUpdate: record.lastUpdate(at: now),
      expiry: record.expiry, invalidation: record.mark, version: record.version)
  }
}

extension StoredRecord {
  /// Why the record is stale whatever its age; `nil` when nothing says so. `coveringReason` is the
  /// words of the invalidation that covers it.
  func invalidation(coveringReason: String?) -> String? {
    mark?.reason ?? (isCovered ? coveringReason ?? "invalidated" : nil)
  }
}
