internal import Strategies

extension Storage {
  /// The new content of an entry.
  struct Correction: Sendable {
    let id: Int64
    /// The idempotency key of the content that it replaces.
    let replaced: String
    /// The attempts of that: another one may have met another state of the source.
    let attempts: Int
    let idempotencyKey: String
    let payload: [UInt8]
    let patch: [UInt8]?
    let codec: String
    let contentVersion: Int64
    let expiry: Expiry
  }

  /// The outcome of a correction.
  enum Corrected: Sendable {
    case done(StoredWrite)
    /// There is no such entry.
    case gone
    /// Some owner is pushing it.
    case held
    /// Its bytes changed on the disk.
    case damaged
    /// Another content came under its number.
    case changed
  }

  /// Replaces the content of an entry that nobody is pushing, and makes it due at once, in one transaction
  /// that survives a power cut.
  func correct(
    _ correction: Correction, in collection: String, now: ClockReading
  ) throws(StoreError) -> Corrected {
    try database.write(.write, .full, marksWrites: true) { (connection) throws(SQLiteError) in
      let now = self.present(now)
      guard var write = try Self.write(correction.id, connection),
        write.collection.hasSameBytes(as: collection)
      else { return .gone }
      guard write.isIntact else { return .damaged }
      guard write.idempotencyKey == correction.replaced else { return .changed }
      guard !write.isHeld(at: now) else { return .held }
      if write.basis?.hasMetAnother == true {
        guard write.attempts == correction.attempts else { return .changed }
        try Self.standUponMet(&write, connection)
      }
      write.idempotencyKey = correction.idempotencyKey
      write.payload = correction.payload
      if write.kind == .patch { write.patch = correction.patch }
      (write.codec, write.contentVersion) = (correction.codec, correction.contentVersion)
      (write.attempts, write.holder) = (0, nil)
      // The source cannot hold it for longer than from its next attempt on.
      (write.askedAt, write.failure, write.refusal) = (nil, nil, nil)
      write.begin(at: now.wall)
      write = try Self.put(write, connection)
      let isLast = try Self.lastWrite(collection, write.key, connection)?.id == write.id
      guard isLast else {
        try self.log(.written, collection, write.key, write: write.news, connection)
        return .done(write)
      }
      let local = LocalWrite(
        write: write, tags: write.tags, expiry: correction.expiry, coalesces: false)
      try self.storeOptimistic(write, local, now: now, connection)
      return .done(write)
    }
  }

  /// The content that somebody makes of a conflict is based on what the write has met there, unless nothing of that
  /// may be kept: then nobody has seen it, and the source is asked anew.
  private static func standUponMet(
    _ write: inout StoredWrite, _ connection: borrowing Connection
  ) throws(SQLiteError) {
    guard let base = try base(write.collection, write.key, joins: false, connection),
      base.isIntact, base.kind != .unfetched
    else { return }
    write.basis = nil
    if base.kind == .absent {
      (write.kind, write.patch, write.patchType) = (.create, nil, nil)
    } else if write.kind == .create {
      write.kind = .replace
    }
  }
}
