internal import Synchronization

/// Short transactions that survive a power cut, in the order of their arrival. Those that arrive during
/// a commit share the next one, so that many callers share the cost of reaching the disk.
final class SharedCommits: Sendable {
  /// One caller's part of a transaction.
  private struct Part: Sendable {
    let body: @Sendable (borrowing Connection) throws(SQLiteError) -> Void
    /// Called once, after the commit, or with the reason why there is none.
    let end: @Sendable (StoreError?) -> Void
  }

  private final class Slot<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
  }

  private struct State {
    var waiting: [Part] = []
    var isCommitting = false
  }

  /// The maximum of parts in one transaction.
  private static let partsPerCommit = 64

  private let database: Database
  private let queue: WorkQueue
  private let operation: StoreOperation
  private let state = Mutex(State())

  init(_ database: Database, _ queue: WorkQueue, for operation: StoreOperation) {
    self.database = database
    self.queue = queue
    self.operation = operation
  }

  /// Runs `body` inside a transaction; returns after the commit. `body` may run again when another part
  /// of its transaction fails.
  func run<Result: Sendable>(
    _ body: @escaping @Sendable (borrowing Connection) throws(SQLiteError) -> Result
  ) async throws(StoreError) -> Result {
    let slot = Slot<Result>()
    let failure = await withCheckedContinuation {
      (continuation: CheckedContinuation<StoreError?, Never>) in
      let part = Part(
        body: { (connection) throws(SQLiteError) in
          let value = try body(connection)
          slot.value.withLock { $0 = value }
        }, end: { continuation.resume(returning: $0) })
      let isFirst = state.withLock { state in
        state.waiting.append(part)
        defer { state.isCommitting = true }
        return !state.isCommitting
      }
      if isFirst { queue.start { self.commit() } }
    }
    if let failure { throw failure }
    guard let value = slot.value.withLock({ $0 }) else {
      preconditionFailure("a commit left a part out")
    }
    return value
  }

  private func commit() {
    let parts = state.withLock { state in
      defer { state.waiting.removeFirst(min(Self.partsPerCommit, state.waiting.count)) }
      return Array(state.waiting.prefix(Self.partsPerCommit))
    }
    let ends = commit(parts)
    let isMore = state.withLock { state in
      state.isCommitting = !state.waiting.isEmpty
      return state.isCommitting
    }
    if isMore { queue.start { self.commit() } }
    for (part, end) in zip(parts, ends) { part.end(end) }
  }

  private func commit(_ parts: [Part]) -> [StoreError?] {
    do throws(StoreError) {
      try database.write(operation, .full) { (connection) throws(SQLiteError) in
        for part in parts { try part.body(connection) }
      }
      return parts.map { _ in nil }
    } catch {
      // Nothing is stored. One at a time, each fails or succeeds on its own.
      guard parts.count > 1, !error.code.isOfAll else { return parts.map { _ in error } }
      return parts.flatMap { commit([$0]) }
    }
  }
}
