internal import Strategies

extension Storage {
  /// A local write about to be made.
  struct LocalWrite: Sendable {
    var write: StoredWrite
    /// The address the caller states; `nil` takes it from the write before it, or from the record.
    var address: String?
    var tags: Set<String>?
    var expiry: Expiry
    /// The media type when neither the caller nor the record states one.
    var mediaType: String?
    /// True when it may replace the write before it.
    var coalesces: Bool
    /// The record that the write was made from; `nil` for a write that is independent of the record.
    var expected: Expected?
  }

  /// A record as a caller has read it.
  enum Expected: Sendable, Hashable {
    case nothing
    case edition(StoredRecord.Edition)

    init(_ record: StoredRecord?) {
      self = record.map { .edition($0.edition) } ?? .nothing
    }
  }

  /// Local writes that were stored.
  struct LocallyWritten: Sendable {
    /// The entries; `nil` for a write that cancels out with the one before it.
    var entries: [StoredWrite?] = []
  }

  /// Stores the optimistic values and their outbox entries, of one collection, in one transaction that survives a
  /// power cut. `nil` when a record is not the expected one any more: then nothing is written.
  ///
  /// - Parameter begun: The number of the store's sequence as they began (``isWanted(begunAt:_:)``).
  /// - Throws: `wiped`, and writes nothing, for writes from before a wipe.
  func write(
    _ locals: [LocalWrite], in collection: String, begun: Int64? = nil, now: ClockReading
  ) throws(StoreError) -> LocallyWritten? {
    try write(
      .write, .full, marksWrites: true, touching: AffectedKeys(collection, locals.map(\.write.key)),
      begunAt: begun, in: collection
    ) { (connection) throws(SQLiteError) -> LocallyWritten? in
      for local in locals {
        guard let expected = local.expected else { continue }
        let current = try connection.judgedRecord(of: local.write.key, in: collection)
        guard Expected(current) == expected else { return nil }
      }
      return try self.written(locals, now: now, connection)
    }
  }

  private func written(
    _ locals: [LocalWrite], now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) -> LocallyWritten {
    var written = LocallyWritten()
    for local in locals {
      written.entries.append(try self.write(local, now: now, connection))
    }
    return written
  }

  func write(
    _ local: LocalWrite, now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredWrite? {
    let (collection, key) = (local.write.collection, local.write.key)
    let last = try Self.lastWrite(collection, key, connection)
    if last == nil {
      let number = try currentNumber(connection)
      try Self.keepBase(collection, key, epoch: number, connection)
    }
    var local = local
    if let after = local.write.after { local.write.after = try Self.heir(of: after, connection) }
    local.write = try Self.complete(local, after: last, connection)
    if local.coalesces, let last, last.isUntouched, local.write.basis == nil,
      local.write.after.map({ $0 < last.id && (last.after ?? $0) == $0 }) ?? true,
      last.address.hasSameBytes(as: local.write.address),
      let kind = last.kind.coalesced(with: local.write.kind)
    {
      return try coalesce(last, as: kind, local, now: now, connection)
    }
    let entry = try Self.put(local.write, connection)
    try storeOptimistic(entry, local, now: now, connection)
    return entry
  }

  /// The entry with all data that sending it and its record need, so that it does not depend on the
  /// record.
  private static func complete(
    _ local: LocalWrite, after last: StoredWrite?, _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredWrite {
    var write = local.write
    let (collection, key) = (write.collection, write.key)
    let last = last.flatMap { $0.isIntact ? $0 : nil }
    let known = try base(collection, key, joins: false, connection).flatMap {
      $0.isIntact ? $0.content : nil
    }
    write.address = local.address ?? last?.address ?? known?.addressToAsk
    write.tags = local.tags ?? last?.tags
    if write.tags == nil { write.tags = try baseTags(collection, key, connection) }
    if write.kind != .delete {
      write.contentType =
        write.contentType ?? last?.contentType ?? known?.contentType ?? local.mediaType
    }
    return write
  }

  private func coalesce(
    _ last: StoredWrite, as kind: OutboxEntry.Coalesced, _ local: LocalWrite,
    now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) -> StoredWrite? {
    try Self.delete(last, connection)
    var entry = local.write
    switch kind {
    case .kind(let kind): entry.kind = kind
    case .nothing:
      guard try mayHold(last.collection, last.key, connection) else {
        try settleRecord(of: last, staleReason: nil, now: now, connection)
        try logRestored(last, connection)
        return nil
      }
    }
    (entry.id, entry.dueAt) = (last.id, last.dueAt)
    entry.basis = last.basis
    entry.merged = last.merged
    entry.after = entry.after ?? last.after
    entry.priority = max(entry.priority, last.priority)
    entry = try Self.put(entry, connection)
    try storeOptimistic(entry, local, now: now, connection)
    return entry
  }

  /// True when the source is known to hold the object, or will after the waiting writes.
  private func mayHold(
    _ collection: String, _ key: String, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    if let last = try Self.lastWrite(collection, key, connection) { return last.kind != .delete }
    guard let base = try Self.base(collection, key, joins: false, connection) else { return false }
    return base.kind == .value || !base.isIntact || !base.validators.isEmpty
  }

  func storeOptimistic(
    _ entry: StoredWrite, _ local: LocalWrite, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    let base = try Self.base(entry.collection, entry.key, joins: false, connection)
    let current = try connection.judgedRecord(of: entry.key, in: entry.collection)
    var write = Self.optimistic(entry, upon: current ?? base, expiry: local.expiry, now: now)
    write.tags = local.tags
    let number = try currentNumber(connection)
    _ = try store(write, epoch: number, mark: nil, now: now, connection)
    try log(.written, entry.collection, entry.key, write: .init(entry.id), connection)
  }

  /// The record of an entry while it waits.
  static func optimistic(
    _ entry: StoredWrite, upon record: StoredRecord?, expiry: Expiry, now: ClockReading
  ) -> Write {
    var content = RecordContent(collection: entry.collection, key: entry.key, expiry: expiry)
    let known = record.flatMap { $0.isIntact ? $0.content : nil }
    content.value = entry.payload
    content.lastUpdate = now.wall
    (content.source, content.address) = (known?.source, known?.address)
    if let address = entry.address, !entry.address.hasSameBytes(as: known?.addressToAsk) {
      content.setAddress(address)
    }
    content.contentType = entry.contentType ?? known?.contentType
    content.variant = known?.variant
    content.metadata = known?.metadata
    content.codec = entry.codec
    content.contentVersion = entry.contentVersion
    return Write(
      content: content, kind: entry.kind == .delete ? .absent : .value, isPending: true)
  }

  /// Updates the record of a key after an entry was removed from its outbox. The record gets the value of the last
  /// remaining entry, or, without one, the known state of the source.
  ///
  /// If the removed entry was not the last, the record already shows the last one, under a checksum of its own. The
  /// bytes of an entry that changed on the disk are never shown.
  ///
  /// With a `staleReason` the known state of the source is marked stale, because the source may
  /// have received the dropped entry.
  ///
  /// - Parameter verified: The checked values in blocks, among them the one that the record may return to.
  /// - Returns: False where the known state of the source was to be restored, and is damaged.
  @discardableResult
  func settleRecord(
    of removed: StoredWrite, staleReason: String?, verified: VerifiedValues = VerifiedValues(),
    now: ClockReading, _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    let (collection, key) = (removed.collection, removed.key)
    if let last = try Self.lastWrite(collection, key, connection) {
      if last.id < removed.id, last.isIntact {
        let current = try connection.judgedRecord(of: key, in: collection)
        let expiry = current?.content.expiry ?? .unstated
        var write = Self.optimistic(last, upon: current, expiry: expiry, now: now)
        write.tags = last.tags
        let number = try currentNumber(connection)
        _ = try store(write, epoch: number, mark: nil, now: now, connection)
      }
      if let staleReason, !removed.isUntouched {
        try doubtBase(collection, key, staleReason, now: now, connection)
      }
      return true
    }
    try dropLease(collection, key, connection)
    return try restore(
      collection, key, staleReason: staleReason, verified: verified, now: now, connection)
  }

  /// Marks the known state of the source, if there is one, because it may have changed by now: the
  /// remaining writes may come to nothing.
  private func doubtBase(
    _ collection: String, _ key: String, _ reason: String, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    guard let base = try Self.base(collection, key, joins: false, connection),
      base.kind != .unfetched
    else { return }
    let mark = StoredRecord.Mark(
      at: moment(from: now), reason: reason, epoch: try nextNumber(connection))
    try markBase(collection, key, mark, connection)
  }
}

extension OutboxEntry {
  /// The combination of two successive writes.
  enum Coalesced {
    case kind(Kind)
    /// The object was never created, and will not be: nothing need be sent, unless the source has it.
    case nothing
  }
}

extension OutboxEntry.Kind {
  /// The combination of this write and the next one when the source has seen neither; `nil` when it
  /// has to see both.
  func coalesced(with next: OutboxEntry.Kind) -> OutboxEntry.Coalesced? {
    switch (self, next) {
    case (.replace, .replace): .kind(.replace)
    case (.create, .replace): .kind(.create)
    case (.replace, .delete): .kind(.delete)
    case (.create, .delete): .nothing
    default: nil
    }
  }
}

/// Puts and local writes of several collections, in one transaction.
extension Storage {
  /// The writes that are stored together, the puts first.
  struct Batch: Sendable {
    var puts: [Write] = []
    var locals: [LocalWrite] = []

    var touched: AffectedKeys {
      var touched = AffectedKeys()
      for put in puts { touched.add(put.content.key, of: put.content.collection) }
      for local in locals { touched.add(local.write.key, of: local.write.collection) }
      return touched
    }
  }

  /// The outcome of a batch.
  enum StoredBatch: Sendable {
    /// All of it is stored.
    case stored(LocallyWritten)
    /// The record of a put has a local write; nothing is stored.
    case pending(RecordID)
  }

  /// Stores all of a batch, or nothing, in a transaction that survives a power cut.
  ///
  /// - Parameters:
  ///   - question: The request that the puts answer, where rules were awaited.
  ///   - begun: The number of the store's sequence as it began (``isWanted(begunAt:_:)``).
  /// - Throws: `wiped`, and stores nothing, for a batch from before a wipe.
  func store(
    _ batch: Batch, answering question: Question?, begun: Int64?, now: ClockReading
  ) throws(StoreError) -> StoredBatch {
    try write(
      .write, .full, marksWrites: !batch.locals.isEmpty, touching: batch.touched, begunAt: begun
    ) { (connection) throws(SQLiteError) in
      for put in batch.puts {
        let (collection, key) = (put.content.collection, put.content.key)
        if try self.identity(collection, key, connection)?.isPending == true {
          return .pending(RecordID(collection, key))
        }
      }
      try self.put(batch.puts, answering: question, now: now, connection)
      return .stored(try self.written(batch.locals, now: now, connection))
    }
  }

  private func put(
    _ puts: [Write], answering question: Question?, now: ClockReading,
    _ connection: borrowing Connection
  ) throws(SQLiteError) {
    guard !puts.isEmpty else { return }
    var open: Question?
    if let question {
      if try isLeased(Self.noCollection, question.name, connection) { open = question }
      try dropLease(Self.noCollection, question.name, connection)
    }
    // A put is newer than every open request.
    let number = try nextNumber(connection)
    for put in puts {
      let (collection, key) = (put.content.collection, put.content.key)
      guard question == nil else {
        try land(put, answering: open, under: number, now: now, connection)
        continue
      }
      _ = try store(put, epoch: number, mark: nil, now: now, connection)
      try dropLease(collection, key, connection)
      try log(.stored, collection, key, connection)
    }
  }
}
