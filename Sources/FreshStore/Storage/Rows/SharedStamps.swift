internal import Strategies

/// The fields that a host needs of a record of the fleet beside its value. They also show that none of it was
/// changed in flight.
struct SharedStamps: FieldCoded, Sendable {
  private var codec: String?
  private var contentVersion: Int64?
  private var expiry: Int64?
  private var mustRevalidate: Int64?
  private var details: [UInt8]?
  private var contentChecksum: Int64?
  private var checksum: Int64?
  private var later: [UInt8] = []

  init() {}

  mutating func visit(_ visitor: inout some FieldVisitor) {
    visitor.text(1, &codec)
    visitor.integer(2, &contentVersion)
    visitor.integer(3, &expiry)
    visitor.integer(4, &mustRevalidate)
    visitor.bytes(5, &details)
    visitor.integer(6, &contentChecksum)
    visitor.integer(7, &checksum)
    visitor.later(&later)
  }

  private func sum(of key: SharedKey, _ record: SharedRecord) -> Int64 {
    var sum = Checksum()
    sum.combine(key.collection)
    sum.combine(key.key)
    sum.combine(Int64(record.isAbsent ? 1 : 0))
    for tag in record.tags { sum.combine(tag) }
    sum.combine(codec)
    sum.combine(contentVersion)
    sum.combine(expiry)
    sum.combine(mustRevalidate)
    sum.combine(details)
    sum.combine(contentChecksum)
    return Int64(bitPattern: sum.value)
  }
}

extension SharedRecord {
  /// A stored record as the fleet gets it.
  ///
  /// - Parameter heard: When the host heard of the lease; `nil` where that is not known.
  init(_ record: StoredRecord, tags: [String], heard: ClockReading?, now: ClockReading) {
    let content = record.content
    let age = record.lastUpdate(at: now).map { max(.zero, now.wall.duration(since: $0)) }
    let lifetime: Duration? =
      switch content.expiry {
      case .after(let duration): duration
      case .never: nil
      case .immediately, .unstated: .zero
      }
    self.init(
      // A value that was not read is too long to leave its host.
      value: record.kind == .absent || content.blocks != nil && content.value == nil
        ? nil : content.value ?? [],
      isAbsent: record.kind == .absent,
      tags: tags.sorted().map { Array($0.utf8) }, age: age ?? .zero,
      // Without a last update it is unknown how long it is fresh.
      lifetime: age == nil ? .zero : lifetime,
      updatedAfterGrant: heard.map {
        Duration.milliseconds(now.sinceBoot - $0.sinceBoot) - (age ?? .zero)
      })
    stamps = SharedStamps(record, as: self, of: SharedKey(content.collection, content.key)).encoded
  }

  /// The record that the fleet gets in place of one that no other host could use. For this time each host asks the
  /// source for itself, and waits for no other.
  init(withholding tags: [String], for duration: Duration, heard: ClockReading?, now: ClockReading)
  {
    self.init(
      value: nil, tags: tags.sorted().map { Array($0.utf8) }, lifetime: duration,
      updatedAfterGrant: heard.map { .milliseconds(now.sinceBoot - $0.sinceBoot) })
  }

  /// True for a record whose value stays with the host that has it: no other host's fetch brings that nearer.
  var isWithoutValue: Bool { value == nil && !isAbsent }

  /// True for a record that was never fresh.
  var isOver: Bool { lifetime.map { $0 <= age } ?? false }

  /// The write of this record here; `nil` for a damaged record, or one of another kind of store.
  ///
  /// - Parameters:
  ///   - copy: The present record. Its value counts as the value of a record whose value stays with another host,
  ///     if both are the same.
  ///     if both are the same.
  ///   - asked: The time at which the record was asked for.
  func write(
    _ collection: String, _ key: String, over copy: StoredRecord?, asked: ClockReading
  ) -> Storage.Write? {
    let stamps = SharedStamps(encoded: self.stamps)
    guard var content = stamps.content(collection, key, of: self) else { return nil }
    content.lastUpdate = asked.wall.advanced(by: .zero - max(.zero, age))
    var tags: Set<String> = []
    for bytes in self.tags {
      guard let tag = String(validating: bytes, as: UTF8.self) else { return nil }
      tags.insert(tag)
    }
    if !isAbsent {
      if let value {
        guard stamps.describes(StoredRecord.checksum(of: value)) else { return nil }
        content.value = value
      } else {
        guard let copy, copy.isIntact, copy.kind == .value, stamps.describes(copy.contentChecksum)
        else { return nil }
        content.keepValue(of: copy.content)
      }
    }
    return Storage.Write(
      content: content, kind: isAbsent ? .absent : .value, tags: tags, statedAt: asked)
  }
}

extension StoredRecord {
  /// The greatest age of a record of the fleet that is no older than this one; `nil` where any age will do.
  func mostAgeInFleet(at now: ClockReading) -> Duration? {
    guard isIntact, kind != .unfetched, let update = lastUpdate(at: now) else { return nil }
    // It may be the same one: the way to the fleet and back takes some time.
    return max(.zero, now.wall.duration(since: update)) + .seconds(1)
  }
}

extension SharedStamps {
  fileprivate init(_ record: StoredRecord, as shared: SharedRecord, of key: SharedKey) {
    codec = record.content.codec
    contentVersion = record.content.contentVersion
    expiry = record.content.expiry.stored
    mustRevalidate = record.content.mustRevalidate ? 1 : nil
    details = record.content.storedDetails
    contentChecksum = record.contentChecksum
    checksum = sum(of: key, shared)
  }

  /// The content without its value; `nil` when the stamps are not whole.
  fileprivate func content(
    _ collection: String, _ key: String, of record: SharedRecord
  ) -> RecordContent? {
    guard let codec, let contentVersion, let checksum,
      checksum == sum(of: SharedKey(collection, key), record)
    else { return nil }
    var content = RecordContent(
      collection: collection, key: key, expiry: Expiry(stored: expiry))
    content.codec = codec
    content.contentVersion = contentVersion
    content.mustRevalidate = mustRevalidate != nil
    content.storedDetails = details
    return content
  }

  /// True for the checksum of the value that they were made for.
  fileprivate func describes(_ checksum: Int64) -> Bool { contentChecksum == checksum }
}
