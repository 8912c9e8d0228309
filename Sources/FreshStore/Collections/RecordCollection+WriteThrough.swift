extension RecordCollection {
  /// Writes a value to its source and to the store, in the requested order.
  ///
  /// - Parameters:
  ///   - details: The facts to store beside the value.
  ///   - push: Sends the value to the source and returns the source's version of it.
  /// - Returns: The source's value. When only the store failed after the source had accepted the
  ///   value, its error is reported beside it.
  public func writeThrough(
    _ value: Value, for key: String, order: WriteOrder = .sourceFirst,
    details: FetchDetails = FetchDetails(), push: (Value) async throws -> Value
  ) async throws(WriteError) -> Written<Value> {
    if order == .cacheOnly || order == .cacheFirst {
      do throws(StoreError) {
        try await put(value, for: key, details: details)
      } catch {
        throw .store(error)
      }
    }
    switch order {
    case .cacheOnly: return Written(value: value, storeFailure: nil)
    case .bypass, .cacheFirst:
      do {
        return Written(value: try await push(value), storeFailure: nil)
      } catch {
        throw .source(error, isStored: order == .cacheFirst)
      }
    case .sourceFirst:
      return try await writeSourceFirst(value, for: key, details: details, push: push)
    }
  }

  /// The source's version is as old as the request: marks set during it apply, and other values
  /// that arrive meanwhile leave doubt.
  private func writeSourceFirst(
    _ value: Value, for key: String, details: FetchDetails, push: (Value) async throws -> Value
  ) async throws(WriteError) -> Written<Value> {
    let now = store.now()
    var question = Storage.Question.unknown
    do throws(StoreError) {
      question = try await ask(at: now)
    } catch {
      if case .wiped = error.code { throw .store(error) }
      // The source comes first; if the store works by then, all its content arrived meanwhile.
      store.report(.notStored(error))
    }
    let accepted: Value
    do {
      accepted = try await push(value)
    } catch {
      await withdraw(question)
      throw .source(error, isStored: false)
    }
    do throws(StoreError) {
      try check(key, .put)
      let admitted = try await self.admitted(accepted, for: key)
      try await put(
        [(key, admitted)], PutOrder(details: details, wipes: 0, at: now), answering: question)
      return Written(value: accepted, storeFailure: nil)
    } catch {
      await withdraw(question)
      return Written(value: accepted, storeFailure: error)
    }
  }

  /// Deletes an object at its source and in the store, in the requested order. In a fleet its record is marked for all
  /// hosts once the source has deleted it.
  ///
  /// - Returns: The reason why the store still holds it although the source has deleted it, or why the fleet is not
  ///   told; `nil` on success.
  @discardableResult
  public func deleteThrough(
    _ key: String, order: WriteOrder = .sourceFirst, push: () async throws -> Void
  ) async throws(WriteError) -> StoreError? {
    if order == .cacheOnly || order == .cacheFirst {
      do throws(StoreError) {
        try await remove(key)
      } catch {
        throw .store(error)
      }
    }
    guard order != .cacheOnly else { return nil }
    do {
      try await push()
    } catch {
      throw .source(error, isStored: order == .cacheFirst)
    }
    let untold = await tellFleet(ofDeleted: key)
    guard order == .sourceFirst else { return untold }
    do throws(StoreError) {
      try await remove(key)
      return untold
    } catch {
      return error
    }
  }

  /// Keeps the mark of a record that its source has deleted, and delivers it where nobody waits; returns why it is not
  /// kept.
  private func tellFleet(ofDeleted key: String) async -> StoreError? {
    guard let fleet = store.fleet else { return nil }
    do throws(StoreError) {
      try await store.queue.run { [store, name] () throws(StoreError) in
        try store.storage.keepMark(ofDeleted: name, key)
      }
      store.catchUpSoon(with: fleet)
      return nil
    } catch {
      return error
    }
  }
}
