internal import Platform

/// Events of a store's file since it was opened, and its environment.
public struct StoreHealth: Sendable, Hashable, Codable {
  /// The new paths of damaged files; they are never deleted.
  public var movedAside: [String]
  /// Local writes recovered from damaged files.
  public var salvagedWrites: Int
  /// Values recovered from damaged files that no source can give again: puts, and what was pinned.
  public var salvagedValues: Int
  /// The damaged files parts of which could not be read for that: ``movedAside`` names them, or did so in
  /// an earlier process. `freshstore recover` may read more of them.
  public var partlyRead: [String]
  /// How often the file was deleted or replaced by another process.
  public var filesReplaced: Int
  /// Checkpoints that readers blocked; a later one makes up for them.
  public var checkpointsDeferred: Int
  /// The linked SQLite.
  public var sqliteVersion: String
  /// True when that version has the WAL-reset bug (https://sqlite.org/wal.html#walresetbug), which
  /// the store's own checkpoints avoid.
  public var hasWALResetBug: Bool
  /// True while observers are served by polling the file ten times a second, because the kernel does not report
  /// changes. The causes: the limits of inotify(7) are reached, the kernel has no inotify, or the store was opened
  /// read-only.
  public var pollsForChanges: Bool
}

/// Wakes waiters when the refetch queue grows without a change of a record: by stored verdicts, and
/// by sweeps.
package final class QueueSignal: Sendable {
  private let waiters = Multicast<Void, Void>()

  init() {}

  /// One element for one or more occasions since the last read.
  package func occasions() -> AsyncStream<Void> {
    waiters.stream(for: (), buffering: .bufferingNewest(1))
  }

  func wake() { waiters.send { $0 } }
}
