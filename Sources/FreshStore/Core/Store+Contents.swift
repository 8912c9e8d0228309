extension Store {
  /// One block of a value that lies in blocks; `nil` when it is gone, or damaged. It blocks the thread for a read from
  /// the file.
  package func block(
    _ number: Int, of reference: ContentReference
  ) throws(StoreError) -> [UInt8]? {
    try storage.block(number, of: reference)
  }

  /// Runs a single write that removes something; where the disk is full, once more after the log was emptied. What
  /// removes is written to the log first, too, and that may hold all of the room that there is.
  func makingRoom<Result: Sendable>(
    for operation: StoreOperation, _ work: @Sendable () async throws(StoreError) -> Result
  ) async throws(StoreError) -> Result {
    do throws(StoreError) {
      return try await work()
    } catch {
      guard error.code == .full else { throw error }
      _ = try await makeRoom(for: operation)
      return try await work()
    }
  }

  /// Moves the log into the database, and empties it; returns how long writers were blocked by the former.
  func makeRoom(for operation: StoreOperation) async throws(StoreError) -> Duration {
    let held = await storage.database.moveLog()
    try await queue.run { [storage] () throws(StoreError) in try storage.emptyLog(operation) }
    return held
  }
}
