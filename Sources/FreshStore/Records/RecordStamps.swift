public import Strategies

/// The facts about a stored record that the freshness gate may use: a store's chain judges them.
///
/// ``lastUpdate`` is on the current wall clock: within one boot it is derived from the boot clock,
/// so a step of the wall clock changes no age.
public struct RecordStamps: Sendable, Hashable, Timestamped, Invalidatable, Versioned {
  /// The collection.
  public let collection: String
  /// The key.
  public let key: String
  /// When the record was last known to equal its source.
  public let lastUpdate: Timestamp?
  /// How long it is valid from ``lastUpdate``.
  public let expiry: Expiry
  /// The reason for its stale mark; `nil` when it is not marked.
  public let invalidation: String?
  /// The content version that the writer declared.
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
  /// The reason why the record is stale whatever its age; `nil` when there is none.
  /// `coveringReason` is the reason of the invalidation that covers it.
  func invalidation(coveringReason: String?) -> String? {
    mark?.reason ?? (isCovered ? coveringReason ?? "invalidated" : nil)
  }
}
