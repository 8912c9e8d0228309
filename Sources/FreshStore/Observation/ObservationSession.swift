internal import Dispatch
internal import Platform

/// The resources of a running observation.
struct ObservationSession {
  /// The way to find changes.
  enum Reading {
    /// By the log, after this entry.
    case log(after: Int64)
    /// By the count of the file's versions, when no log can be requested.
    case versions(after: Int64)
  }

  /// The result of reading.
  enum News {
    case change(Change)
    /// That many changes were missed.
    case skipped(Int)
  }

  private var reading: Reading
  /// The file in which the store is registered.
  let identity: DatabaseFile.Identity?
  let begin = ContinuousClock.now
  /// True when the kernel reports nothing.
  private(set) var isPolling = false
  private var sources: [any DispatchSourceProtocol] = []

  private static let pageSize = 512

  init(_ reading: Reading, _ identity: DatabaseFile.Identity?) {
    self.reading = reading
    self.identity = identity
  }

  // MARK: Waking

  /// Repeats `work` at an interval, which is not exact.
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

  /// Polls the log, in the absence of events.
  mutating func look(
    every interval: DispatchTimeInterval, on queue: DispatchQueue,
    _ work: @escaping @Sendable () -> Void
  ) {
    isPolling = true
    `repeat`(every: interval, on: queue, work)
  }

  /// Calls `announce` when the kernel reports an event; false when the kernel will report none.
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
        // The descriptor must stay open until the source has released it.
        source.setCancelHandler { withExtendedLifetime(watch) {} }
        source.resume()
        sources.append(source)
        // A replacement from before the watch is not reported.
        if file.identity != identity { queue.async { announce(true) } }
        return true
      } catch {
        return false
      }
    #else
      return false
    #endif
  }

  /// Stops all timers and watches.
  func cancel() {
    for source in sources { source.cancel() }
  }

  // MARK: Reading

  /// The count of numbers between two numbers of a file, which may be any. It is capped, so that the sum of many counts
  /// cannot overflow.
  private static func between(_ first: Int64, _ last: Int64) -> Int {
    let (distance, overflows) = last.subtractingReportingOverflow(first)
    return overflows ? 1 << 40 : Int(min(max(distance, 1), 1 << 40)) - 1
  }

  /// Reports commits since the last read; false when they are unknown.
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
          if skipped > 0 {
            tell(.skipped(skipped))
            // An observer that waits for its next change must learn of the missed ones, even when this
            // one is not for it.
            tell(.change(.unknown))
          }
          position = entry.sequence
          if entry.owner != storage.owner { tell(.change(entry.change)) }
        }
        reading = .log(after: position)
        if page.count < Self.pageSize { return true }
      }
    }
  }
}

#if os(Linux)
  /// Makes the kernel report accesses to a store's files (inotify(7)).
  ///
  /// Files are watched by their paths, so that none is opened: closing any descriptor of a database's
  /// file would drop the locks that this process holds on it.
  final class FileWatch: Sendable {
    /// The system offers no watch, or its limits are reached.
    struct Unavailable: Error {}

    /// The events since the last check.
    struct Events: Sendable, Equatable {
      /// A commit is for observers.
      var isTouched = false
      /// A file may have been moved, replaced or deleted.
      var isMoved = false
    }

    /// Becomes readable when there are events to ``drain()``.
    let descriptor: Int32
    private let sharedMemory: Int32

    /// Watches the database at `path`, and the shared memory beside it, which must exist.
    init(database path: String, sharedMemory sharedMemoryPath: String) throws(Unavailable) {
      let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
      guard descriptor >= 0 else { throw Unavailable() }
      let events = UInt32(IN_ATTRIB) | UInt32(IN_MOVE_SELF) | UInt32(IN_DELETE_SELF)
      let numbers = [sharedMemoryPath, path].map { (path: String) in
        unsafe inotify_add_watch(descriptor, path, events)
      }
      guard numbers.allSatisfy({ $0 >= 0 }) else {
        close(descriptor)
        throw Unavailable()
      }
      self.descriptor = descriptor
      sharedMemory = numbers[0]
    }

    deinit {
      close(descriptor)
    }

    /// Reads the pending events, without waiting.
    func drain() -> Events {
      var events = Events()
      var bytes = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
          unsafe read(descriptor, buffer.baseAddress, buffer.count)
        }
        guard count > 0 else { return events }
        unsafe bytes.withUnsafeBytes { buffer in
          unsafe note(UnsafeRawBufferPointer(rebasing: buffer[..<count]), in: &events)
        }
      }
    }

    private func note(_ buffer: UnsafeRawBufferPointer, in events: inout Events) {
      let headerSize = MemoryLayout<inotify_event>.size
      var offset = 0
      while offset + headerSize <= buffer.count {
        let event = unsafe buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
        let isTouch = event.wd == sharedMemory && event.mask & UInt32(IN_ATTRIB) != 0
        events.isTouched = events.isTouched || isTouch
        // Dropped events (IN_Q_OVERFLOW) count, too: the file may have moved.
        events.isMoved = events.isMoved || !isTouch
        offset += headerSize + Int(event.len)
      }
    }
  }
#endif
