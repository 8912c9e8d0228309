public import FreshStore
internal import Platform

extension Store {
  /// Makes a new store of what a damaged file still holds.
  ///
  /// Reads the file's pages one by one, past SQLite: what is lost is what stood on the damaged ones.
  /// Local writes come first, those of files included that were moved aside before and not salvaged
  /// yet; then records, with tags, marks, pins and lists. What has a checksum is taken over only if it
  /// holds. Where it cannot be told any more what was marked stale, by whom or by which tag, records
  /// are taken over as stale.
  ///
  /// The damaged file and its log are only read, and must not be in use; it is worked on a copy, in a
  /// folder beside `destination` that is gone at the end. `destination` must not exist and is there
  /// only when it is whole, checked and on the disk. Cost: the damaged file is written twice.
  ///
  /// - Throws: `writesLost` when local writes cannot be read and that is not accepted; `damaged` when
  ///   nothing can be read at all, `notADatabase`, `foreignDatabase` or `newerSchema` when it is no
  ///   store; `alreadyExists`, `cancelled`, `full`, or what the files answered. No store is made then.
  public static func recover(
    _ damaged: String, to destination: String, options: RecoveryOptions = RecoveryOptions()
  ) async throws(StoreError) -> RecoveryResult {
    guard ![damaged, destination].contains(where: { $0.isEmpty || $0.utf8.contains(0) }) else {
      throw StoreError(
        .invalidArgument("the path of a store must not be empty or hold a NUL"), .recover)
    }
    let recovery = Recovery(
      damaged: PathName.absolute(damaged), destination: PathName.absolute(destination),
      options: options, now: SystemClock().now())
    return try await WorkQueue().runUntilStopped { (stop) throws(StoreError) in
      try recovery.run(until: stop)
    }
  }
}
