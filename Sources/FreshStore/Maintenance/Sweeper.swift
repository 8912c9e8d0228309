internal import Strategies

/// The limits of a sweep.
public struct SweepOptions: Sendable {
  /// The most records to mark, at least 1; `nil` for all.
  public var limit: Int?
  /// The most records in one write transaction. The actual number depends on ``holdTime`` and on the speed of the
  /// machine.
  package var batchSize = 1000
  /// The target time for which one write transaction blocks other writers. Other load on the machine can make it
  /// longer; ``SweepResult/longestHold`` reports the actual time.
  package var holdTime = Duration.milliseconds(2)
  /// The time, longer than zero, after which the sweep ends with the current batch; `nil` for no limit.
  public var timeLimit: Duration?
  /// How long to wait for a running sweep of another owner, in this process or another.
  public var wait = Duration.zero
  /// The sweep lock, if the caller already holds it: ``Store/lockSweeps(waiting:)``.
  package var lock: SweepLock?
  /// Counts the records to mark and writes nothing. Any number of dry runs may run at once.
  public var isDryRun = false
  /// Called after every batch with the running totals.
  public var progress: (@Sendable (SweepResult) -> Void)?

  /// The defaults: everything, in transactions of 2 ms, unless another sweep is running.
  public init() {}
}

extension SweepOptions {
  var numbers: NumberCheck {
    var numbers = NumberCheck()
    numbers.require("limit", limit, from: 1)
    numbers.require("batchSize", batchSize, from: 1)
    numbers.require("holdTime", holdTime, from: .nanoseconds(1))
    numbers.require("timeLimit", timeLimit, from: .nanoseconds(1))
    numbers.require("wait", wait)
    return numbers
  }
}

/// The right to sweep a store: a lock on a file beside the database, `NAME-sweep`, which stays.
/// It ends with ``release()``, or when its process ends in any way.
package final class SweepLock: Sendable {
  private let lock: FileLock

  init(database: String, since: Timestamp) throws(StoreError) {
    do throws(FileLock.Failure) {
      lock = try FileLock(database: database, suffix: Self.suffix, since: since)
    } catch {
      switch error {
      case .held(let holder):
        throw StoreError(.sweepUnderWay(holder), .sweep, path: database)
      case .failed(let code, let file): throw StoreError(code, .sweep, path: file)
      }
    }
  }

  /// The lock file.
  package static func file(of database: String) -> String { CompanionFile.path(database, suffix) }

  private static let suffix = "-sweep"

  /// Releases the lock. Calling it again does nothing.
  package func release() { lock.release() }
}

/// One running sweep.
///
/// It finds and judges candidates outside of the write lock. Under the lock it only marks each, and
/// only if it is unchanged since the verdict. So a killed sweep has lost nothing and done nothing
/// twice: marked records have left the index of deadlines.
struct Sweeper {
  private let store: Store
  private let options: SweepOptions
  private let end: ContinuousClock.Instant?
  private let reads: WorkQueue
  private var writer: TurnWriter
  private var result = SweepResult()

  init(store: Store, options: SweepOptions) {
    self.store = store
    reads = WorkQueue(taskClock: store.configuration.taskClock)
    self.options = options
    end = options.timeLimit.map { .now + $0 }
    writer = TurnWriter(store, hold: options.holdTime, most: options.batchSize, until: end)
    result.isDryRun = options.isDryRun
  }

  consuming func run() async throws(StoreError) -> SweepResult {
    let isDone = try await markExpired()
    result.isComplete = isDone ? try await markCovered() : false
    if !options.isDryRun {
      try await forgetOrigins()
      try await collect()
    }
    return result
  }

  /// Forgets the origins beyond the limit. Origins that are forgotten late only cost room.
  private mutating func forgetOrigins() async throws(StoreError) {
    guard !writer.isOver else { return }
    let beyond = try await reads.run { [store] () throws(StoreError) in
      try store.storage.originsToForget()
    }
    guard let found = beyond else { return }
    var left = found.count
    while left > 0, !writer.isOver {
      let work = try await writer.write(upTo: min(left, writer.room)) {
        [store] (most) throws(StoreError) in
        try store.storage.forget(found, atMost: most)
      }
      result.longestHold = writer.longestHold
      // The other origins have failed again, or answered, since they were found.
      guard work.done == writer.turnLimit else { return }
      left -= work.done
    }
  }

  /// Collects values in blocks. A sweep that has to end early is complete without it: late collection only costs room.
  private mutating func collect() async throws(StoreError) {
    let collected = try await ContentCollector(store, hold: options.holdTime, until: end).run()
    result.longestHold = max(result.longestHold, collected.longestHold)
    // While the disk has room, free pages of single rows are kept for the next rows.
    guard collected.hasRemoved || !store.storage.database.file.hasRoomToGrow else { return }
    do throws(StoreError) {
      let shrunk = try await FileShrinker(store, .sweep, hold: options.holdTime, until: end).run()
      result.longestHold = max(result.longestHold, shrunk.longestHold)
    } catch {
      // The sweep is complete even if the file cannot shrink now.
      guard error.code == .full else { throw error }
    }
  }

  private mutating func markExpired() async throws(StoreError) -> Bool {
    var position = Storage.SweepPosition()
    let now = store.now()
    while let marks = marksLeft() {
      let (start, room) = (position, room)
      let batch = try await reads.run { [store] () throws(StoreError) in
        try store.storage.expired(after: start, limit: room, marks: marks, now: now) { record in
          let decision = store.gate.decideWithoutReachability(record, now: now)
          return decision.isServable ? nil : "\(decision.cause)"
        }
      }
      position = batch.end
      try await mark(batch.candidates, examined: batch.examined)
      if batch.isLast { return true }
    }
    return false
  }

  /// The most invalidations examined in one snapshot, which keeps the log from being emptied.
  private static let mostAtOnce = 256

  private mutating func markCovered() async throws(StoreError) -> Bool {
    var left = try store.storage.invalidations()[...]
    var last = Storage.CoveredPosition()
    while !left.isEmpty {
      guard let marks = marksLeft() else { return false }
      let (next, start, limit) = (left.prefix(Self.mostAtOnce), last, min(marks, room))
      let batch = try await reads.run { [store] () throws(StoreError) in
        try store.storage.covered(by: next, after: start, limit: limit)
      }
      last = batch.end
      try await mark(batch.candidates, examined: batch.examined)
      if !options.isDryRun { try await forget(next.prefix(batch.ended)) }
      left = left.dropFirst(batch.ended)
    }
    return true
  }

  /// The number of records that may still be marked; `nil` when the sweep must end here.
  private func marksLeft() -> Int? {
    guard !writer.isOver else { return nil }
    guard let limit = options.limit else { return .max }
    return limit > result.marked ? limit - result.marked : nil
  }

  /// The number of records examined at once. A dry run holds no lock, so its number is not limited by the hold time.
  private var room: Int { options.isDryRun ? options.batchSize : writer.room }

  private mutating func mark(
    _ candidates: [Storage.Candidate], examined: Int
  ) async throws(StoreError) {
    result.examined += examined
    if options.isDryRun {
      result.marked += candidates.count { $0.isNewlyStale }
      if examined > 0 { result.batches += 1 }
    } else {
      try await mark(candidates)
    }
    options.progress?(result)
  }

  private mutating func mark(_ candidates: [Storage.Candidate]) async throws(StoreError) {
    var left = candidates[...]
    while !left.isEmpty {
      let next = left
      let work = try await writer.write(upTo: next.count) {
        [store, options] (most) throws(StoreError) in
        try store.storage.mark(next.prefix(most), within: options.holdTime, now: store.now())
      }
      left = left.dropFirst(work.done)
      result.marked += work.changed
      result.batches += 1
      result.longestHold = writer.longestHold
    }
  }

  private mutating func forget(
    _ invalidations: ArraySlice<Storage.Invalidation>
  ) async throws(StoreError) {
    var left = invalidations
    while !left.isEmpty {
      let (next, now) = (left, store.now())
      let work = try await writer.write(upTo: next.count) {
        [store, options] (most) throws(StoreError) in
        try store.storage.forget(next.prefix(most), within: options.holdTime, now: now)
      }
      left = left.dropFirst(work.done)
      result.longestHold = writer.longestHold
    }
  }
}
