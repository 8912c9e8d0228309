internal import Synchronization

/// Commits what is put in the order in which it comes. What comes while a transaction is under way goes
/// into the next one together, so that many writers share what each commit costs.
final class PutQueue: Sendable {
  /// What one call puts: all of it is stored, or none.
  struct Put: Sendable {
    let writes: [Storage.Write]
    let durability: Database.Durability
    let now: ClockReading
  }

  /// The key of a record that has a local write, in the way of its whole put; `nil` when it is stored.
  typealias Answer = Result<String?, StoreError>

  private struct Waiting {
    let put: Put
    let continuation: CheckedContinuation<Answer, Never>
  }

  private struct State {
    var waiting: [Waiting] = []
    var isScheduled = false
    /// Puts that were taken from the queue so far.
    var taken = 0
  }

  /// Records in one transaction, unless one put alone has more.
  private static let recordsPerCommit = 256

  /// Records that are put on the caller's thread.
  private static let recordsAtOnce = 8

  private let storage: Storage
  private let queue: WorkQueue
  private let state = Mutex(State())

  init(_ storage: Storage, _ queue: WorkQueue) {
    self.storage = storage
    self.queue = queue
  }

  /// Puts that wait, and those that have waited; for tests.
  var count: Int { state.withLock { $0.waiting.count } }
  var taken: Int { state.withLock { $0.taken } }

  /// Returns once it is committed.
  ///
  /// A short put that need not wait for the disk is committed at once, on the caller's thread, when
  /// nobody else is writing: to hand it to another thread and back would take longer than the commit.
  func store(_ put: Put) async throws(StoreError) -> String? {
    if put.durability == .normal, put.writes.count <= Self.recordsAtOnce, isIdle,
      let answers = try storage.putAtOnce(put)
    {
      return answers.first ?? nil
    }
    let answer = await withCheckedContinuation {
      (continuation: CheckedContinuation<Answer, Never>) in
      let isFirst = state.withLock { state in
        state.waiting.append(Waiting(put: put, continuation: continuation))
        defer { state.isScheduled = true }
        return !state.isScheduled
      }
      if isFirst { queue.start { self.commit() } }
    }
    return try answer.get()
  }

  private var isIdle: Bool { state.withLock { !$0.isScheduled && $0.waiting.isEmpty } }

  private func commit() {
    let (group, isMore) = state.withLock { state in
      var records = 0
      let count = state.waiting.prefix { waiting in
        defer { records += waiting.put.writes.count }
        return records == 0 || records + waiting.put.writes.count <= Self.recordsPerCommit
      }.count
      let group = Array(state.waiting.prefix(count))
      state.waiting.removeFirst(count)
      state.taken += count
      state.isScheduled = !state.waiting.isEmpty
      return (group, state.isScheduled)
    }
    if isMore { queue.start { self.commit() } }
    for (waiting, answer) in zip(group, answers(to: group.map(\.put))) {
      waiting.continuation.resume(returning: answer)
    }
  }

  private func answers(to puts: [Put]) -> [Answer] {
    do throws(StoreError) {
      return try storage.put(puts).map { .success($0) }
    } catch {
      // Nothing is stored. One at a time each fails for a reason of its own, or does not.
      guard puts.count > 1, !error.code.isOfAll else { return puts.map { _ in .failure(error) } }
      return puts.flatMap { answers(to: [$0]) }
    }
  }
}

extension StoreError.Code {
  /// True when what is tried next would fail for the same reason, and no sooner.
  fileprivate var isOfAll: Bool {
    switch self {
    case .busy, .closed, .forked, .readOnly: true
    default: false
    }
  }
}
