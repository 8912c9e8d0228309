internal import Platform

/// The mark `-outbox` shows which local writes wait in the file. So a file that comes back without them is noticed,
/// whether it was emptied, deleted or replaced.
///
/// The database knows the name of its mark, in `salvage`. The mark has the number of the last write that waits, 0
/// for none. The number follows each commit, and is never higher than the one in the database. After a power cut it
/// may be too low, and then shows less.
extension DatabaseFile {
  private var writesMark: NameMark { NameMark(path: resolvedPath + Self.writesMark) }

  /// The name of the mark beside the file; `nil` without one.
  var nameOfOwnWrites: String? { writesMark.contents?.name }

  /// Creates the mark, and returns its name, which the database has to know with the first write
  /// (``Salvage/noteOwn(_:_:)``); `nil` where something else has its place.
  func markWrites() throws(StoreError) -> String? { try writesMark.make(beside: resolvedPath) }

  /// Creates the same mark for the values of a file that is about to be moved aside.
  func markValues(of aside: String) throws(StoreError) {
    // A copy that was put in place of a store may hold local writes without their mark.
    let isMarked = PathName.exists(resolvedPath + Self.writesMark)
    _ = try NameMark(path: aside + Self.valuesMark).make(
      beside: resolvedPath, prefix: isMarked ? "" : Self.unmarked)
  }

  /// Notes the last waiting write in the mark.
  func noteHeldWrites(_ connection: borrowing Connection) {
    writesMark.note { () throws(SQLiteError) in try connection.newestWrite() }
  }

  /// Creates the mark beside a file that holds local writes but has no mark of its own, such as a copy that
  /// replaced the store. It also corrects a mark with another number: a kill may have come between the commit and
  /// the mark.
  func markHeldWrites(_ connection: borrowing Connection) throws(StoreError) {
    do throws(SQLiteError) {
      let contents = writesMark.contents
      if let contents, try Salvage.isNoted(contents.name, connection) {
        if contents.number != (try connection.newestWrite()) {
          noteHeldWrites(connection)
        }
        return
      }
      guard
        try connection.integer(
          "SELECT EXISTS (SELECT 1 FROM outbox UNION ALL SELECT 1 FROM fleet_mark)") != 0
      else { return }
    } catch {
      throw StoreError(error, .open, path: path)
    }
    do throws(StoreError) {
      try adoptMark(connection)
    } catch {
      // A full disk must not block reads; the next write needs the mark.
      guard error.code == .full else { throw error }
    }
  }

  /// Refuses a file without the local writes that its mark shows, unless the configuration accepts their loss.
  func checkHeldWrites(_ connection: borrowing Connection) throws(StoreError) {
    let isLacking = try answering { () throws(SQLiteError) in try lacksHeldWrites(connection) }
    guard isLacking else { return }
    guard acceptsLostWrites else { throw missingWrites }
    try adoptMark(connection)
  }

  /// The same of a file that is not there, or empty.
  func checkNothingHeld() throws(StoreError) {
    guard !acceptsLostWrites, showsHeldWrites else { return }
    throw missingWrites
  }

  /// True when the mark shows that local writes wait in the file.
  package var showsHeldWrites: Bool { writesMark.contents.map { $0.number > 0 } ?? false }

  /// True when the mark shows local writes that the file does not have.
  package func lacksHeldWrites(_ connection: borrowing Connection) throws(SQLiteError) -> Bool {
    guard let contents = writesMark.contents, contents.number > 0 else { return false }
    return try !Self.holds(contents, connection)
  }

  /// Notes in a store that was made of this file, and takes its place, that its mark shows nothing missing. The
  /// unreadable writes were reported, and their loss was accepted.
  package func settleHeldWrites(_ connection: borrowing Connection) throws(SQLiteError) {
    guard let contents = writesMark.contents else { return }
    try Salvage.noteOwn(contents.name, connection)
    try connection.run(.raiseWrites, contents.number)
    try connection.run(.beginWrites, contents.number)
  }

  private var missingWrites: StoreError { error(.writesMissing(mark: writesMark.path)) }

  private static func holds(
    _ contents: (name: String, number: Int64), _ connection: borrowing Connection
  ) throws(SQLiteError) -> Bool {
    guard try Salvage.isNoted(contents.name, connection) else { return false }
    // The sequence table never forgets the highest number, even after deletions.
    return try connection.integer("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'")
      >= contents.number
  }

  /// Makes the mark, old or new, the mark of this file as it is.
  func adoptMark(_ connection: borrowing Connection) throws(StoreError) {
    guard let name = try markWrites() else { return }
    try answering { () throws(SQLiteError) in
      try connection.transaction { (connection) throws(SQLiteError) in
        try Salvage.noteOwn(name, connection)
      }
    }
    noteHeldWrites(connection)
  }
}

/// A small file beside a database that names something in it, for good: another file may later lie under the
/// same path.
///
/// The mark of local writes also has the number of the last waiting write.
struct NameMark {
  let path: String

  /// The name, and the number, 0 where there is none; `nil` without a name.
  var contents: (name: String, number: Int64)? {
    let words = LockHolder.contents(of: path).split(separator: " ")
    guard let name = words.first else { return nil }
    return (String(name), words.count > 1 ? Int64(words[1]) ?? 0 : 0)
  }

  /// Creates the mark with a new name, unless it is there, and returns its name. The mark survives a power cut once
  /// this returns, and gets the owner and the mode of the database. `nil` where something else has its place.
  ///
  /// - Parameter prefix: The beginning of a new name.
  func make(beside database: String, prefix: String = "") throws(StoreError) -> String? {
    if let name = contents?.name { return name }
    var status = stat()
    guard unsafe lstat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else { return nil }
    let opened = CompanionFile.open(path, of: database)
    guard opened >= 0 else { throw NewFile.failure(errno, .write, database) }
    defer { close(opened) }
    _ = Self.lock(opened)
    defer { flock(opened, LOCK_UN) }
    // Another process may have been faster.
    if let name = contents?.name { return name }
    let name = prefix + String(UInt64.random(in: .min ... .max), radix: 36)
    guard write(name, 0, to: opened) else { throw NewFile.failure(errno, .write, database) }
    _ = fsync(opened)
    NewFile.syncFolder(of: path)
    return name
  }

  /// Notes the number that `read` gives, while no other process does so: the last process to note it has read the
  /// newest. Nothing waits for the disk, and a missing mark is not made.
  func note(_ read: () throws(SQLiteError) -> Int64) {
    guard let known = contents else { return }
    let opened = unsafe Platform.open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard opened >= 0 else { return }
    defer { close(opened) }
    // Without it the number stays as it is, and a later change notes it.
    guard Self.lock(opened) else { return }
    defer { flock(opened, LOCK_UN) }
    do throws(SQLiteError) {
      let number = try read()
      if number != contents?.number { _ = write(known.name, number, to: opened) }
    } catch {
      // The number stays too low, and shows less.
    }
  }

  /// Takes the lock. A store holds it for a look at its outbox; another program could hold it for ever.
  private static func lock(_ descriptor: Int32) -> Bool {
    for _ in 0..<50 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
      // The kernel wakes only blocking waiters, which have no timeout.
      usleep(1000)
    }
    return false
  }

  private func write(_ name: String, _ number: Int64, to descriptor: Int32) -> Bool {
    let digits = "\(number)"
    // The text always has the same length, so that a process that reads it meanwhile finds all of it.
    let zeros = String(repeating: "0", count: max(0, 19 - digits.count))
    let text = Array("\(name) \(zeros)\(digits)".utf8)
    return unsafe text.withUnsafeBytes {
      unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0)
    } == text.count
  }
}

extension SQL {
  /// The next local write gets a higher number.
  fileprivate static let raiseWrites = SQL(
    "UPDATE sqlite_sequence SET seq = max(seq, ?1) WHERE name = 'outbox'")
  fileprivate static let beginWrites = SQL(
    """
    INSERT INTO sqlite_sequence (name, seq)
    SELECT 'outbox', ?1 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'outbox')
    """)
}
