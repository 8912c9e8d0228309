internal import Strategies

/// One running collection of the values in blocks that no record has any more.
///
/// It finds the values outside of the write lock, and checks them again under it. It removes the blocks of a long value
/// in many short transactions.
struct ContentCollector {
  private let store: Store
  private let hold: Duration
  private let reads: WorkQueue
  private var writer: TurnWriter
  private var hasRemoved = false

  init(_ store: Store, hold: Duration, until end: ContinuousClock.Instant? = nil) {
    (self.store, self.hold) = (store, hold)
    reads = WorkQueue(taskClock: store.configuration.taskClock)
    writer = TurnWriter(store, hold: hold, most: 1000, until: end)
  }

  /// Returns the longest time for which the write lock was held, and whether any blocks were removed. Cost: one look-up
  /// in a store without such values.
  consuming func run() async throws(StoreError) -> (longestHold: Duration, hasRemoved: Bool) {
    guard try store.storage.hasContents() else { return (.zero, false) }
    var last: Int64? = .min
    while let start = last, !writer.isOver {
      let (changed, next) = try await reads.run { [store] () throws(StoreError) in
        try store.storage.changedContents(after: start, now: store.now())
      }
      try await collect(changed[...])
      last = next
    }
    return (writer.longestHold, hasRemoved)
  }

  private mutating func collect(
    _ changed: ArraySlice<Storage.ChangedContent>
  ) async throws(StoreError) {
    var left = changed
    while !left.isEmpty, !writer.isOver {
      let next = left
      let work = try await writer.write(upTo: writer.room) {
        [store, hold] (most) throws(StoreError) in
        try store.storage.collect(next, most: most, within: hold, now: store.now())
      }
      if work.bytes > 0 { hasRemoved = true }
      left = left.dropFirst(work.changed)
    }
  }
}

/// One running return of the file's free pages to the file system, in many short turns.
struct FileShrinker {
  private let store: Store
  private let operation: StoreOperation
  private var writer: TurnWriter

  /// - Parameter hold: The target time for which one turn holds the write lock.
  init(
    _ store: Store, _ operation: StoreOperation, hold: Duration,
    until end: ContinuousClock.Instant? = nil
  ) {
    (self.store, self.operation) = (store, operation)
    writer = TurnWriter(store, hold: hold, most: 1000, until: end)
  }

  /// Returns the bytes by which the file has shrunk, and the longest time for which writers were blocked.
  consuming func run() async throws(StoreError) -> (bytes: Int, longestHold: Duration) {
    var bytes = 0
    while !writer.isOver {
      let work = try await writer.write(upTo: writer.room) {
        [store, operation] (pages) throws(StoreError) in
        try store.storage.shrink(pages: pages, operation)
      }
      bytes += work.bytes
      if work.done < writer.turnLimit { break }
    }
    // Without this, the change is still in the log only.
    let moved = try await store.makeRoom(for: operation)
    return (bytes, max(writer.longestHold, moved.held))
  }
}
