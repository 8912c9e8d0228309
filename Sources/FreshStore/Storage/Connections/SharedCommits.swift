internal import Synchronization

/// Short transactions, in the order of their arrival. The callers that arrive during a commit share the next one,
/// and so its cost, such as the way to the disk.
final class SharedCommits: Sendable {
  /// One caller's part of a transaction.
  private struct Part: Sendable {
    let operation: StoreOperation
    let touched: AffectedKeys?
    let size: Int
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
  /// The maximum of bytes in one, unless one part has more.
  private static let bytesPerCommit = 1 << 20

  private let database: Database
  private let queue: WorkQueue
  private let operation: StoreOperation
  private let durability: Durability
  private let state = Mutex(State())

  init(
    _ database: Database, _ queue: WorkQueue, for operation: StoreOperation,
    _ durability: Durability = .full
  ) {
    self.database = database
    self.queue = queue
    self.operation = operation
    self.durability = durability
  }

  /// The number of waiting parts; for tests.
  var count: Int { state.withLock { $0.waiting.count } }

  /// True while all parts are in a transaction that has begun and not ended; for tests.
  var isCommittingAll: Bool { state.withLock { $0.isCommitting && $0.waiting.isEmpty } }

  /// Runs `body` inside a transaction; returns after the commit. `body` may run again when another part
  /// of its transaction fails.
  ///
  /// - Parameters:
  ///   - operation: The operation that its errors name; `nil` for the usual one.
  ///   - touched: The records that it changes; `nil` where they are not known.
  ///   - size: The bytes that it writes, where they are many.
  func run<Result: Sendable>(
    as operation: StoreOperation? = nil, touching touched: AffectedKeys? = nil, size: Int = 0,
    _ body: @escaping @Sendable (borrowing Connection) throws(SQLiteError) -> Result
  ) async throws(StoreError) -> Result {
    let slot = Slot<Result>()
    let failure = await withCheckedContinuation {
      (continuation: CheckedContinuation<StoreError?, Never>) in
      let part = Part(
        operation: operation ?? self.operation, touched: touched, size: size,
        body: { (connection) throws(SQLiteError) in
          let value = try body(connection)
          slot.value.withLock { $0 = value }
        }, end: { continuation.resume(returning: $0) })
      let isFirst = state.withLock { state in
        state.waiting.append(part)
        defer { state.isCommitting = true }
        return !state.isCommitting
      }
      if isFirst { begin() }
    }
    if let failure { throw failure }
    guard let value = slot.value.withLock({ $0 }) else {
      preconditionFailure("a commit left a part out")
    }
    return value
  }

  /// Begins a commit. On the caller's own executor, the tasks that are ready to run there come first: what they add
  /// shares the commit.
  private func begin() {
    guard WorkExecutor.current != nil else { return queue.start { self.commit() } }
    Task.onCallersExecutor { [self] in queue.start { self.commit() } }
  }

  private func commit() {
    let parts = state.withLock { state in
      let count = Self.countOfNext(state.waiting)
      defer { state.waiting.removeFirst(count) }
      return Array(state.waiting.prefix(count))
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
      try database.write(
        parts.first?.operation ?? operation, durability, touching: Self.touched(by: parts)
      ) { (connection) throws(SQLiteError) in
        for part in parts { try part.body(connection) }
      }
      return parts.map { _ in nil }
    } catch {
      // Nothing is stored. One at a time, each fails or succeeds on its own.
      guard parts.count > 1, !error.code.isOfAll else {
        return parts.map { error.during($0.operation) }
      }
      return parts.flatMap { commit([$0]) }
    }
  }

  private static func countOfNext(_ parts: [Part]) -> Int {
    var (count, size) = (0, 0)
    for part in parts.prefix(partsPerCommit) {
      size += part.size
      if count > 0, size > bytesPerCommit { break }
      count += 1
    }
    return count
  }

  /// The records that all parts touch; `nil` where one part does not name them.
  private static func touched(by parts: [Part]) -> AffectedKeys? {
    var all = AffectedKeys()
    for part in parts {
      guard let touched = part.touched else { return nil }
      all.add(touched)
    }
    return all
  }
}

extension StoreError {
  /// The same error for another operation, which shared the failed transaction.
  fileprivate func during(_ operation: StoreOperation) -> StoreError {
    StoreError(
      code, operation, collection: collection, key: key, path: path, sqlite: sqlite)
  }
}
