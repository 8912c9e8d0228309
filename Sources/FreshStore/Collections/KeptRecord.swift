internal import Strategies

/// A stored record, for a caller that judges it by its own rules, such as the rules of HTTP.
package struct KeptRecord<Value: Sendable>: Sendable {
  /// The key.
  package let key: String
  /// The value; `nil` where it was not read.
  package let value: Value?
  /// The size of the value in the file, in bytes; 0 where the value comes from memory.
  package let size: Int
  /// The place of a value that is longer than a block; `nil` for a value that lies in its row.
  package let blocks: ContentReference?
  /// Shows all processes that the blocks are being read, as long as this record is held.
  let reading: ContentReading?
  /// The ``FetchDetails/variant``.
  package let variant: String?
  /// The ``FetchDetails/metadata``.
  package let metadata: String?
  /// The time since its last update, by the boot clock within one boot.
  package let age: Duration
  /// The reason of the explicit mark that the record carries, or that covers it. Expiry is no such mark.
  package let mark: String?
  /// The time since that mark; zero where its moment is not known.
  package let markAge: Duration
  /// The checksum of its row; `nil` for a record that was found elsewhere.
  let checksum: Int64?

  /// The identity that tells the record from a later answer under the same key.
  var known: Storage.CopyUpdate.Known {
    Storage.CopyUpdate.Known(key: key, variant: variant, metadata: metadata)
  }

  /// The identity of a record whose blocks are damaged, whether or not it was renewed since.
  var knownByBlocks: Storage.CopyUpdate.Known {
    Storage.CopyUpdate.Known(key: key, variant: variant, metadata: metadata, blocks: blocks?.id)
  }
}

/// A record in memory, by its value and by the checksum of its row.
package struct KeptResidence: Sendable, Hashable {
  let box: ObjectIdentifier
  let checksum: Int64
}

/// The identity of the last commit to a file, by any process.
package struct CommitMark: Sendable, Equatable {
  let header: LogHeader
}

extension KeptRecord {
  /// A record that was found elsewhere, and is to be judged before it is stored here.
  init(found content: RecordContent, value: Value?) {
    self.init(
      key: content.key, value: value, size: Int(content.size), blocks: content.blocks,
      reading: nil, variant: content.variant, metadata: content.metadata, age: .zero, mark: nil,
      markAge: .zero, checksum: nil)
  }
}

extension RecordCollection {
  /// A record of any age, from memory where it is current there; `nil` when there is no usable record.
  ///
  /// A missing or damaged record is not usable, nor is one of another format or with a local write. The read notes
  /// nothing, so that it moves no record in the refetch queue. Cost: as of ``read(_:policy:)-(String,_)``.
  package func kept(_ key: String) throws(StoreError) -> KeptRecord<Value>? {
    let now = try begin(reading: key)
    switch keptInMemory(key, now) {
    case .some(let kept): return kept
    case nil: return try keptInFile(key, now)
    }
  }

  /// A record as ``kept(_:)`` returns it, but without its value, unless memory has that.
  ///
  /// A caller that chooses among several records need not read the bytes of all.
  ///
  /// Cost: as of ``kept(_:)`` where memory has the record, else one SELECT of a row without its value. Damage of the
  /// value shows only when the value is read.
  package func keptHead(_ key: String) throws(StoreError) -> KeptRecord<Value>? {
    let now = try begin(reading: key)
    if let kept = keptInMemory(key, now) { return kept }
    guard let record = try store.storage.recordWithoutValue(name, key), record.kind == .value,
      record.isIntact, !record.isPending
    else { return nil }
    return kept(StoredRow(record), nil, now)
  }

  /// Notes the use of a record that was read only by ``keptHead(_:)``: a prune by count or bytes leaves it for last.
  ///
  /// A record that memory has is noted when it is found. Cost: a lock for a moment.
  package func noteUse(of head: KeptRecord<Value>) {
    guard head.value == nil else { return }
    if let blocks = head.blocks {
      store.noteUse(of: blocks)
    } else if let checksum = head.checksum {
      store.storage.database.memory.noteUse(ofRow: checksum)
    }
  }

  /// The identity of a record in memory that is its row in the file; `nil` where memory has no such record.
  ///
  /// As long as it stays the same, ``kept(_:)`` returns the same, except for the age. Cost: a look-up in memory.
  package func residence(of key: String) throws(StoreError) -> KeptResidence? {
    _ = try begin(reading: key)
    guard let found = store.storage.database.memory.find(key, kind), found.isCurrent,
      found.judged.kind == .value
    else { return nil }
    return KeptResidence(box: ObjectIdentifier(found.box), checksum: found.checksum)
  }

  private func begin(reading key: String) throws(StoreError) -> ClockReading {
    guard !store.isClosed else { throw error(.closed, .read, key) }
    try check(key, .read)
    let now = store.now()
    store.storage.database.lookIfDue(at: now.sinceBoot)
    return now
  }

  /// The record in memory: `nil` where memory has nothing, `.some(nil)` where it has no value.
  private func keptInMemory(_ key: String, _ now: ClockReading) -> KeptRecord<Value>?? {
    if let found = store.storage.database.memory.find(key, kind), found.isCurrent {
      guard found.judged.kind == .value else { return .some(nil) }
      // Residents of one kind have values of one type.
      let value = unsafe unsafeDowncast(found.box, to: ValueBox<Value>.self).value
      return KeptRecord(
        key: key, value: value, size: 0, blocks: nil, reading: nil,
        variant: found.origin?.variant, metadata: found.origin?.metadata,
        age: Self.age(found.judged, at: now), mark: nil,
        markAge: .zero, checksum: found.checksum)
    }
    return nil
  }

  private func keptInFile(
    _ key: String, _ now: ClockReading
  ) throws(StoreError) -> KeptRecord<Value>? {
    let found = try store.storage.database.record(of: key, in: name)
    guard let row = found.row, row.record.kind == .value, row.record.isIntact,
      !row.record.isPending, let value = value(of: row, key, readUnder: found.header)
    else { return nil }
    return kept(row, value, now)
  }

  private func kept(
    _ row: StoredRow, _ value: Value?, _ now: ClockReading
  ) -> KeptRecord<Value> {
    let content = row.record.content
    let covering = store.coveringMark(row)
    var mark = row.record.mark.flatMap { $0.epoch > 0 ? $0 : nil }
    // Missing marks of the fleet may cover the record.
    if mark == nil, row.record.mark == nil, store.fleet?.behind != nil {
      mark = store.doubted(row.record, at: now).mark
    }
    if mark == nil, row.record.isCovered { mark = covering }
    return KeptRecord(
      key: content.key, value: value, size: Int(content.size), blocks: content.blocks,
      reading: content.blocks.map { store.reading($0.id) }, variant: content.variant,
      metadata: content.metadata,
      age: Self.age(JudgedRecord(row.record, coveringMark: covering), at: now),
      mark: mark?.reason ?? (row.record.isCovered ? "invalidated" : nil),
      markAge: mark.map { max(.zero, now.wall.duration(since: $0.at)) } ?? .zero,
      checksum: row.record.checksum)
  }

  private func value(
    of row: StoredRow, _ key: String, readUnder header: LogHeader?
  ) -> Value? {
    if let box = store.box(of: row, wanted(key)) {
      store.keep(row, kind, box: box, readUnder: header)
      return unsafe unsafeDowncast(box, to: ValueBox<Value>.self).value
    }
    let content = row.record.content
    do throws(UnusableValue) {
      let value = try decode(
        content.value ?? [], writtenBy: content.codec, content.contentVersion)
      if store.hasMemory {
        store.keep(row, kind, box: ValueBox(value), readUnder: header)
      }
      return value
    } catch {
      return nil
    }
  }

  private static func age(_ record: JudgedRecord, at now: ClockReading) -> Duration {
    guard let updated = record.lastUpdate(at: now) else { return .zero }
    return max(.zero, now.wall.duration(since: updated))
  }

  /// The mark of the last commit to the file, by any process; `nil` where no record is kept in memory.
  ///
  /// It stays the same until the next commit. Cost: a look-up in memory.
  package var commit: CommitMark? {
    store.storage.database.memory.header.map { CommitMark(header: $0) }
  }

  /// The keys that begin with a prefix, in their order, `limit` at most.
  package func keys(beginningWith prefix: String, limit: Int) throws(StoreError) -> [String] {
    try store.storage.keys(of: name, beginningWith: prefix, limit: limit)
  }
}
