internal import Strategies

extension RecordCollection {
  /// Replaces the content of a local write that is parked or waits, and has it sent again at once, as a new
  /// request: it keeps its number and its place, its kind, its address, its priority and its basis.
  ///
  /// ```swift
  /// if let parked = try store.outbox(state: .parked).first, parked.refusal?.status == 422 {
  ///   try await reports.correct(parked.id, to: corrected)
  /// }
  /// ```
  ///
  /// Where it is the newest write of its key, the record is served as corrected. Durable when it returns.
  ///
  /// - Parameters:
  ///   - value: The new value; for a patch the expected result.
  ///   - patch: The new document of a patch, of the same media type; `nil` for any other kind.
  /// - Returns: The entry in its new state; `nil` when this collection has no such local write any more.
  /// - Throws: As a write; `busy` while it is being pushed; `invalidArgument` for a deletion, which has no
  ///   content, and where `patch` and the kind do not match; `unreadable` for a damaged one.
  @discardableResult
  public func correct(
    _ id: OutboxEntry.ID, to value: Value, patch: [UInt8]? = nil
  ) async throws(StoreError) -> OutboxEntry? {
    while true {
      guard let found = try store.localWrite(id)?.entry, found.collection.hasSameBytes(as: name)
      else { return nil }
      switch try await corrected(found, to: value, patch) {
      case .changed: continue
      case .gone: return nil
      case .held:
        throw error(.busy(holder: "a push of the local write \(id)"), .write, found.key)
      case .damaged: throw error(.unreadable(StoredWrite.damage), .write, found.key)
      case .done(let write):
        store.unread.forget([write.id])
        store.hub.publish(
          Change(kind: .written, collection: name, key: found.key, write: write.news))
        return write.entry(at: store.now())
      }
    }
  }

  private func corrected(
    _ found: OutboxEntry, to value: Value, _ patch: [UInt8]?
  ) async throws(StoreError) -> Storage.Corrected {
    let key = found.key
    guard found.kind != .delete, (found.kind == .patch) == (patch != nil) else {
      throw error(.invalidArgument("the local write \(found.id) is a \(found.kind)"), .write, key)
    }
    let admitted = try await admitted(value, for: key)
    if let patch { try checkSize(patch.count, key) }
    let correction = Storage.Correction(
      id: found.id, replaced: found.idempotencyKey,
      idempotencyKey: StoredWrite.newIdempotencyKey(),
      payload: try encoded(admitted, key, .write), patch: patch, codec: codec.identifier,
      contentVersion: contentVersion, expiry: policy.expiry)
    let now = store.now()
    return try await store.queue.run { [store, name] () throws(StoreError) in
      try store.storage.correct(correction, in: name, now: now)
    }
  }
}
