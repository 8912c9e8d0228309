internal import Strategies

extension Store {
  /// Marks every expired record stale, and turns marks by tag, prefix and collection into marks of their
  /// records, so that the refetch queue sees them.
  ///
  /// The sweep uses the store's chain without reachability. It works in short transactions with pauses in between, so
  /// that writers wait a few milliseconds at most. The cost depends on the number of newly stale records,
  /// not on the size of the table. Cancelling the task ends the sweep between two batches. Completed batches
  /// stay, and the next sweep continues from there, as it does after a crash.
  ///
  /// The sweep then forgets failed origins, except the thousand whose pauses end last. It also removes the blocks of
  /// long values that no record has any more; if there were any, it returns the space to the file system.
  ///
  /// Only one sweep can run: while another is running, in any process, this one fails with
  /// ``StoreError/Code/sweepUnderWay(_:)``, after ``SweepOptions/wait``.
  public func sweep(_ options: SweepOptions = SweepOptions()) async throws(StoreError)
    -> SweepResult
  {
    if let problem = options.numbers.problem {
      throw StoreError(.invalidArgument("a sweep's \(problem)"), .sweep, path: path)
    }
    let needsLock = options.lock == nil && !options.isDryRun
    let lock = needsLock ? try await lockSweeps(waiting: options.wait) : nil
    defer { lock?.release() }
    // The sweep stamps its marks with times that it reads.
    if !options.isDryRun { try await keepTime() }
    await flushMarks()
    let result = try await Sweeper(store: self, options: options).run()
    if result.marked > 0, !options.isDryRun { queueSignal.wake() }
    report(.swept(result))
    return result
  }

  /// Removes the blocks of long values that no caller reads any more, and returns the space to the file system.
  ///
  /// A sweep does this at its end; a full disk needs it at once.
  ///
  /// - Parameter limit: The time after which the rest is left to the next sweep.
  package func collectContents(within limit: Duration) async throws(StoreError) {
    let (hold, end) = (SweepOptions().holdTime, ContinuousClock.now + limit)
    _ = try await ContentCollector(self, hold: hold, until: end).run()
    _ = try await FileShrinker(self, .sweep, hold: hold, until: end).run()
  }

  /// Takes the sweep lock of this store, which one process at a time can hold.
  ///
  /// It is for callers that need the lock for more than one sweep (``SweepOptions/lock``). The call fails with
  /// ``StoreError/Code/sweepUnderWay(_:)`` when another owner still holds the lock after `duration`, or when the task
  /// is cancelled.
  package func lockSweeps(waiting duration: Duration = .zero) async throws(StoreError) -> SweepLock
  {
    guard configuration.access == .readWrite else {
      throw StoreError(.readOnly, .sweep, path: path)
    }
    let end = ContinuousClock.now + duration
    while true {
      do throws(StoreError) {
        return try SweepLock(database: path, since: now().wall)
      } catch {
        guard case .sweepUnderWay = error.code, ContinuousClock.now < end, !Task.isCancelled else {
          throw error
        }
        // After a cancellation, the next attempt is the last one.
        try? await pause(for: min(end - .now, .milliseconds(50)))
      }
    }
  }

  /// Removes records by age, count or bytes, and returns the space to the file system.
  /// Pinned records and records with a pending write are never removed. At least one limit must be given.
  public func prune(_ options: PruneOptions) async throws(StoreError) -> PruneResult {
    var pruner = Pruner(store: self, options: options)
    let result = try await pruner.run()
    report(.pruned(result))
    return result
  }

  /// Checks the whole file: the structure, by SQLite's own check, then the checksum of every record and every
  /// local write.
  ///
  /// Damage does not stop the check: all of it is listed. Cost: a read of the file. Writers continue.
  public func check() async throws(StoreError) -> CheckResult {
    // On a queue of its own: writes must not wait for a read of the whole file.
    try await WorkQueue(taskClock: configuration.taskClock).run { [storage] () throws(StoreError) in
      try storage.check()
    }
  }

  /// Moves the file aside if its structure is damaged, as a read does that meets the damage; true when it was damaged.
  package func replaceIfDamaged() async throws(StoreError) -> Bool {
    try await queue.run { [storage] () throws(StoreError) in
      try storage.database.replaceIfDamaged()
    }
  }

  /// Removes all content of the store, as when its user signs out.
  ///
  /// The content is records, local writes whether sent or not, tags, marks, lists and pauses, in the file and in
  /// memory. Origins that are held stay held (``hold(_:because:)``), as no user is signed in after a wipe either. Their
  /// names stay; the reasons, which may quote the user, do not. After an ``endPauses()`` a wipe leaves no name either.
  ///
  /// When the wipe returns, no byte of the content is left in the file, its free pages, its log and its shared memory,
  /// nor after a power cut. Every process that has the file open sees an empty store at its next read.
  /// Observers get one change of kind ``Change/Kind/removed`` without a collection. The store can be used as before.
  /// Wiping an empty store does nothing more.
  ///
  /// - Fetches, pushes and other requests in flight end without storing anything.
  /// - A request that waits for its turn, or for another process, is not made any more.
  /// - Local writes, and puts to this store, that have begun are not made: they fail with ``StoreError/Code/wiped``.
  /// - A put that waits in another process, or in another store of this process, is stored, as is a put that begins
  ///   afterwards. So is an import.
  ///
  /// All content goes in one transaction: a process that is killed meanwhile leaves all of it, or an
  /// empty store. In the second case, as after ``StoreError/Code/wipeUnfinished(holder:)``, another wipe
  /// removes the bytes that are left in the files.
  ///
  /// A wipe cannot reach:
  ///
  /// - backups, exports and other copies;
  /// - snapshots of the file system;
  /// - blocks that the file system or a flash disk has put aside and not yet overwritten;
  /// - content that other processes keep in their own memory without serving it.
  ///
  /// When the users of a device must not share a file, give each a folder, and remove that folder after the wipe.
  ///
  /// Files that were moved aside because they were damaged stay, and are named in the result: they contain
  /// the content that the store had then. Local writes in them are no longer recovered.
  ///
  /// Cost: a wipe overwrites the file with zeros, in one transaction, and writes an empty one; other writers wait
  /// meanwhile. On a full disk the file is only cut off.
  ///
  /// In a fleet a wipe empties only this host's file: the content of the other hosts and of the shared tier stays.
  /// Marks that were to be delivered later (``FleetOptions/OutOfReach/keepMarks``) are dropped with the local writes.
  /// A mark in flight is not kept.
  ///
  /// - Parameters:
  ///   - removingDamagedFiles: Deletes those files, and none that only has a similar name.
  ///   - droppingUnsent: False wipes nothing while a source lacks a local write, or the fleet a mark. Parked writes
  ///     and writes in a damaged file count. No write can come in between.
  /// - Throws: `pendingWrite` for such a write; `wipeUnfinished` when another reader was in the way for
  ///   longer than the busy timeout; `readOnly`, or another error of the file, when nothing was removed.
  @discardableResult
  public func wipe(
    removingDamagedFiles: Bool = false, droppingUnsent: Bool = true
  ) async throws(StoreError) -> WipeResult {
    guard configuration.access == .readWrite else {
      throw StoreError(.readOnly, .wipe, path: path)
    }
    try await queue.run { [storage] () throws(StoreError) in
      try storage.removeEverything(droppingUnsent: droppingUnsent)
      storage.database.file.forgetHeld()
    }
    // These verdicts are on records that are gone.
    _ = marks.take()
    marks.noteStored()
    evidence.forgetFailures(over: nil)
    closeFlights(nil)
    let now = now()
    return try await queue.run { [storage] () throws(StoreError) in
      let file = storage.database.file
      var result = WipeResult()
      if removingDamagedFiles { result.removedFiles = file.removeMovedAside() }
      result.damagedFiles = file.movedAside
      try storage.eraseRemains(now: now)
      return result
    }
  }
}
