/// One sweep under way.
struct Sweeper {
  let store: Store
  let options: SweepOptions
  private var result = SweepResult()

  init(store: Store, options: SweepOptions) {
    self.store = store
    self.options = options
    result.isDryRun = options.isDryRun
  }

  consuming func run() async throws(StoreError) -> SweepResult {
    guard options.batchSize > 0, (options.limit ?? 1) > 0 else {
      throw StoreError(
        .invalidArgument("the batch and the limit of a sweep must be positive"), .sweep,
        path: store.path)
    }
    let isDone = try await markExpired()
    result.isComplete = isDone ? try await markCovered() : false
    return result
  }

  private mutating func markExpired() async throws(StoreError) -> Bool {
    var position = Storage.SweepPosition()
    let now = store.now()
    while let limit = nextBatch() {
      let start = position
      let (batch, end) = try await store.queue.run { [store, options] () throws(StoreError) in
        var end = start
        let batch = try store.storage.sweepExpired(
          from: &end, limit: limit, isDryRun: options.isDryRun, now: now
        ) { record in
          let decision = store.gate.decideWithoutReachability(record, now: now)
          return decision.isServable ? nil : "\(decision.cause)"
        }
        return (batch, end)
      }
      position = end
      note(batch)
      if batch.isLast { return true }
    }
    return false
  }

  private mutating func markCovered() async throws(StoreError) -> Bool {
    for invalidation in try store.storage.invalidations() {
      var last = Int64.min
      while true {
        guard let limit = nextBatch() else { return false }
        let start = last
        let (batch, end) = try await store.queue.run { [store, options] () throws(StoreError) in
          var end = start
          let batch = try store.storage.sweepCovered(
            by: invalidation, after: &end, limit: limit, isDryRun: options.isDryRun)
          return (batch, end)
        }
        last = end
        note(batch)
        if batch.isLast { break }
      }
      if !options.isDryRun {
        let now = store.now()
        try await store.queue.run { [store] () throws(StoreError) in
          try store.storage.forget(invalidation, now: now)
        }
      }
    }
    return true
  }

  /// The size of the next batch; `nil` when the sweep is to end here.
  private func nextBatch() -> Int? {
    guard !Task.isCancelled else { return nil }
    guard let limit = options.limit else { return options.batchSize }
    let left = limit - result.marked
    return left > 0 ? min(left, options.batchSize) : nil
  }

  private mutating func note(_ batch: Storage.SweepBatch) {
    result.examined += batch.examined
    result.marked += batch.marked
    if batch.examined > 0 { result.batches += 1 }
    options.progress?(result)
  }
}
