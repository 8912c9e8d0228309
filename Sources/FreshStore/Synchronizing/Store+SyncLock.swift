extension Store {
  /// Takes the right to synchronize the store, and with it what a daemon had in hand that died: its
  /// claims and leases stand for nobody, and are not waited for.
  package func lockSynchronizing() async throws(SyncLock.Failure) -> SyncLock {
    let now = now()
    let lock = try await SyncLock(database: path, owner: owner, since: now.wall)
    for dead in lock.deadOwners {
      do throws(StoreError) {
        try await queue.run { [storage] () throws(StoreError) in
          try storage.release(allOf: dead, now: now)
        }
      } catch {
        throw .failed(error)
      }
    }
    lock.note("")
    return lock
  }
}
