extension RecordCollection {
  /// Writes a value to its source and to the store, in the requested order. In a fleet its record is marked for all
  /// hosts once the source has accepted it.
  ///
  /// - Parameters:
  ///   - details: The facts to store beside the value.
  ///   - push: Sends the value to the source and returns the source's version of it.
  /// - Returns: The source's value. When only the store failed after the source had accepted the
  ///   value, or the fleet is not told, that error is reported beside it.
  public func writeThrough(
    _ value: Value, for key: String, order: WriteOrder = .sourceFirst,
    details: FetchDetails = FetchDetails(), push: (Value) async throws -> Value
  ) async throws(WriteError) -> Written<Value> {
    let begun = numberForFleet()
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
      let accepted: Value
      do {
        accepted = try await push(value)
      } catch {
        throw .source(error, isStored: order == .cacheFirst)
      }
      let untold = await tellFleet(ofWritten: key, begun: begun)
      return Written(value: accepted, storeFailure: untold)
    case .sourceFirst:
      return try await writeSourceFirst(
        value, for: key, details: details, begun: begun, push: push)
    }
  }

  /// The source's version is as old as the request: marks set during it apply, and other values
  /// that arrive meanwhile leave doubt.
  private func writeSourceFirst(
    _ value: Value, for key: String, details: FetchDetails, begun: Int64?,
    push: (Value) async throws -> Value
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
    let untold = await tellFleet(ofWritten: key, begun: begun)
    do throws(StoreError) {
      try check(key, .put)
      let admitted = try await self.admitted(accepted, for: key)
      try await put(
        [(key, admitted)], PutOrder(details: details, wipes: 0, at: now), answering: question)
      return Written(value: accepted, storeFailure: untold)
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
    let begun = numberForFleet()
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
    let untold = await tellFleet(ofWritten: key, begun: begun)
    guard order == .sourceFirst else { return untold }
    do throws(StoreError) {
      try await remove(key)
      return untold
    } catch {
      return error
    }
  }

  /// The number of the store's sequence as a request begins; `nil` for a host alone, and where that is not known.
  private func numberForFleet() -> Int64? {
    store.isFileOfFleet ? store.numberOfRequest() : nil
  }

  /// Keeps the mark of a record whose source has taken a value or a deletion, and delivers it where nobody waits:
  /// what the other hosts have is what the source held before. Returns why it is not kept.
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
