extension Store {
  /// One block of a value that lies in blocks; `nil` when it is gone, damaged, or was replaced before anybody read it.
  ///
  /// The caller that gets a block has a second for each of the others, even if the value is replaced or removed, and
  /// some minutes where a ``ContentReading`` shows it.
  ///
  /// Cost: a look-up, and for the first reader of a value that no gateway has stored a write, which waits its turn.
  ///
  /// - Parameter reads: Where the file is read.
  package func block(
    _ number: Int, of reference: ContentReference, on reads: WorkQueue = WorkQueue()
  ) async throws(StoreError) -> [UInt8]? {
    let found = try await reads.run {
      [storage] () throws(StoreError) -> (bytes: [UInt8], isFirst: Bool)? in
      try storage.block(number, of: reference)
    }
    guard let found else { return nil }
    guard found.isFirst else { return found.bytes }
    return await noteStreaming(of: reference) ? found.bytes : nil
  }

  /// Shows all processes that a value in blocks is being read, until the result is released. Cost: some system calls.
  func reading(_ id: Int64) -> ContentReading { ContentReading(id, storage.readingLocks) }

  /// Notes that somebody begins to read a value in blocks that memory does not have: a prune by count or bytes leaves
  /// it for last. Cost: a lock for a moment.
  package func noteUse(of reference: ContentReference) {
    storage.database.memory.noteUse(of: reference)
  }

  /// False for a value whose blocks go at once.
  private func noteStreaming(of reference: ContentReference) async -> Bool {
    guard configuration.access == .readWrite else { return true }
    do throws(StoreError) {
      return try await queue.run { [storage] () throws(StoreError) in
        try storage.noteStreaming(of: reference)
      }
    } catch {
      // The block was read all the same; the next one makes up for it.
      return true
    }
  }

  /// Runs a single write that removes something; where the disk is full, once more after a checkpoint. A removal is
  /// written to the log first, too, and the log may hold all the room that there is.
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
  /// - Parameter patience: How long to wait for readers of an older state, which keep the log from being emptied.
  ///   Writers go on meanwhile.
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
