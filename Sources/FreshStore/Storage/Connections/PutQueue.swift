internal import Synchronization

/// Commits puts in the order of their arrival. Puts that arrive during a transaction share the next
/// one, so that many writers share the cost of each commit.
///
/// A short put that need not wait for the disk is committed on the caller's thread when no other put is being
/// committed. Short puts that arrive meanwhile follow on the same thread: handing them to another thread and back
/// would take longer than the commits.
final class PutQueue: Sendable {
  /// The records of one call: all of them are stored, or none.
  struct Put: Sendable {
    let writes: [Storage.Write]
    let durability: Durability
    let now: ClockReading
    /// The count of wipes (``Storage/wipes``) when it began.
    let wipes: Int

    /// True for a put that takes almost no time, unless another writer is active.
    fileprivate var isShort: Bool {
      durability == .normal && writes.count <= PutQueue.recordsAtOnce
    }
  }

  /// The outcome of a put.
  enum Outcome: Sendable, Equatable {
    case stored
    /// A record has a local write, which blocks the whole put; its key.
    case pending(String)
    /// The store was wiped since it began.
    case wiped
  }

  typealias Answer = Result<Outcome, StoreError>

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
    /// Puts taken from the queue so far.
    var taken = 0

    /// Takes the puts that have waited longest: `records` in total, or the first put if it has more.
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

  /// The maximum of records in one transaction, unless one put has more.
  private static let recordsPerCommit = 256

  /// The maximum of records in a put on the caller's thread.
  private static let recordsAtOnce = 8

  /// The maximum of records that a caller commits for others before it returns.
  private static let recordsForOthers = 32

  private let storage: Storage
  private let queue: WorkQueue
  private let state = Mutex(State())

  init(_ storage: Storage, _ queue: WorkQueue) {
    self.storage = storage
    self.queue = queue
  }

  /// The numbers of waiting puts, and of the puts taken so far; for tests.
  var count: Int { state.withLock { $0.waiting.count } }
  var taken: Int { state.withLock { $0.taken } }

  /// Returns after the commit.
  func store(_ put: Put) async throws(StoreError) -> Outcome {
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
      // Another writer is active; the queue waits for it.
      return try await wait(put, in: .caller)
    }
    return try await wait(put, in: .nobody)
  }

  // MARK: On the caller's thread

  /// Makes the caller the committer, if there is none.
  private func claim() -> Bool {
    state.withLock { state in
      guard state.committer == .nobody else { return false }
      state.committer = .caller
      return true
    }
  }

  /// Commits the short puts that arrived meanwhile, once, and leaves later ones to the queue.
  private func commitOthers() {
    let group = state.withLock { $0.take(Self.recordsForOthers, where: \.isShort) }
    if !group.isEmpty {
      // The queue finds the cause of a failure, one put at a time.
      if let answers = try? storage.putAtOnce(group.map(\.put)) {
        answer(group, answers.map { .success($0) })
      } else {
        state.withLock { $0.giveBack(group) }
      }
    }
    handOver()
  }

  /// Leaves waiting puts to the queue.
  private func handOver() {
    let isMore = state.withLock { state in
      state.committer = state.waiting.isEmpty ? .nobody : .queue
      return state.committer == .queue
    }
    if isMore { queue.start { self.commit() } }
  }

  // MARK: In the queue

  /// Waits until the queue has committed a put. A caller that was the committer gives that up.
  private func wait(_ put: Put, in committer: Committer) async throws(StoreError) -> Outcome {
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
      // Nothing is stored. One at a time, each put fails or succeeds on its own.
      guard puts.count > 1, !error.code.isOfAll else { return puts.map { _ in .failure(error) } }
      return puts.flatMap { answers(to: [$0]) }
    }
  }
}

extension StoreError.Code {
  /// True when the next attempt would fail for the same reason, and no sooner.
  var isOfAll: Bool {
    switch self {
    case .busy, .closed, .forked, .readOnly: true
    default: false
    }
  }
}
