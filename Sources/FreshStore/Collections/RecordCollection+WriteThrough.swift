extension RecordCollection {
  /// Writes a value to its source and to the store, in the order wanted.
  ///
  /// - Parameters:
  ///   - details: What to store beside the value.
  ///   - push: Hands the value to the source and returns what the source made of it.
  /// - Returns: The source's value. When only the store failed after the source had taken the
  ///   value, that is reported beside it.
  public func write(
    _ value: Value, for key: String, order: WriteOrder = .sourceFirst,
    details: FetchDetails = FetchDetails(), push: (Value) async throws -> Value
  ) async throws(WriteError) -> Written<Value> {
    if order == .copyOnly || order == .copyFirst {
      do throws(StoreError) {
        try await put(value, for: key, details: details)
      } catch {
        throw .store(error)
      }
    }
    switch order {
    case .copyOnly: return Written(value: value, storeFailure: nil)
    case .sourceOnly, .copyFirst:
      do {
        return Written(value: try await push(value), storeFailure: nil)
      } catch {
        throw .source(error, isStored: order == .copyFirst)
      }
    case .sourceFirst: return try await writeThrough(value, for: key, details: details, push: push)
    }
  }

  /// What the source makes of the value is as old as the question: marks that come while it is asked hold,
  /// and what else comes in meanwhile leaves doubt.
  private func writeThrough(
    _ value: Value, for key: String, details: FetchDetails, push: (Value) async throws -> Value
  ) async throws(WriteError) -> Written<Value> {
    let now = store.now()
    var question = Storage.Question.unknown
    do throws(StoreError) {
      question = try await ask(at: now)
    } catch {
      // The source comes first; should the store work by then, all that it knows came meanwhile.
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
      try await put([(key, admitted)], PutOrder(details: details, at: now), answering: question)
      return Written(value: accepted, storeFailure: nil)
    } catch {
      await withdraw(question)
      return Written(value: accepted, storeFailure: error)
    }
  }

  /// Deletes an object at its source and in the store, in the order wanted.
  ///
  /// - Returns: Why the store still holds it although the source has deleted it; `nil` when all went
  ///   well.
  @discardableResult
  public func delete(
    _ key: String, order: WriteOrder = .sourceFirst, push: () async throws -> Void
  ) async throws(WriteError) -> StoreError? {
    if order == .copyOnly || order == .copyFirst {
      do throws(StoreError) {
        try await remove(key)
      } catch {
        throw .store(error)
      }
    }
    guard order != .copyOnly else { return nil }
    do {
      try await push()
    } catch {
      throw .source(error, isStored: order == .copyFirst)
    }
    guard order == .sourceFirst else { return nil }
    do throws(StoreError) {
      try await remove(key)
      return nil
    } catch {
      return error
    }
  }
}
