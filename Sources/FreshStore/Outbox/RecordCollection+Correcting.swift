internal import Strategies

extension RecordCollection {
  /// Replaces the content of a local write that is parked or waits, and has it sent again at once, as a new request.
  ///
  /// The write keeps its number, its place, its kind, its address, its priority and its basis. A write that was parked
  /// with a conflict is then based on the state that it has met (``conflict(of:)``). It creates or replaces the object
  /// accordingly.
  ///
  /// ```swift
  /// if let parked = try store.outbox(state: .parked).first, parked.refusal?.status == 422 {
  ///   try await reports.correct(parked, to: corrected)
  /// }
  /// ```
  ///
  /// The record is served as corrected if this is the newest write of its key. The correction is durable when this
  /// returns.
  ///
  /// - Parameters:
  ///   - seen: The entry as the caller saw it when the correction was made.
  ///   - value: The new value; for a patch the expected result.
  ///   - patch: The new document of a patch, of the same media type; `nil` for any other kind.
  /// - Returns: The entry in its new state; `nil` when this collection has no such local write any more.
  /// - Throws: The errors of a write. `changedMeanwhile` when its content has changed, for example by a merge that has
  ///   taken its place, or when it has met another change since. `beingPushed` while it is being sent.
  ///   `invalidArgument` for a deletion, which has no content, and where `patch` and the kind do not match.
  ///   `unreadable` for a damaged write.
  @discardableResult
  public func correct(
    _ seen: OutboxEntry, to value: Value, patch: [UInt8]? = nil
  ) async throws(StoreError) -> OutboxEntry? {
    guard seen.collection.hasSameBytes(as: name) else { return nil }
    switch try await corrected(seen, to: value, patch) {
    case .changed: throw error(.changedMeanwhile, .write, seen.key)
    case .gone: return nil
    case .held: throw error(.beingPushed, .write, seen.key)
    case .damaged: throw error(.unreadable(StoredWrite.damage), .write, seen.key)
    case .done(let write):
      store.unread.forget([write.id])
      return write.entry(at: store.now())
    }
  }

  /// The three versions of an object whose local write is parked with a conflict; `nil` for any other write.
  ///
  /// They are to be merged by hand (``correct(_:to:patch:)``). The local version is the one of this write. The source
  /// is not asked: the remote version is the one that the write has met.
  ///
  /// - Throws: `unreadable` where the written value cannot be read, or nothing of the remote version may be kept; or
  ///   the error of the file.
  public func conflict(of entry: OutboxEntry) throws(StoreError) -> Conflict<Value>? {
    guard entry.collection.hasSameBytes(as: name),
      let (write, base) = try store.storage.writeWithBase(entry.id),
      write.idempotencyKey == entry.idempotencyKey, write.isIntact,
      let basis = write.basis, basis.hasMetAnother
    else { return nil }
    if base?.kind == .unfetched {
      throw error(
        .unreadable("the source does not allow to keep what it holds: get it there"), .outbox,
        entry.key)
    }
    do {
      return Conflict(
        key: write.key, base: value(of: basis), local: try value(of: write),
        remote: base.flatMap { value(of: $0) })
    } catch {
      throw self.error(.unreadable("\(error)"), .outbox, entry.key)
    }
  }

  private func corrected(
    _ seen: OutboxEntry, to value: Value, _ patch: [UInt8]?
  ) async throws(StoreError) -> Storage.Corrected {
    let key = seen.key
    guard seen.kind != .delete, (seen.kind == .patch) == (patch != nil) else {
      throw error(.invalidArgument("the local write \(seen.id) is a \(seen.kind)"), .write, key)
    }
    let admitted = try await admitted(value, for: key)
    if let patch { try checkSize(patch.count, key) }
    let correction = Storage.Correction(
      id: seen.id, replaced: seen.idempotencyKey, attempts: seen.attempts,
      idempotencyKey: StoredWrite.newIdempotencyKey(),
      payload: try encoded(admitted, key, .write), patch: patch, codec: codec.identifier,
      contentVersion: contentVersion, expiry: policy.expiry)
    let now = store.now()
    return try await store.queue.run { [store, name] () throws(StoreError) in
      try store.storage.correct(correction, in: name, now: now)
    }
  }
}
