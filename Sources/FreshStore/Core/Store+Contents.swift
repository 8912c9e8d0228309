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
      _ = try await makeRoom(for: operation, waiting: configuration.busyTimeout)
      return try await work()
    }
  }

  /// Moves the log into the database, and empties it.
  ///
  /// - Parameter patience: How long to wait for readers of an older state, who keep it from being emptied. Others can write
  ///   meanwhile.
  /// - Returns: Whether it was emptied, and how long writers were blocked.
  func makeRoom(
    for operation: StoreOperation, waiting patience: Duration = .zero
  ) async throws(StoreError) -> (isEmptied: Bool, held: Duration) {
    var (held, waited) = (Duration.zero, Duration.zero)
    while true {
      held = max(held, await storage.database.moveLog())
      let isEmptied = try await queue.run { [storage] () throws(StoreError) in
        try storage.emptyLog(operation)
      }
      let next = min(max(waited, .milliseconds(5)), .milliseconds(100), patience - waited)
      guard !isEmptied, next > .zero, !Task.isCancelled else { return (isEmptied, held) }
      // A cancelled task looks once more, and has not waited in vain.
      try? await pause(for: next)
      waited += next
    }
  }
}
