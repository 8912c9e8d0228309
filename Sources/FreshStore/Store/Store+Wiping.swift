extension Store {
  /// Removes all that is in the store, as when its user signs out: records, local writes whether sent
  /// or not, tags, marks, lists, pauses, and what memory holds of them.
  ///
  /// Origins that are held stay held (``hold(_:because:)``): nobody is signed in after a wipe either. Their names
  /// stay, and the reasons do not, which may quote the user. ``endPauses()`` before it leaves no name.
  ///
  /// When it returns, no byte of it is left in the file, its free pages, its log and its shared memory,
  /// nor after a power cut. Every process that has the file open sees an empty store at its next read;
  /// observers get one change of kind ``Change/Kind/removed`` without a collection. Fetches, pushes and
  /// other requests that are under way end without storing anything; one that waits for its turn, or for
  /// another process, asks nobody any more, and local writes that have begun are not made, nor puts to this store:
  /// they fail with ``StoreError/Code/wiped``. A put that waits in another process, or in another store of this
  /// one, is stored, as one that begins afterwards is; so is an import. The store can be used as before. Wiping
  /// an empty store does nothing more.
  ///
  /// All content goes in one transaction: a process that is killed meanwhile leaves all of it, or an
  /// empty store. In the second case, as after ``StoreError/Code/wipeUnfinished(holder:)``, another wipe
  /// removes what is left in the bytes of the files.
  ///
  /// It cannot reach backups, exports and other copies; snapshots of the file system; blocks that the
  /// file system or a flash disk has put aside and not yet overwritten; and what processes that read the
  /// store keep in their own memory without serving it. Where all users of a device must not share a
  /// file, give each a folder of their own, and remove that folder after the wipe.
  ///
  /// Files that were moved aside because they were damaged stay, and are named in the result: they hold
  /// what the store held then. Local writes in them are no longer recovered.
  ///
  /// Cost: overwrites the file with zeros, in one transaction, and writes an empty one; others wait
  /// meanwhile. On a full disk the file is only cut off.
  ///
  /// In a fleet it empties this host's file alone: what the others and the shared tier have stays. Marks that
  /// were to be delivered later (``FleetOptions/OutOfReach/keepMarks``) are dropped with the local writes, and one that
  /// is under way is not kept.
  ///
  /// - Parameters:
  ///   - removingDamagedFiles: Deletes those files, and none that only has a similar name.
  ///   - droppingUnsent: False wipes nothing while a source does not have a local write, parked ones
  ///     and those in a damaged file included, or the fleet a mark; no write can come in between.
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
    // Verdicts on records that are gone.
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
