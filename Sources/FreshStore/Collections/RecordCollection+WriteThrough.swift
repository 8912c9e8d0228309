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
    guard order != .copyOnly else { return Written(value: value, storeFailure: nil) }
    let accepted: Value
    do {
      accepted = try await push(value)
    } catch {
      throw .source(error, isStored: order == .copyFirst)
    }
    guard order == .sourceFirst else { return Written(value: accepted, storeFailure: nil) }
    do throws(StoreError) {
      try await put(accepted, for: key, details: details)
      return Written(value: accepted, storeFailure: nil)
    } catch {
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
