public import FreshStore
internal import Strategies
internal import Synchronization

#if Sync
  public import ServiceLifecycle
#endif

/// Keeps the collections of a store in step with their sources while the network allows.
///
/// A synchronizer fetches the records in the refetch queue, pushes the writes in the outbox, and follows lists.
/// Writes go first, then lists, then records; of each kind, the longest due first. ``SyncOptions`` limit the work in
/// flight, in total and to one origin.
///
/// While every source is provably out of reach, the synchronizer sleeps. When the network returns, it goes on as soon
/// as the network has settled. The breakers and pauses of the store hold here as for every `get`. A source that keeps
/// failing is paused, and then tested by one attempt at a time.
///
/// The synchronizer sleeps until work falls due, and changes wake it. It never polls, except a reachability provider
/// that cannot report changes.
///
/// A record enters the queue when a read finds it stale, when it is marked, and when a sweep finds it expired
/// (`FreshStore.Store.sweep(_:)`).
///
/// ```swift
/// let synchronizer = Synchronizer(store)
/// synchronizer.add(articles, from: source)
/// synchronizer.start()
/// ```
///
/// With the trait `Sync`, which is on by default, it is a `Service` of swift-service-lifecycle.
public final class Synchronizer: Sendable {
  /// The store.
  public let store: Store
  /// The limits of its work.
  public let options: SyncOptions

  let registry = Registry()
  private let board = StatusBoard()
  /// The callers of ``settled()``.
  let callers = SettledCallers()
  private let trials = Trials()
  private let runs = Mutex(Runs())

  private struct Runs {
    var current: SyncRun?
    /// True once a run has ended, other than a drain.
    var hasEnded = false
    /// The callers of ``Synchronizer/stop()``.
    var stopping: [CheckedContinuation<Void, Never>] = []
  }

  /// Creates a synchronizer of a store, without collections yet.
  public init(_ store: Store, options: SyncOptions = SyncOptions()) {
    self.store = store
    self.options = options
  }

  /// Begins to work in a task of its own, until ``stop()``.
  ///
  /// For a program without a service group, such as an app. It works as ``run()`` does; ``SyncStatus/failure`` has
  /// the error that ends it. The task keeps the synchronizer alive.
  ///
  /// - Returns: False when a run or a drain is in progress already.
  @discardableResult
  public func start() -> Bool {
    guard let run = begin(cutoff: nil) else { return false }
    Task { await self.carryOut(run) }
    return true
  }

  /// Works until ``stop()``, a graceful shutdown of the service group, or the cancellation of the task.
  ///
  /// Then it takes no new work, lets work in flight finish for ``SyncOptions/gracePeriod``, and cancels the rest. In
  /// a cancelled task it cancels all work at once. When it returns, every lease and claim has ended or been given
  /// back.
  ///
  /// The store may fail for a while, because its disk is full or its lock is held. The run then pauses for some
  /// seconds and tries again (``SyncStatus/failure``).
  ///
  /// - Throws: ``SyncError/alreadyRunning``; ``SyncError/store(_:)`` when the store was closed, or a number of the
  ///   options is outside its range.
  public func run() async throws(SyncError) {
    _ = try await perform(cutoff: nil)
  }

  /// Does everything that is due now, each once, and returns the results.
  ///
  /// A drain pushes the local writes, refetches the records in the queue and follows the lists. It does not wait for
  /// the network. It leaves work that fails, falls due or is written meanwhile for another time. The same holds for
  /// unreachable work, which is counted as deferred.
  ///
  /// A read or a get that finds a record expired, a sweep, or a mark puts the record into the queue. A record that
  /// has expired since, and was not read or swept, is not in the queue. `Store.sweep(_:)` before a drain brings in
  /// all expired records.
  ///
  /// - Throws: ``SyncError/alreadyRunning``; ``SyncError/store(_:)`` when the store fails.
  public func drain() async throws(SyncError) -> SyncReport {
    try await perform(cutoff: store.configuration.clock.reading().wall)
  }

  /// Ends the run or the drain in progress, if there is one, and returns when its work has ended.
  ///
  /// Work in flight has ``SyncOptions/gracePeriod`` to finish; the rest is given back. Then the store may be closed.
  ///
  /// Work of the run itself must not await this call: it would wait for its own end.
  public func stop() async {
    await withCheckedContinuation { continuation in
      let run = runs.withLock { runs -> SyncRun? in
        if runs.current != nil { runs.stopping.append(continuation) }
        return runs.current
      }
      if let run { run.stop() } else { continuation.resume() }
    }
  }

  /// As ``stop()``, without waiting for the end.
  ///
  /// - Returns: False when there is no run. A run that is just about to begin, in a task that calls ``run()``, ends
  ///   when its task is cancelled.
  @discardableResult
  public func requestStop() -> Bool {
    guard let run = runs.withLock({ $0.current }) else { return false }
    run.stop()
    return true
  }

  /// Ends the pauses after failures, of local writes, records, lists, routes and breakers.
  ///
  /// For a button "try again": a run in progress resumes at once. Without a run, ``drain()`` sends the pending work.
  /// `Store.retry(_:)` tries one local write.
  ///
  /// Held origins stay held, as pressing a button signs nobody in. `Store.endPause(origin:)` or `Store.endPauses()`
  /// ends a hold.
  ///
  /// - Parameter origin: The origin whose pause and local writes are meant; `nil` for all. With an origin, the pauses
  ///   of single records stay, as those records may be in other hands.
  public func tryNow(origin: Origin? = nil) async throws(StoreError) {
    guard let origin else {
      try await store.endPauses(releasingHolds: false)
      return
    }
    let members = registry.collections
    try await store.endPause(origin: origin, releasingHold: false)
    let isMeant: OriginOfRecord = { collection, address in
      members[collection]?.origin(of: address).flatMap {
        $0.hasSameBytes(as: origin.name) ? $0 : nil
      }
    }
    _ = try await OriginLook.result(members, isMeant) {
      [store] (isMeant) async throws(StoreError) in
      try await store.endWritePauses(where: isMeant)
    }
  }

  /// Waits until nothing more can begin now: nothing is in flight, and all other work is pending.
  ///
  /// Pending work waits for its time, for the end of a pause, for the network, or for a decision, as a parked write
  /// does.
  ///
  /// Everything that any process committed before the call counts. Nothing is polled, and no time has to pass. With
  /// the `ManualClock` of `FreshStoreTesting`, a test moves the clock or the network, awaits this call, and finds all
  /// the consequences. The call also waits for a fetch that hangs, until that is answered, cancelled, or past its
  /// hard timeout.
  ///
  /// ```swift
  /// try await notes.write(note, for: "1")
  /// await synchronizer.settled()
  /// // The note was sent, was refused, or waits for its next attempt.
  /// ```
  ///
  /// Before the first run the call waits for the run to begin, so that a test may call it beside ``run()``. Once a
  /// run has ended and no other has begun, it returns at once: nothing begins any more.
  ///
  /// - Returns: The status at that moment, with the phase `idle` or `offline`; with `stopped` once the run or the
  ///   drain has ended. A cancelled caller gets the present status.
  @discardableResult
  public func settled() async -> SyncStatus {
    await callers.status {
      let runs = runs.withLock { (current: $0.current, hasEnded: $0.hasEnded) }
      if let run = runs.current {
        run.noteChange()
      } else if runs.hasEnded {
        callers.tell(status)
      }
    } ?? status
  }

  /// The present status.
  public var status: SyncStatus { board.status }

  /// The present status, and then each change; a slow reader gets only the newest.
  public var statuses: AsyncStream<SyncStatus> { board.statuses() }

  /// Makes the run look at the new registrations.
  func noteChange() {
    runs.withLock { $0.current }?.noteChange()
  }

  /// The only run; `nil` when there is one already.
  private func begin(cutoff: Timestamp?) -> SyncRun? {
    let run = SyncRun(store, options, registry, board, callers, trials, cutoff: cutoff)
    return runs.withLock { runs in
      guard runs.current == nil else { return nil }
      runs.current = run
      return run
    }
  }

  private func end(_ run: SyncRun) {
    let stopping = runs.withLock { runs in
      defer { runs = Runs(hasEnded: runs.hasEnded || !run.isDrain) }
      return runs.stopping
    }
    callers.tell(status)
    for caller in stopping { caller.resume() }
  }

  private func carryOut(_ run: SyncRun) async {
    defer { end(run) }
    guard case .failure(let error) = await finished(run) else { return }
    var last = status
    last.failure = "\(error)"
    board.show(last)
  }

  private func perform(cutoff: Timestamp?) async throws(SyncError) -> SyncReport {
    guard let run = begin(cutoff: cutoff) else { throw .alreadyRunning }
    defer { end(run) }
    do throws(StoreError) {
      return try await finished(run).get()
    } catch {
      throw .store(error)
    }
  }

  private func finished(_ run: SyncRun) async -> Result<SyncReport, StoreError> {
    #if Sync
      await withGracefulShutdownHandler {
        await result(of: run)
      } onGracefulShutdown: {
        run.stop()
      }
    #else
      await result(of: run)
    #endif
  }

  private func result(of run: SyncRun) async -> Result<SyncReport, StoreError> {
    if let problem = options.numbers.problem {
      return .failure(
        StoreError(.invalidArgument("a synchronizer's \(problem)"), .open, path: store.path))
    }
    do throws(StoreError) {
      return .success(try await run.run())
    } catch {
      return .failure(error)
    }
  }
}

#if Sync
  extension Synchronizer: Service {}
#endif

/// The error that ends a ``Synchronizer``.
public enum SyncError: Error, Sendable {
  /// It already runs: two runs at a time would exceed the limits.
  case alreadyRunning
  /// The store was closed, or cannot be used in this process.
  case store(StoreError)
}

extension SyncError: CustomStringConvertible {
  /// The error in words.
  public var description: String {
    switch self {
    case .alreadyRunning: "the synchronizer runs already"
    case .store(let error): "\(error)"
    }
  }
}
