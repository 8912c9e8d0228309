/// What happened to a store's file since it was opened, and what it runs on.
public struct StoreHealth: Sendable, Hashable, Codable {
  /// Where damaged files were moved to; they are never deleted.
  public var movedAside: [String]
  /// Local writes that were taken over from damaged files.
  public var salvagedWrites: Int
  /// How often the file was deleted or replaced by someone else.
  public var filesReplaced: Int
  /// Checkpoints that readers were in the way of; a later one makes them good.
  public var checkpointsDeferred: Int
  /// The linked SQLite.
  public var sqliteVersion: String
  /// True when that version has the WAL-reset bug (https://sqlite.org/wal.html#walresetbug), which
  /// the store's own checkpoints keep away from.
  public var hasWALResetBug: Bool
  /// True while observers are served by a look at the file ten times a second, because the kernel
  /// does not announce changes: its limits for inotify(7) are reached, it has no such thing, or the
  /// store was opened for reading only.
  public var pollsForChanges: Bool
}
