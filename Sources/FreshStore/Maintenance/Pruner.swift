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
    if let age = options.olderThan {
      try await remove(before: store.now().wall.advanced(by: .zero - age), count: .max, bytes: .max)
    }
    let counted = options.isDryRun ? result : PruneResult()
    if let maximum = options.maximumCount {
      let present = try store.storage.extent(options.collection).count - counted.removed
      if present > maximum { try await remove(before: nil, count: present - maximum, bytes: .max) }
    }
    if let maximum = options.maximumBytes {
      let present = try store.storage.extent(options.collection).bytes - counted.bytes
      if present > maximum { try await remove(before: nil, count: .max, bytes: present - maximum) }
    }
    if !options.isDryRun {
      result.fileBytes = try await store.queue.run { [store] () throws(StoreError) in
        try store.storage.shrink()
      }
    }
    return result
  }

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
  private mutating func remove(
    before moment: Timestamp?, count: Int, bytes: Int
  ) async throws(StoreError) {
    var (count, bytes) = (count, bytes)
    while count > 0, bytes > 0, !Task.isCancelled {
      let (limit, wanted) = (options.isDryRun ? count : min(count, options.batchSize), bytes)
      let batch = try await store.queue.run { [store, options] () throws(StoreError) in
        try store.storage.prune(
          options.collection, before: moment, count: limit, bytes: wanted,
          isDryRun: options.isDryRun)
      }
      result.removed += batch.removed
      result.bytes += batch.bytes
      count -= batch.removed
      bytes -= batch.bytes
      if batch.removed < limit || options.isDryRun { return }
    }
  }
}
