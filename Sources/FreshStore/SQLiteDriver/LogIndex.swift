internal import CSQLite
internal import Synchronization

/// The index of the log, in memory that all processes share. It is valid as long as a connection of
/// this process is open; the reader must ensure that.
@safe
struct LogIndex: Sendable {
  private let address: UInt

  init(_ pointer: UnsafeRawPointer) {
    address = UInt(bitPattern: pointer)
  }

  /// The memory belongs to an open connection.
  @inline(__always)
  private var pointer: UnsafeRawPointer {
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else {
      preconditionFailure("an index has an address")
    }
    return unsafe pointer
  }

  /// The current header. A header that is being written is read torn, and equals no other.
  var header: LogHeader {
    let words = unsafe (
      pointer.load(fromByteOffset: 0, as: UInt64.self),
      pointer.load(fromByteOffset: 8, as: UInt64.self),
      pointer.load(fromByteOffset: 16, as: UInt64.self),
      pointer.load(fromByteOffset: 24, as: UInt64.self),
      pointer.load(fromByteOffset: 32, as: UInt64.self),
      pointer.load(fromByteOffset: 40, as: UInt64.self)
    )
    // The values served by it were loaded before; no later load may move ahead of this.
    atomicMemoryFence(ordering: .acquiring)
    return LogHeader(words)
  }

  /// The progress of moving the log into the database: `mxFrame` and `nBackfill`. It is exact only while no
  /// connection writes.
  var progress: LogProgress {
    unsafe LogProgress(
      pages: Int(pointer.load(fromByteOffset: 16, as: UInt32.self)),
      moved: Int(pointer.load(fromByteOffset: 96, as: UInt32.self)))
  }
}

/// The 48 bytes at the head of the log's index (https://sqlite.org/walformat.html, section 2.1).
/// Every commit and every restart of the log changes them: equal bytes mean that nothing was
/// committed.
struct LogHeader: Sendable, Equatable {
  private let words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  init(_ words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)) {
    self.words = words
  }

  /// Counts commits (`iChange`).
  var changes: UInt32 { UInt32(truncatingIfNeeded: words.1) }

  static func == (one: LogHeader, other: LogHeader) -> Bool {
    let difference =
      (one.words.0 ^ other.words.0) | (one.words.1 ^ other.words.1)
      | (one.words.2 ^ other.words.2) | (one.words.3 ^ other.words.3)
      | (one.words.4 ^ other.words.4) | (one.words.5 ^ other.words.5)
    return difference == 0
  }
}

/// How much of the log has been moved into the database.
struct LogProgress: Sendable, Equatable {
  /// Pages in the log.
  var pages: Int
  /// Pages of the log that are in the database as well.
  var moved: Int

  /// True when the next writer may restart the log.
  var isWhole: Bool { pages == moved }
}

/// Keeps a reading connection from writing into the index of the log, which is a file that all processes map.
///
/// SQLite notes there how much of the log a reader uses (https://sqlite.org/walformat.html, section 2.3.1, "Reader
/// Locks"). It writes no note if an earlier one of another reader serves as well. A write into a mapped file waits
/// as long as its file system is frozen, as while a machine is copied. The thread that serves all clients would
/// wait, too.
///
/// A connection that finds the places of the notes taken uses a note that is there: writers leave them. It reads
/// the newest commit in any case. Only a checkpoint may have to wait for it where it would not have waited before.
///
/// The library locks a place before it writes there. A copy of the file's methods refuses this lock.
enum ReadOnlyLogIndex {
  /// The changed methods of a file, and the original ones. SQLite takes the value for its first part.
  @unsafe private struct Methods {
    var own: sqlite3_io_methods
    let original: UnsafePointer<sqlite3_io_methods>
  }

  /// The copies, by the address of their originals, of which each file system has one; never freed.
  private static let copies = Mutex<[UInt: UInt]>([:])

  /// Changes the methods of an open file that has an index.
  static func install(on file: UnsafeMutablePointer<sqlite3_file>) {
    guard let original = unsafe file.pointee.pMethods, unsafe original.pointee.iVersion >= 2
    else { return }
    let copy = copies.withLock { copies in
      if let copy = copies[UInt(bitPattern: original)] { return copy }
      let new = UnsafeMutablePointer<Methods>.allocate(capacity: 1)
      unsafe new.initialize(to: Methods(own: original.pointee, original: original))
      unsafe new.pointee.own.xShmLock = { file, place, count, flags in
        unsafe ReadOnlyLogIndex.lock(file, place, count, flags)
      }
      let copy = UInt(bitPattern: new)
      copies[UInt(bitPattern: original)] = copy
      // A file that has the copy already keeps it.
      copies[copy] = copy
      return copy
    }
    unsafe file.pointee.pMethods = UnsafePointer(bitPattern: copy)
  }

  private static func lock(
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ place: Int32, _ count: Int32, _ flags: Int32
  ) -> Int32 {
    guard let file = unsafe file, let methods = unsafe file.pointee.pMethods else {
      return SQLITE_IOERR
    }
    let original = unsafe UnsafeRawPointer(methods).assumingMemoryBound(to: Methods.self)
      .pointee.original
    // The places 4 to 7 are the locks of the notes 1 to 4; the note 0 is never written.
    let isToWrite =
      flags == SQLITE_SHM_LOCK | SQLITE_SHM_EXCLUSIVE && count == 1 && (4...7).contains(place)
    if isToWrite, unsafe hasUsableNote(file, original) { return SQLITE_BUSY }
    return unsafe original.pointee.xShmLock(file, place, count, flags)
  }

  /// True where a note is there that a reader of the newest commit can use: without one it has to write its own.
  private static func hasUsableNote(
    _ file: UnsafeMutablePointer<sqlite3_file>, _ methods: UnsafePointer<sqlite3_io_methods>
  ) -> Bool {
    var region: UnsafeMutableRawPointer?
    guard unsafe methods.pointee.xShmMap(file, 0, 32768, 0, &region) == SQLITE_OK,
      let start = unsafe region
    else { return false }
    let pages = unsafe start.load(fromByteOffset: 16, as: UInt32.self)
    return (1...4).contains { note in
      unsafe start.load(fromByteOffset: 100 + 4 * note, as: UInt32.self) <= pages
    }
  }
}
