extension Store {
  /// Takes the right to synchronize the store.
  package func lockSynchronizing() async throws(SyncLock.Failure) -> SyncLock {
    try await SyncLock(database: path, since: now().wall)
  }
}
