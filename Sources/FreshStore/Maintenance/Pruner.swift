internal import Strategies

/// One prune under way.
struct Pruner {
  let store: Store
  let options: PruneOptions
  private var result = PruneResult()

  init(store: Store, options: PruneOptions) {
    self.store = store
    self.options = options
    result.isDryRun = options.isDryRun
  }

  consuming func run() async throws(StoreError) -> PruneResult {
    try refuseNonsense()
    var batch = Storage.PruneBatch(collection: options.collection)
    if let age = options.olderThan {
      batch.before = store.now().wall.advanced(by: .zero - age)
      try await remove(batch)
      if options.isDryRun { batch.countedBefore = batch.before }
      batch.before = nil
    }
    let byAge = counted.removed
    if let maximum = options.maximumCount {
      batch.count = try store.storage.extent(options.collection).count - counted.removed - maximum
      try await remove(batch)
      batch.count = .max
      batch.counted = counted.removed - byAge
    }
    if let maximum = options.maximumBytes {
      batch.bytes = try store.storage.extent(options.collection).bytes - counted.bytes - maximum
      try await remove(batch)
    }
    if !options.isDryRun {
      result.fileBytes = try await store.queue.run { [store] () throws(StoreError) in
        try store.storage.shrink()
      }
    }
    return result
  }

  /// What was counted and is still there: nothing, unless this is a dry run.
  private var counted: PruneResult { options.isDryRun ? result : PruneResult() }

  private func refuseNonsense() throws(StoreError) {
    let numbers = [options.maximumCount, options.maximumBytes].compactMap(\.self)
    let problem: String? =
      if options.olderThan == nil && numbers.isEmpty {
        "say what to prune: an age, a count or a number of bytes"
      } else if (options.olderThan ?? .zero) < .zero || numbers.contains(where: { $0 < 0 }) {
        "the limits of a prune must not be negative"
      } else if options.batchSize <= 0 {
        "the batch of a prune must be positive"
      } else {
        nil
      }
    if let problem {
      throw StoreError(.invalidArgument(problem), .prune, path: store.path)
    }
  }

  /// A dry run looks at everything in one read: nothing it counts goes away between two batches.
  private mutating func remove(_ wanted: Storage.PruneBatch) async throws(StoreError) {
    var (count, bytes) = (wanted.count, wanted.bytes)
    while count > 0, bytes > 0, !Task.isCancelled {
      var batch = wanted
      batch.count = options.isDryRun ? count : min(count, options.batchSize)
      batch.bytes = bytes
      let next = batch
      let pruned = try await store.queue.run { [store, options] () throws(StoreError) in
        try store.storage.prune(next, isDryRun: options.isDryRun)
      }
      result.removed += pruned.removed
      result.bytes += pruned.bytes
      count -= pruned.removed
      bytes -= pruned.bytes
      if pruned.removed < next.count || options.isDryRun { return }
    }
  }
}
