internal import Synchronization

extension RecordCollection {
  /// Writes a value to its source and to the store, in the requested order. In a fleet its record is marked for all
  /// hosts once the source has accepted it.
  ///
  /// The source gets the value that the rules admit, except by ``WriteOrder/bypass``. Nothing is sent while the key has
  /// a local write, which would be sent over it later.
  ///
  /// - Parameters:
  ///   - details: The facts to store beside the value.
  ///   - push: Sends the value to the source and returns the source's version of it.
  /// - Returns: The source's value. Beside it is an error if only the store failed after the source had accepted the
  ///   value, or if the fleet is not told.
  /// - Throws: ``WriteError/store(_:)`` with `refused` or `pendingWrite`, when nothing was sent.
  public func writeThrough(
    _ value: Value, for key: String, order: WriteOrder = .sourceFirst,
    details: FetchDetails = FetchDetails(), push: (Value) async throws -> Value
  ) async throws(WriteError) -> Written<Value> {
    let (begun, now) = (store.numberOfRequest(), store.now())
    var value = value
    do throws(StoreError) {
      try check(key, .put)
      if order.asksFirst { try refuseWithLocalWrite(key, .put) }
      if order != .bypass { value = try await admitted(value, for: key) }
      if order.storesFirst {
        let order = PutOrder(
          details: details, wipes: store.storage.wipes.load(ordering: .acquiring), at: now)
        try await put([(key, value)], order, answering: nil)
      }
    } catch {
      throw .store(error)
    }
    guard order != .cacheOnly else { return Written(value: value, storeFailure: nil) }
    let question = order == .bypass ? nil : try await request(begun: begun, at: now)
    let accepted: Value
    do {
      accepted = try await push(value)
    } catch {
      if let question { await withdraw(question) }
      throw .source(error, isStored: order == .cacheFirst)
    }
    let untold = await tellFleet(ofWritten: key, begun: begun)
    do throws(StoreError) {
      switch order {
      case .bypass, .cacheOnly: break
      case .cacheFirst: if let question { try await doubt(key, since: question, isStored: true) }
      case .sourceFirst:
        let admitted = try await self.admitted(accepted, for: key)
        let order = PutOrder(details: details, wipes: 0, at: now)
        if let question { try await put([(key, admitted)], order, answering: question) }
      }
      return Written(value: accepted, storeFailure: untold)
    } catch {
      if let question { await doubtUnstored(key, since: question) }
      return Written(value: accepted, storeFailure: error)
    }
  }

  /// Deletes an object at its source and in the store, in the requested order. In a fleet its record is marked for all
  /// hosts once the source has deleted it. Nothing is sent while the key has a local write.
  ///
  /// - Returns: The reason why the store still holds the object that the source has deleted, or why the fleet is not
  ///   told; `nil` on success.
  @discardableResult
  public func deleteThrough(
    _ key: String, order: WriteOrder = .sourceFirst, push: () async throws -> Void
  ) async throws(WriteError) -> StoreError? {
    let begun = store.numberOfRequest()
    do throws(StoreError) {
      try check(key, .remove)
      if order.asksFirst { try refuseWithLocalWrite(key, .remove) }
      if order.storesFirst { try await remove(key) }
    } catch {
      throw .store(error)
    }
    guard order != .cacheOnly else { return nil }
    let question = order == .bypass ? nil : try await request(begun: begun, at: store.now())
    do {
      try await push()
    } catch {
      if let question { await withdraw(question) }
      throw .source(error, isStored: order == .cacheFirst)
    }
    let untold = await tellFleet(ofWritten: key, begun: begun)
    do throws(StoreError) {
      if let question {
        // A value that was put during the push is newer than the deletion, or may be.
        let removes = order == .sourceFirst
        try await doubt(key, since: question, isStored: true, removes: removes)
      }
      return untold
    } catch {
      return error
    }
  }

  /// Throws for a key with a local write. A file that cannot be read prevents nothing: the source comes first.
  private func refuseWithLocalWrite(
    _ key: String, _ operation: StoreOperation
  ) throws(StoreError) {
    let record: StoredRecord?
    do throws(StoreError) {
      record = try store.storage.record(name, key)
    } catch {
      return store.report(.notStored(error))
    }
    if record?.isPending == true { throw error(.pendingWrite, operation, key) }
  }

  /// Opens the request that a push answers.
  ///
  /// The source's version is as old as this request. Marks set during the push apply, and other values that arrive
  /// meanwhile leave doubt.
  private func request(
    begun: Int64?, at now: ClockReading
  ) async throws(WriteError) -> Storage.Question {
    do throws(StoreError) {
      return try await ask(at: now, begun: begun)
    } catch {
      if case .wiped = error.code { throw .store(error) }
      // The source comes first. If the store works by then, all its content arrived meanwhile.
      store.report(.notStored(error))
      return .unopened(begun: begun)
    }
  }

  /// Marks the values that came in under a key while its source was changed: they may be from before the change.
  ///
  /// Where the new value could not be stored, any value under the key is marked.
  private func doubt(
    _ key: String, since question: Storage.Question, isStored: Bool, removes: Bool = false
  ) async throws(StoreError) {
    let now = store.now()
    try await store.queue.run { [store, name] () throws(StoreError) in
      try store.storage.doubt(
        name, key, since: question, isStored: isStored, removes: removes, now: now)
    }
    store.closeFlights(name) { $0.utf8.elementsEqual(key.utf8) }
  }

  private func doubtUnstored(_ key: String, since question: Storage.Question) async {
    do throws(StoreError) {
      try await doubt(key, since: question, isStored: false)
    } catch {
      // The caller gets the reason why the value is not stored.
      store.report(.notStored(error))
    }
  }

  /// Keeps the mark of a record whose source has taken a value or a deletion, and delivers it in the background.
  ///
  /// The other hosts have the source's earlier value. Returns the reason why the mark is not kept; `nil` on success.
  private func tellFleet(ofWritten key: String, begun: Int64?) async -> StoreError? {
    guard store.isFileOfFleet else { return nil }
    do throws(StoreError) {
      try check(key, .markStale)
      try await store.queue.run { [store, name] () throws(StoreError) in
        try store.storage.keepMark(ofWritten: name, key, begun: begun)
      }
      if let fleet = store.fleet { store.catchUpSoon(with: fleet) }
      return nil
    } catch {
      return error
    }
  }
}

/// The order in which a write reaches the source and the store.
public enum WriteOrder: Sendable, Hashable, CaseIterable {
  /// The source only; the store is not touched.
  case bypass
  /// The store only; the source is not asked.
  case cacheOnly
  /// The source, then the store with the source's version. When the store fails, the source keeps the change.
  case sourceFirst
  /// The store, then the source with the same value. When the source fails, the store keeps the value.
  case cacheFirst

  var asksFirst: Bool { self == .bypass || self == .sourceFirst }
  var storesFirst: Bool { self == .cacheOnly || self == .cacheFirst }
}

/// The result of a write through to the source.
public struct Written<Value: Sendable>: Sendable {
  /// The value that the source returned; the caller's own when the source was not asked.
  public let value: Value
  /// The reason why the store did not keep the value, although the source accepted it: the value itself is not lost.
  public let storeFailure: StoreError?
}

/// The reason why a write through to the source failed.
public enum WriteError: Error, Sendable {
  /// The source refused; `isStored` is true when the store holds the change anyway.
  case source(any Error, isStored: Bool)
  /// The store refused, and the source was not asked.
  case store(StoreError)
}

extension WriteError: CustomStringConvertible {
  /// The refusing side, and the remaining state.
  public var description: String {
    switch self {
    case .source(let error, isStored: true):
      "the source refused the write, which stands in the store: \(error)"
    case .source(let error, isStored: false):
      "the source refused the write, and nothing was stored: \(error)"
    case .store(let error): "the source was not asked: \(error)"
    }
  }
}
