internal import Synchronization

/// Commits what is put in the order in which it comes. What comes while a transaction is under way goes
/// into the next one together, so that many writers share what each commit costs.
///
/// A short put that need not wait for the disk is committed on the caller's thread when nobody else
/// commits, and the short ones that come meanwhile after it: to hand them to another thread and back
/// would take longer than the commits.
final class PutQueue: Sendable {
  /// What one call puts: all of it is stored, or none.
  struct Put: Sendable {
    let writes: [Storage.Write]
    let durability: Database.Durability
    let now: ClockReading

    /// True for what is over in no time, unless somebody else writes.
    fileprivate var isShort: Bool {
      durability == .normal && writes.count <= PutQueue.recordsAtOnce
    }
  }

  /// The key of a record that has a local write, in the way of its whole put; `nil` when it is stored.
  typealias Answer = Result<String?, StoreError>

  private struct Waiting {
    let put: Put
    let continuation: CheckedContinuation<Answer, Never>
  }

  private enum Committer {
    case nobody, caller, queue
  }

  private struct State {
    var waiting: [Waiting] = []
    var committer = Committer.nobody
    /// Puts that were taken from the queue so far.
    var taken = 0

    /// Takes those that have waited longest: `records` in all, unless the first alone has more.
    mutating func take(
      _ records: Int, where isWanted: (Put) -> Bool = { _ in true }
    ) -> [Waiting] {
      var sum = 0
      let count = waiting.prefix { waiting in
        defer { sum += waiting.put.writes.count }
        return isWanted(waiting.put) && (sum == 0 || sum + waiting.put.writes.count <= records)
      }.count
      defer { waiting.removeFirst(count) }
      taken += count
      return Array(waiting.prefix(count))
    }

    mutating func giveBack(_ group: [Waiting]) {
      waiting.insert(contentsOf: group, at: 0)
      taken -= group.count
    }
  }

  /// Records in one transaction, unless one put alone has more.
  private static let recordsPerCommit = 256

  /// Records that are put on the caller's thread.
  private static let recordsAtOnce = 8

  /// Records that a caller commits for others before it goes on.
  private static let recordsForOthers = 32

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
  func store(_ put: Put) async throws(StoreError) -> String? {
    if put.isShort, claim() {
      do throws(StoreError) {
        if let answers = try storage.putAtOnce([put]) {
          commitOthers()
          return answers[0]
        }
      } catch {
        handOver()
        throw error
      }
      // Somebody else is writing, who is waited for elsewhere.
      return try await wait(put, in: .caller)
    }
    return try await wait(put, in: .nobody)
  }

  // MARK: On the caller's thread

  /// Makes the caller the one who commits, if nobody is.
  private func claim() -> Bool {
    state.withLock { state in
      guard state.committer == .nobody else { return false }
      state.committer = .caller
      return true
    }
  }

  /// Commits the short puts that came meanwhile, once, and leaves what came after to the queue.
  private func commitOthers() {
    let group = state.withLock { $0.take(Self.recordsForOthers, where: \.isShort) }
    if !group.isEmpty {
      // Why it fails is found out in the queue, one put at a time.
      if let answers = try? storage.putAtOnce(group.map(\.put)) {
        answer(group, answers.map { .success($0) })
      } else {
        state.withLock { $0.giveBack(group) }
      }
    }
    handOver()
  }

  /// Leaves what waits to the queue.
  private func handOver() {
    let isMore = state.withLock { state in
      state.committer = state.waiting.isEmpty ? .nobody : .queue
      return state.committer == .queue
    }
    if isMore { queue.start { self.commit() } }
  }

  // MARK: In the queue

  /// Waits until the queue has committed a put. Who was the one to commit is it no longer.
  private func wait(_ put: Put, in committer: Committer) async throws(StoreError) -> String? {
    let answer = await withCheckedContinuation {
      (continuation: CheckedContinuation<Answer, Never>) in
      let isFirst = state.withLock { state in
        state.waiting.append(Waiting(put: put, continuation: continuation))
        guard state.committer == committer else { return false }
        state.committer = .queue
        return true
      }
      if isFirst { queue.start { self.commit() } }
    }
    return try answer.get()
  }

  private func commit() {
    let group = state.withLock { $0.take(Self.recordsPerCommit) }
    let answers = answers(to: group.map(\.put))
    handOver()
    answer(group, answers)
  }

  private func answer(_ group: [Waiting], _ answers: [Answer]) {
    for (waiting, answer) in zip(group, answers) {
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
