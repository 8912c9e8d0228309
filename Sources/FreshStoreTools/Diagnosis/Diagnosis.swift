package import FreshStore
internal import Platform
internal import Strategies

/// An inspection of a store from outside: its files, their users, and their content.
///
/// Nothing is created, changed, repaired or locked, not even a file beside the database, so it also
/// works on a store that is missing, damaged, foreign or in use.
package struct Diagnosis: Sendable {
  /// The database file, as an absolute path.
  package let path: String
  /// The newest format that this program knows.
  package let supportedFormat = DatabaseSchema.version
  /// The linked SQLite.
  package let sqliteVersion = SQLiteLibrary.version
  /// True when that version has the WAL-reset bug (https://sqlite.org/wal.html#walresetbug).
  package let hasWALResetBug = SQLiteLibrary.hasWALResetBug
  /// The clocks at the time of the inspection.
  package let now: ClockReading
  /// The folder of the database.
  package let folder: FoundFile?
  /// The file system of that folder, or of its future place.
  package let fileSystem: FoundFileSystem?
  /// The database.
  package let database: FoundFile?
  /// True where the database is mounted by itself, so that the files beside it are on another file system.
  package let isMountedAlone: Bool
  /// True where the mark beside the database shows local writes that are not in it.
  package let lacksWrites: Bool
  /// The path without links.
  package let resolvedPath: String
  /// Its log.
  package let log: FoundFile?
  /// The index of the log, which processes share in memory.
  package let logIndex: FoundFile?
  /// Processes that have the store open.
  package let users: [String]
  /// Processes that are reading, and so keep the log from being emptied.
  package let readers: [String]
  /// The process that is writing.
  package let writer: String?
  /// True during a sweep.
  package let isSwept: Bool
  /// The owner of the sweep, where the lock file names it.
  package let sweeper: SweepHolder?
  /// Damaged databases that were moved aside.
  package let movedAside: [String]
  /// Those of them whose local writes were not recovered yet.
  package let unsalvaged: [String]
  /// What each of them has that the store does not.
  package let asides: [AsideLook]
  /// The content of the database.
  package let content: FoundContent

  /// Inspects the store at `path`.
  ///
  /// Cost: a read of the whole file, for the check of its structure.
  ///
  /// - Parameter patience: How long to wait for another process's lock on the database.
  package init(of path: String, patience: Duration = .seconds(1), clock: any StoreClock = .system) {
    let path = PathName.absolute(path)
    let file = DatabaseFile(
      path: path, access: .readOnly, busyTimeout: patience, maximumSize: nil)
    let real = file.resolvedPath
    let folderPath = PathName.parent(of: real)
    self.path = path
    now = clock.reading()
    folder = FoundFile(folderPath)
    fileSystem = FoundFileSystem(of: Self.nearest(folderPath))
    database = FoundFile(path)
    isMountedAlone = FoundFileSystem.isMountPoint(real)
    resolvedPath = real
    log = FoundFile(real + "-wal")
    logIndex = FoundFile(real + "-shm")
    // Before the database is read, which takes locks of its own.
    let locks = KernelLock.held(on: real + "-shm").filter { $0.kind == .range }
    users = Self.owners(of: locks, at: Self.usersByte...Self.usersByte)
    readers = Self.owners(of: locks, at: Self.readerBytes)
    writer = LockHolder.ofDatabase(at: real)
    let sweeps = SweepLock.file(of: path)
    isSwept = KernelLock.held(on: sweeps).contains { $0.kind == .whole && $0.isExclusive }
    sweeper = isSwept ? SweepHolder(text: LockHolder.contents(of: sweeps)) : nil
    movedAside = file.movedAside
    unsalvaged = file.unsalvaged
    let look = ContentLook(file: file, now: now)
    content = look.content()
    lacksWrites =
      switch content {
      case .missing, .empty: file.showsHeldWrites
      case .store: look.lacksHeldWrites
      default: false
      }
    let waiting = Set((unsalvaged + file.unsalvagedValues).map(ExactName.init))
    asides = movedAside.map { path in
      AsideLook(at: path, waits: waiting.contains(ExactName(path)), of: look)
    }
  }

  /// A connection with an open log holds this byte of its index; readers hold one of the others
  /// (https://sqlite.org/walformat.html, section 2.3.1).
  private static let usersByte = 128
  private static let readerBytes = 123...127

  private static func owners(of locks: [KernelLock], at bytes: ClosedRange<Int>) -> [String] {
    let found = locks.filter { !$0.isExclusive && $0.bytes.overlaps(bytes) }
    return Set(found.map(\.owner)).sorted()
  }

  /// The folder, or the existing one above it.
  private static func nearest(_ path: String) -> String {
    var path = path
    while path != "/", !PathName.exists(path) { path = PathName.parent(of: path) }
    return path
  }
}
