package import FreshStore
internal import Platform
package import Strategies

/// An inspection of a store from outside: its files, their users, and their content.
///
/// It creates, changes, repairs and locks nothing, not even a file beside the database. So it also works on a store
/// that is missing, damaged, foreign or in use.
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
  /// The file system of that folder, or of the folder above it that exists.
  package let fileSystem: FoundFileSystem?
  /// The database.
  package let database: FoundFile?
  /// True if the database is mounted by itself, so that the files beside it are on another file system.
  package let isMountedAlone: Bool
  /// True if the mark beside the database shows local writes that are not in it.
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
  /// The owner of the sweep, if the lock file names it.
  package let sweeper: SweepHolder?
  /// Damaged databases that were moved aside.
  package let movedAside: [String]
  /// The moved files whose local writes were not recovered yet.
  package let unsalvaged: [String]
  /// The content of each moved file that the store does not have.
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
    let file = DatabaseFile(reading: path, busyTimeout: patience)
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
    // Read before the database is, which takes locks of its own.
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

/// The result of inspecting a database file.
package enum FoundContent: Sendable, Hashable {
  /// There is no file.
  case missing
  /// There is no folder for it either.
  case folderMissing
  /// It is not a regular file.
  case notAFile
  /// The file has no content.
  case empty
  /// It may not be read or inspected; with the system's message.
  case unreadable(String)
  /// It is not a SQLite database.
  case notADatabase
  /// It is the database of another program.
  case foreign
  /// It is a store with an object of another program in it.
  case foreignObject(kind: String, name: String)
  /// A store from before the first version of the format.
  case former
  /// It was written by a newer version.
  case newer(found: Int, supported: Int)
  /// Another process locks all others out.
  case locked(holder: String?)
  /// It is inconsistent; with SQLite's message.
  case damaged(String)
  /// Its log was left behind without its index, which only a writer may rebuild.
  case interrupted
  /// SQLite refused for another reason; with its message.
  case failed(String)
  /// It is a store.
  case store(StoreFacts)
}

/// The facts in a store's file that show its condition.
package struct StoreFacts: Sendable, Hashable {
  /// The format version of the file.
  package var format = 0
  /// Bytes of one page.
  package var pageSize = 0
  /// Pages of the file.
  package var pages = 0
  /// Free pages.
  package var freePages = 0
  /// The first findings of SQLite's `quick_check` about the structure; empty when all is well.
  package var problems: [String] = []
  /// The boot in which the file was last checked, 0 for none.
  package var checkedBoot: Int64 = 0
  /// The work that waits to be fetched and pushed.
  package var work = WaitingWork()
  /// The host's place in the order of its fleet's marks; `nil` without a fleet.
  package var fleet: FleetPlace?
  /// The number of records whose last update lies in the future.
  package var futureUpdates = 0
  /// The latest of them.
  package var latestUpdate: Timestamp?
}

/// The content of a damaged file, moved aside earlier, that the store does not have.
package struct AsideLook: Sendable, Hashable {
  /// The path of the file.
  package let path: String
  /// True when the next program that opens the store for writing takes over what it can read.
  package let waits: Bool
  /// The number of values that no source can give again and that are not in the store.
  package private(set) var missing = 0
  /// False when parts of the file cannot be read, or not without leaving a trace.
  package private(set) var isWhole = true

  /// Looks at a file, and for each of its values at the store. Cost: a read of the file.
  init(at path: String, waits: Bool, of store: ContentLook) {
    (self.path, self.waits) = (path, waits)
    let look = ContentLook(
      file: DatabaseFile(reading: path, busyTimeout: store.file.busyTimeout), now: store.now)
    guard look.isReadable else {
      isWhole = false
      return
    }
    do throws(SQLiteError) {
      try look.withConnection { (file) throws(SQLiteError) in try compare(file, with: store) }
    } catch {
      isWhole = false
    }
  }

  private mutating func compare(
    _ file: borrowing Connection, with store: ContentLook
  ) throws(SQLiteError) {
    guard try file.isStore() else {
      isWhole = false
      return
    }
    var contents = Salvage.Contents()
    Salvage.read(file, &contents)
    isWhole = contents.lost == 0
    var names: [(collection: String, key: String)] = []
    let isReadable = try SourcelessRecords.read(file, at: store.now.wall) { record, _ in
      names.append((record.content.collection, record.content.key))
    }
    isWhole = isWhole && isReadable
    missing = count(of: names, notIn: store)
  }

  /// The number of names that are not in the store; all of them if the store cannot be read.
  private func count(of names: [(collection: String, key: String)], notIn store: ContentLook)
    -> Int
  {
    guard !names.isEmpty, store.isReadable else { return names.count }
    do throws(SQLiteError) {
      return try store.withConnection { (connection) throws(SQLiteError) in
        guard try connection.isStore() else { return names.count }
        return try names.count { (name) throws(SQLiteError) in
          try !connection.hasAnswer(for: name.key, in: name.collection)
        }
      }
    } catch {
      return names.count
    }
  }
}

extension DatabaseFile {
  /// A file that is only read.
  init(reading path: String, busyTimeout: Duration) {
    self.init(path: path, access: .readOnly, busyTimeout: busyTimeout, maximumSize: nil)
  }
}

extension Connection {
  /// True for a store that this program can read. Statements then omit the columns that the store lacks.
  func isStore() throws(SQLiteError) -> Bool {
    let version = try formatVersion()
    guard try integer("PRAGMA application_id") == DatabaseSchema.applicationIdentifier,
      version <= DatabaseSchema.version,
      try DatabaseSchema.shape(of: self, version: version) == .ours
    else { return false }
    reads(version: version)
    return true
  }
}
