internal import Strategies

/// The scope of a prune.
///
/// Pinned records and records with a pending write are never pruned. In a file that belongs to a fleet, a record that
/// only this host has marked is not pruned before it is fetched again.
///
/// For a limit of count or bytes, the records go first that this ``Store`` has not read since they were stored, then
/// the others. In both groups the oldest go first, by their last update.
///
/// The store knows of a read as long as the record is in memory. Long and marked records are not in memory; of those
/// it knows some thousands that were read last. It forgets a read after about as much was removed as such a limit
/// leaves. For another process, and for a store that was just opened, age decides.
public struct PruneOptions: Sendable {
  /// Only this collection; `nil` for all.
  public var collection: String?
  /// Records whose last update is at least this long ago.
  public var olderThan: Duration?
  /// The most records to keep.
  public var maximumCount: Int?
  /// The most bytes to keep, counted as the space of records in the file.
  /// It is the space of values, names and details, and the fixed cost of each record.
  public var maximumBytes: Int?
  /// The most records removed in one write transaction. The actual number depends on ``holdTime``.
  package var batchSize = 1000
  /// The target time for which one write transaction blocks other writers.
  package var holdTime = Duration.milliseconds(2)
  /// Counts the records to remove and writes nothing.
  public var isDryRun = false
  /// Called after every batch with the running totals.
  public var progress: (@Sendable (PruneResult) -> Void)?

  /// Removes nothing until a limit is set.
  public init() {}
}

extension PruneOptions {
  var numbers: NumberCheck {
    var numbers = NumberCheck()
    numbers.require("olderThan", olderThan)
    numbers.require("maximumCount", maximumCount, from: 0)
    numbers.require("maximumBytes", maximumBytes, from: 0)
    numbers.require("batchSize", batchSize, from: 1)
    numbers.require("holdTime", holdTime, from: .nanoseconds(1))
    return numbers
  }
}

/// One running prune.
struct Pruner {
  private let store: Store
  private let options: PruneOptions
  private let reads: WorkQueue
  private var writer: TurnWriter
  /// The lately used records, read for the first limit of count or bytes and kept for the whole run.
  private var used: UsedRecords?
  /// The result so far, also when an error has ended the prune.
  private(set) var result = PruneResult()

  init(store: Store, options: PruneOptions) {
    self.store = store
    reads = WorkQueue(taskClock: store.configuration.taskClock)
    self.options = options
    writer = TurnWriter(store, hold: options.holdTime, most: options.batchSize)
    result.isDryRun = options.isDryRun
  }

  mutating func run() async throws(StoreError) -> PruneResult {
    try checkOptions()
    if !options.isDryRun { try await forget() }
    var batch = Storage.PruneBatch(collection: options.collection)
    if let age = options.olderThan {
      batch.before = store.now().wall.advanced(by: .zero - age)
      try await remove(batch)
      if options.isDryRun { batch.countedBefore = batch.before }
      batch.before = nil
    }
    let byAge = counted.removed
    if let maximum = options.maximumCount {
      batch.count = try await extent().count - counted.removed - maximum
      let before = result.removed
      try await remove(batch)
      noteRemoved(result.removed - before, leaving: maximum)
      batch.count = .max
      batch.counted = counted.removed - byAge
    }
    if let maximum = options.maximumBytes {
      batch.bytes = try await extent().bytes - counted.bytes - maximum
      let before = result.bytes
      try await remove(batch)
      noteRemoved(result.bytes - before, leaving: maximum)
    }
    if !options.isDryRun, !Task.isCancelled {
      let collected = try await ContentCollector(store, hold: options.holdTime).run()
      try await forget()
      let shrunk = try await FileShrinker(store, .prune, hold: options.holdTime).run()
      result.fileBytes = shrunk.bytes
      result.longestHold = max(collected.longestHold, shrunk.longestHold)
    }
    result.longestHold = max(result.longestHold, writer.longestHold)
    return result
  }

  /// The records that were counted and still exist: none, unless this is a dry run.
  private var counted: PruneResult { options.isDryRun ? result : PruneResult() }

  private mutating func extent() async throws(StoreError) -> (count: Int, bytes: Int) {
    let known = used
    let found = try await reads.run {
      [store, options] () throws(StoreError) -> (
        extent: (count: Int, bytes: Int), used: UsedRecords
      ) in
      let extent = try store.storage.extent(options.collection)
      return (extent, known ?? store.storage.database.memory.used)
    }
    used = found.used
    return found.extent
  }

  /// Makes the memory of reads age by the removed part.
  private func noteRemoved(_ removed: Int, leaving maximum: Int) {
    guard removed > 0, !options.isDryRun else { return }
    store.storage.database.memory.noteRemoved(Double(removed) / Double(max(1, maximum)))
  }

  private func checkOptions() throws(StoreError) {
    let isUnlimited =
      options.olderThan == nil && options.maximumCount == nil && options.maximumBytes == nil
    let problem =
      isUnlimited
      ? "say what to prune: an age, a count or a number of bytes"
      : options.numbers.problem.map { "a prune's \($0)" }
    if let problem {
      throw StoreError(.invalidArgument(problem), .prune, path: store.path)
    }
  }

  /// The most records selected for removal in one pass, which reads every record.
  private static let mostAtOnce = 250_000

  /// Removes the records of a batch in several passes. A dry run examines all records in one pass: nothing that it
  /// counts disappears between two passes.
  private mutating func remove(_ wanted: Storage.PruneBatch) async throws(StoreError) {
    var (count, bytes) = (wanted.count, wanted.bytes)
    while count > 0, bytes > 0, !Task.isCancelled {
      var batch = wanted
      batch.used = used ?? UsedRecords.none
      batch.count = options.isDryRun ? count : min(count, Self.mostAtOnce)
      batch.bytes = bytes
      let next = batch
      let found = try await reads.run { [store] () throws(StoreError) in
        try store.storage.prunable(next)
      }
      let before = result
      try await remove(found)
      let removed = result.removed - before.removed
      count -= removed
      bytes -= result.bytes - before.bytes
      // Records that were written since they were found are examined again.
      let isAll = found.count < next.count && removed == found.count
      if isAll || removed == 0 || options.isDryRun { return }
    }
  }

  private mutating func remove(_ found: [Storage.Prunable]) async throws(StoreError) {
    guard !options.isDryRun else {
      result.removed += found.count
      result.bytes += found.reduce(0) { $0 + $1.bytes }
      options.progress?(result)
      return
    }
    var left = found[...]
    while !left.isEmpty, !Task.isCancelled {
      let next = left
      let work = try await writer.write(upTo: min(next.count, writer.room)) {
        [store, options] (most) throws(StoreError) in
        try store.storage.prune(
          next.prefix(most), of: options.collection, within: options.holdTime)
      }
      left = left.dropFirst(work.done)
      result.removed += work.changed
      result.bytes += work.bytes
      options.progress?(result)
    }
  }

  /// Removes the traces of killed processes, which would keep records from being pruned.
  private func forget() async throws(StoreError) {
    try await store.makingRoom(for: .prune) { [store] () async throws(StoreError) -> Void in
      try await store.queue.run { () throws(StoreError) in
        try store.storage.forgetAnsweredKeys(now: store.now())
      }
    }
  }
}
