package import Strategies
internal import Synchronization

extension RecordCollection {
  /// Pushes local writes from ``Store/dueWrites(collection:limit:holding:)`` to their source, one after the other.
  ///
  /// Writes of other collections are ignored. To push in parallel, call it several times at once.
  ///
  /// No lock is held and no transaction is open while `push` runs, under ``Policy/hardTimeout``. The write is held at
  /// least that long. An error that `push` throws leaves the write waiting. The pause grows with every attempt
  /// (``Policy/retryPause``), unless the error names one (``FetchErrorTraits/retryAfter``).
  ///
  /// Where the source is provably unreachable, or its route or its origin is in a pause, nothing is sent, and no
  /// attempt is counted.
  ///
  /// A conflict between two equal sides is none: the write had arrived, and its answer was lost. A merged write is
  /// pushed at once, except in these cases, in which it is handed out anew:
  ///
  /// - The last write that it replaces named another address.
  /// - Its source was held or went out of reach meanwhile.
  ///
  /// Everything is resolved anew when the merged write meets a conflict again. The same holds when a write of the key
  /// was made, corrected or dropped during the resolution. Before that is a pause that grows with each consecutive
  /// conflict (``Policy/retryPause``).
  ///
  /// - Parameters:
  ///   - policy: Replaces the collection's.
  ///   - conflicts: The winner when the source holds another change; by default neither side, and
  ///     the write is parked.
  ///   - push: Sends one write to the source. It may be called again for a write that had arrived,
  ///     under the same idempotency key.
  /// - Returns: The outcome of each write, by the number of its entry; the store's error when a write could not be
  ///   settled. Such a write is due again at once, under the same idempotency key.
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

  /// Pushes local writes as ``push(_:policy:conflicts:limits:push:)``, all in one request. A write that was merged
  /// after a conflict goes in a request of its own.
  ///
  /// - Parameter push: Sends the writes, of different keys, to the source, and returns its answers by key. A
  ///   write without an answer has failed, and waits.
  package func push(
    together due: [DueWrite], policy: Policy? = nil, conflicts: ConflictPolicy<Value> = .parks,
    limits: PushLimits = PushLimits(),
    push: @escaping @Sendable ([PendingWrite<Value>]) async throws -> [String: Pushed<Value>]
  ) async -> [OutboxEntry.ID: Result<PushOutcome<Value>, StoreError>] {
    let due = own(due)
    // An admission may be the only one for a trial, so it is not taken without a write.
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
  /// The source accepted the write, and holds this value; `nil` for a deletion. Later local writes of the key still
  /// wait.
  case accepted(Value?)
  /// The source's version won; these local writes were discarded.
  case discarded([OutboxEntry])
  /// The write was parked for this reason.
  case parked(String)
  /// The write is sent again, at this moment at the earliest, for this reason. It has a failure when an attempt failed,
  /// and none when the attempt was postponed.
  case deferred(until: Timestamp, reason: String, failure: FetchFailure?)
  /// The write was dropped, or taken over by another process, during the push.
  case superseded
}

/// The limits of the attempts at a local write, and of the time for one attempt.
package struct PushLimits: Sendable, Hashable {
  /// The number of failed attempts after which a write is parked; `nil` for no end.
  ///
  /// It is also the number of consecutive conflicts: a write whose resolution meets yet another conflict is then
  /// parked.
  package var attempts: Int?
  /// The time since its first attempt after which a write that fails once more is parked; `nil` for no end.
  ///
  /// A retry or a correction begins anew: with a first attempt, and with the counts of attempts and conflicts.
  package var age: Duration?
  /// The least speed of an upload, in bytes a second: an attempt may take longer by the time for its bytes.
  package var slowestUpload: Int?

  /// Creates limits; by default there are none.
  package init(attempts: Int? = nil, age: Duration? = nil, slowestUpload: Int? = nil) {
    self.attempts = attempts
    self.age = age
    self.slowestUpload = slowestUpload
  }

  /// The time that an attempt may take; its upload adds a day at most.
  func time(_ hardTimeout: Duration, size: Int) -> Duration {
    guard let slowestUpload, slowestUpload > 0 else { return hardTimeout }
    // The allowance is in whole seconds: small bodies end at the hard timeout itself.
    let allowance = Duration.seconds(size / slowestUpload)
    return hardTimeout + min(allowance, Backoff.longestNamed)
  }

  /// The reason why a write that has failed once more is not tried again; `nil` when it is tried.
  ///
  /// - Parameters:
  ///   - write: The entry with the attempt that has failed.
  ///   - now: The time, by the clock of the entry's times.
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

  /// The reason why a write whose resolution has met a conflict is not resolved once more; `nil` when it is.
  func end(contested write: StoredWrite) -> String? {
    // The entry does not count the conflict that it has just met.
    let conflicts = Int(write.conflicts.oneMore)
    guard let attempts, conflicts >= attempts else { return nil }
    return "given up after \(conflicts) conflicts"
  }
}

/// The shared pause of local writes that fail in one request: they pause alike, and so go together again.
final class PushRound: Sendable {
  /// The random number of their pauses, in 0 ..< 1.
  let chance: Double
  private let first = Mutex<ClockReading?>(nil)

  init(chance: Double) {
    self.chance = chance
  }

  /// The members of a request are settled one after the other, well within this time, in milliseconds. A member that
  /// goes on by itself after a merge may take longer.
  private static let length: Int64 = 1000

  /// The moment from which a member's pause counts, if its failure is found at `now`.
  func moment(at now: ClockReading) -> ClockReading {
    first.withLock { first in
      let begun = first ?? now
      first = begun
      let isSame = begun.boot == now.boot && now.sinceBoot - begun.sinceBoot < Self.length
      return isSame ? begun : now
    }
  }
}
