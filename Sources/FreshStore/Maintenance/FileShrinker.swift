/// One running return of the file's free pages to the file system, in many short turns.
struct FileShrinker {
  private let store: Store
  private let operation: StoreOperation
  /// When to end before all is done; `nil` for never.
  private let end: ContinuousClock.Instant?
  private var writer: TurnWriter

  /// - Parameter hold: The target time for which one turn holds the write lock.
  init(
    _ store: Store, _ operation: StoreOperation, hold: Duration,
    until end: ContinuousClock.Instant? = nil
  ) {
    (self.store, self.operation, self.end) = (store, operation, end)
    writer = TurnWriter(store, hold: hold, most: 1000)
  }

  /// Returns the bytes by which the file has shrunk, and the longest time for which writers were blocked.
  consuming func run() async throws(StoreError) -> (bytes: Int, longestHold: Duration) {
    var bytes = 0
    while !isOver {
      let work = try await writer.write(upTo: writer.room) {
        [store, operation] (pages) throws(StoreError) in
        try store.storage.shrink(pages: pages, operation)
      }
      bytes += work.bytes
      if work.done < writer.taken { break }
    }
    // Without it, all of that is still in the log.
    let moved = try await store.makeRoom(for: operation)
    return (bytes, max(writer.longestHold, moved.held))
  }

  private var isOver: Bool { Task.isCancelled || end.map { $0 <= .now } ?? false }
}
