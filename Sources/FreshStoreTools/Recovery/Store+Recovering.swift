public import FreshStore
internal import Platform

extension Store {
  /// Creates a new store from the readable content of a damaged file.
  ///
  /// Reads the file's pages one by one, past SQLite: only the content of damaged pages is lost. Local
  /// writes come first, including those of files that were moved aside earlier and not salvaged yet; then
  /// records, with tags, marks, pins and lists. Rows with a checksum are recovered only if it matches.
  /// Records are recovered as stale where it is no longer known whether a mark, of their own or by tag,
  /// made them stale.
  ///
  /// The damaged file and its log are only read, and must not be in use; the recovery works on a copy, in
  /// a folder beside `destination` that is removed at the end. `destination` must not exist, and appears
  /// only when it is whole, checked and on the disk. Cost: the damaged file is written twice.
  ///
  /// - Throws: `writesLost` when local writes cannot be read and that is not accepted; `damaged` when
  ///   nothing can be read at all, `notADatabase`, `foreignDatabase` or `newerSchema` when it is no
  ///   store; `alreadyExists`, `cancelled`, `full`, or the error of the files. No store is created then.
  public static func recover(
    _ damaged: String, to destination: String, options: RecoveryOptions = RecoveryOptions()
  ) async throws(StoreError) -> RecoveryResult {
    guard ![damaged, destination].contains(where: { $0.isEmpty || $0.utf8.contains(0) }) else {
      throw StoreError(
        .invalidArgument("the path of a store must not be empty or hold a NUL"), .recover)
    }
    let recovery = Recovery(
      damaged: PathName.absolute(damaged), destination: PathName.absolute(destination),
      options: options, now: SystemClock().reading())
    return try await WorkQueue().runUntilStopped { (stop) throws(StoreError) in
      try recovery.run(until: stop)
    }
  }
}
