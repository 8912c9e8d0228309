package import Strategies
internal import Synchronization

extension RecordCollection {
  /// Pushes local writes from ``Store/dueWrites(collection:limit:holding:)`` to their source, one
  /// after the other; writes of other collections are left alone. To push in parallel, call it
  /// several times at once.
  ///
  /// No lock is held and no transaction is open while `push` runs, under ``Policy/hardTimeout``;
  /// the write is held at least that long. An error that it throws leaves the write waiting: the
  /// pause grows with every attempt (``Policy/retryPause``), unless the error names one
  /// (``FetchErrorTraits/retryAfter``). Where the source is provably unreachable, or its route or
  /// its origin is in a pause, nothing is sent, and no attempt is counted.
  ///
  /// A conflict between two equal sides is none: the write had arrived, and its answer was lost. A
  /// merged write is pushed at once, unless the last write that it replaces named another address, or its
  /// source was held or went out of reach meanwhile: then it is handed out anew. When it meets a conflict
  /// again, or a write of the key was made, corrected or dropped during the resolution, everything is
  /// resolved anew after a pause that grows with each consecutive conflict (``Policy/retryPause``).
  ///
  /// - Parameters:
  ///   - policy: Replaces the collection's.
  ///   - conflicts: The winner when the source holds another change; by default neither side, and
  ///     the write is parked.
  ///   - push: Sends one write to the source. It may be called again for a write that had arrived,
  ///     under the same idempotency key.
  /// - Returns: The outcome of each write, by the number of its entry; the store's error when it
  ///   could not be settled: it is then due again at once, under the same idempotency key.
  package func push(
    _ due: [DueWrite], policy: Policy? = nil, conflicts: ConflictPolicy<Value> = .parks,
    limits: PushLimits = PushLimits(),
    push: @escaping @Sendable (PendingWrite<Value>) async throws -> Pushed<Value>
  ) async -> [OutboxEntry.ID: Result<PushOutcome<Value>, StoreError>] {
    let pusher = Pusher(
      collection: self, policy: policy ?? self.policy, conflicts: conflicts, limits: limits,
      push: push)
    var outcomes: [OutboxEntry.ID: Result<PushOutcome<Value>, StoreError>] = [:]
    for write in own(due) {
      outcomes[write.entry.id] = await outcome(
        of: write, size: write.entry.size, past: await pusher.source.admitAll(), pusher)
    }
    return outcomes
  }

  /// As ``push(_:policy:conflicts:limits:push:)``, all in one request; a write that was merged after a
  /// conflict goes in a request of its own.
  ///
  /// - Parameter push: Sends the writes, of different keys, to the source, and returns its answers by key. A
  ///   write without an answer has failed, and waits.
  package func push(
    together due: [DueWrite], policy: Policy? = nil, conflicts: ConflictPolicy<Value> = .parks,
    limits: PushLimits = PushLimits(),
    push: @escaping @Sendable ([PendingWrite<Value>]) async throws -> [String: Pushed<Value>]
  ) async -> [OutboxEntry.ID: Result<PushOutcome<Value>, StoreError>] {
    let due = own(due)
    // An admission may be the only one for a trial.
    guard !due.isEmpty else { return [:] }
    let batch = PushBatch(members: due.count, push: push)
    let round = PushRound(chance: store.configuration.random())
    let size = due.reduce(0) { $0 + $1.entry.size }
    let admission = await self.admission(policy ?? self.policy).admitAll()
    return await withTaskGroup(
      of: (OutboxEntry.ID, Result<PushOutcome<Value>, StoreError>).self
    ) { group in
      for (number, write) in due.enumerated() {
        let member = PushBatch<Value>.Member(number, of: batch)
        let pusher = Pusher(
          collection: self, policy: policy ?? self.policy, conflicts: conflicts, limits: limits,
          blames: batch.blames, round: round, leaves: member.end, push: member.push)
        group.addTask {
          defer { member.end() }
          return (write.entry.id, await outcome(of: write, size: size, past: admission, pusher))
        }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }

  private func own(_ due: [DueWrite]) -> [DueWrite] {
    due.filter { $0.entry.collection.hasSameBytes(as: name) }
  }

  private func outcome(
    of write: DueWrite, size: Int, past admission: Result<SourceObstacle?, StoreError>,
    _ pusher: Pusher<Value>
  ) async -> Result<PushOutcome<Value>, StoreError> {
    do throws(StoreError) {
      return .success(try await pusher.outcome(of: write, size: size, past: admission))
    } catch {
      store.report(.notStored(error))
      return .failure(error)
    }
  }
}

/// The outcome of one pushed write.
package enum PushOutcome<Value: Sendable>: Sendable {
  /// The source accepted it, and holds this value; `nil` for a deletion. Later local writes of the
  /// key still wait.
  case accepted(Value?)
  /// The source's version won; the discarded local writes.
  case discarded([OutboxEntry])
  /// It was parked for this reason.
  case parked(String)
  /// It is sent again, at the earliest at this moment, for this reason; with the failure when an
  /// attempt failed, without one when the attempt was postponed.
  case deferred(until: Timestamp, reason: String, failure: FetchFailure?)
  /// It was dropped, or taken over by another process, during the push.
  case superseded
}

/// How long a local write is tried, and how long one attempt may take.
package struct PushLimits: Sendable, Hashable {
  /// The number of failed attempts after which a write is parked, and of conflicts in a row after which
  /// one is parked whose resolution meets yet another; `nil` for no end.
  package var attempts: Int?
  /// The time since its first attempt after which a write that fails once more is parked; `nil` for no
  /// end. A retry and a correction begin a first attempt anew, and the count of attempts and conflicts.
  package var age: Duration?
  /// The bytes a second that an upload makes at the least: an attempt may take longer by so much.
  package var slowestUpload: Int?

  /// No limits.
  package init(attempts: Int? = nil, age: Duration? = nil, slowestUpload: Int? = nil) {
    self.attempts = attempts
    self.age = age
    self.slowestUpload = slowestUpload
  }

  /// The time that an attempt may take, within a day.
  func time(_ hardTimeout: Duration, size: Int) -> Duration {
    guard let slowestUpload, slowestUpload > 0 else { return hardTimeout }
    // Whole seconds: small bodies end at the hard timeout itself.
    let allowance = Duration.seconds(size / slowestUpload)
    return hardTimeout + min(allowance, Backoff.longestNamed)
  }

  /// Why a write that has failed once more is not tried again; `nil` when it is.
  ///
  /// - Parameters:
  ///   - write: The entry with the attempt that has failed.
  ///   - now: By the clock that its times are on.
  func end(_ write: StoredWrite, at now: Timestamp) -> String? {
    let attempts = Int(write.tries)
    if let limit = self.attempts, attempts >= limit {
      return "given up after \(attempts) attempts"
    }
    if let age, attempts > 1, let first = write.triedAt, now.duration(since: first) >= age {
      return "given up \(age.brief) after its first attempt"
    }
    return nil
  }

  /// Why a write whose resolution has met a conflict is not resolved once more; `nil` when it is.
  func end(contested write: StoredWrite) -> String? {
    // The conflict that it has just met is not counted in it yet.
    let conflicts = Int(write.conflicts.oneMore)
    guard let attempts, conflicts >= attempts else { return nil }
    return "given up after \(conflicts) conflicts"
  }
}

/// What the failures of local writes that go in one request have in common: they pause alike, and so go together
/// again.
final class PushRound: Sendable {
  /// The random number of their pauses, in 0 ..< 1.
  let chance: Double
  private let first = Mutex<ClockReading?>(nil)

  init(chance: Double) {
    self.chance = chance
  }

  /// Members of a request are settled one after the other, well within that time; one that goes on by itself
  /// after a merge may take longer.
  private static let length: Int64 = 1000

  /// The moment from which the pause of a member counts that is found to have failed at `now`.
  func moment(at now: ClockReading) -> ClockReading {
    first.withLock { first in
      let begun = first ?? now
      first = begun
      let isSame = begun.boot == now.boot && now.sinceBoot - begun.sinceBoot < Self.length
      return isSame ? begun : now
    }
  }
}
