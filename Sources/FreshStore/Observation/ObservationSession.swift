internal import Dispatch

/// What an observation holds while it goes on.
struct ObservationSession {
  /// How changes are found.
  enum Reading {
    /// By the log, after this entry.
    case log(after: Int64)
    /// By the count of the file's versions, where nobody can be asked for a log.
    case versions(after: Int64)
  }

  /// What is found.
  enum News {
    case change(Change)
    /// So many changes went by untold.
    case skipped(Int)
  }

  private var reading: Reading
  /// The file in whose list of observers the store stands.
  let identity: DatabaseFile.Identity?
  let begin = ContinuousClock.now
  /// True when nothing is announced.
  private(set) var isPolling = false
  private var sources: [any DispatchSourceProtocol] = []

  private static let pageSize = 512

  init(_ reading: Reading, _ identity: DatabaseFile.Identity?) {
    self.reading = reading
    self.identity = identity
  }

  // MARK: Waking

  /// Has `work` done again and again; its time does not matter much.
  mutating func `repeat`(
    every interval: DispatchTimeInterval, on queue: DispatchQueue,
    _ work: @escaping @Sendable () -> Void
  ) {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + interval, repeating: interval, leeway: .milliseconds(10))
    timer.setEventHandler(handler: work)
    timer.resume()
    sources.append(timer)
  }

  /// Has the log looked at again and again, for want of announcements.
  mutating func look(
    every interval: DispatchTimeInterval, on queue: DispatchQueue,
    _ work: @escaping @Sendable () -> Void
  ) {
    isPolling = true
    `repeat`(every: interval, on: queue, work)
  }

  /// Has `announce` called when the kernel announces something; false when it will not.
  mutating func watch(
    _ file: DatabaseFile, on queue: DispatchQueue,
    _ announce: @escaping @Sendable (_ hasMoved: Bool) -> Void
  ) -> Bool {
    #if os(Linux)
      do throws(FileWatch.Unavailable) {
        let watch = try FileWatch(database: file.path, sharedMemory: file.sharedMemoryPath)
        let source = DispatchSource.makeReadSource(
          fileDescriptor: watch.descriptor, queue: queue)
        source.setEventHandler { announce(watch.drain().isMoved) }
        // The descriptor must stay open until the source has let go of it.
        source.setCancelHandler { withExtendedLifetime(watch) {} }
        source.resume()
        sources.append(source)
        // What was replaced before it was watched is not announced.
        if file.identity != identity { queue.async { announce(true) } }
        return true
      } catch {
        return false
      }
    #else
      return false
    #endif
  }

  /// Ends all waking.
  func cancel() {
    for source in sources { source.cancel() }
  }

  // MARK: Reading

  /// How many numbers lie between two that a file names, which may be any; no more are counted than the
  /// sum of many can hold.
  private static func between(_ first: Int64, _ last: Int64) -> Int {
    let (distance, overflows) = last.subtractingReportingOverflow(first)
    return overflows ? 1 << 40 : Int(min(max(distance, 1), 1 << 40)) - 1
  }

  /// Tells what was committed since the last reading; false when that cannot be known.
  mutating func read(
    _ storage: Storage, tell: (News) -> Void
  ) throws(StoreError) -> Bool {
    switch reading {
    case .versions(let last):
      let version = try storage.database.dataVersion()
      reading = .versions(after: version)
      if version != last { tell(.change(.unknown)) }
      return true
    case .log(var position):
      while true {
        let page = try storage.loggedChanges(after: position, limit: Self.pageSize)
        guard let page else { return false }
        for entry in page {
          let skipped = Self.between(position, entry.sequence)
          if skipped > 0 { tell(.skipped(skipped)) }
          position = entry.sequence
          if entry.owner != storage.owner {
            tell(.change(entry.change))
          } else if skipped > 0 {
            // Who waits for the next change must hear of those that are gone.
            tell(.change(.unknown))
          }
        }
        reading = .log(after: position)
        if page.count < Self.pageSize { return true }
      }
    }
  }
}
