internal import Synchronization

/// Handles a file that is damaged, deleted or replaced.
extension Database {
  /// Checks now whether the path still names the open file, and opens the file that it names.
  func followFile() throws(StoreError) {
    try refuseInChild(.observe)
    try writer.withLock { (writer) throws(StoreError) in
      writer.lastLooked = .now - .seconds(1)
      try lookForMovedFile(&writer, .observe)
    }
  }

  /// The same for reads, once a second: no other process reads a file that was moved aside, or marks its
  /// records.
  ///
  /// - Parameter now: In milliseconds on a clock that goes forward.
  @inline(__always)
  func lookIfDue(at now: Int64) {
    if looks.isDue(at: now) { look() }
  }

  private func look() {
    do throws(StoreError) {
      try refuseInChild(.observe)
      _ = try writer.withLockIfAvailable { (writer) throws(StoreError) in
        guard !writer.isClosed else { return }
        guard writer.isOpen else { return followReaders(&writer) }
        writer.lastLooked = .now - .seconds(1)
        try lookForMovedFile(&writer, .observe)
      }
    } catch {
      // The next operation that needs the file reports the error.
    }
  }

  /// Makes readers reopen the file that the path names now, when there is no writing connection to notice
  /// the change.
  private func followReaders(_ writer: inout Writer) {
    let identity = file.identity
    guard identity != writer.identity else { return }
    noteReplaced(&writer)
    (writer.identity, writer.isLossNoted) = (identity, false)
    generation.add(1, ordering: .acquiringAndReleasing)
    closeOthers()
  }

  /// A deleted or replaced file would accept every write, but no later process would see it.
  func lookForMovedFile(
    _ writer: inout Writer, _ operation: StoreOperation
  ) throws(StoreError) {
    guard !writer.isClosed else { throw StoreError(.closed, operation, path: file.path) }
    // At the last check the file was gone, and no new one could be created; or the disk was full.
    guard writer.isOpen else {
      if file.access == .readWrite {
        noteReplaced(&writer)
        try reopen(&writer)
      }
      guard let obstacle = writer.obstacle else { return }
      throw StoreError(obstacle.code, operation, path: file.path, sqlite: obstacle.sqlite)
    }
    let now = ContinuousClock.now
    guard now - writer.lastLooked >= .seconds(1) else { return }
    writer.lastLooked = now
    let hasMoved =
      switch writer.connection {
      case .some(let connection): connection.fileHasMoved
      case .none: true
      }
    // SQLite checks the file that a link named when it was opened.
    guard hasMoved || file.identity != writer.identity || file.isMoving else { return }
    noteLoss(.replaced, of: &writer)
    try reopen(&writer)
  }

  /// Notes that the file at the path is another one than the last one found there, or is missing. No connection
  /// could tell.
  private func noteReplaced(_ writer: inout Writer) {
    guard let known = writer.identity, file.identity != known else { return }
    noteLoss(.replaced, of: &writer)
  }

  /// Notes a change of the file, once.
  private func noteLoss(_ change: FileChange, of writer: inout Writer) {
    guard !writer.isLossNoted else { return }
    writer.isLossNoted = true
    state.withLock { $0.note(change) }
  }

  /// Checks the structure of the whole file, and replaces it where that is damaged; true when it was.
  ///
  /// Cost: a read of the file.
  func replaceIfDamaged() throws(StoreError) -> Bool {
    let checked = generation.load(ordering: .acquiring)
    let words: String
    do throws(StoreError) {
      words = try inspectApart(.check) { (connection) throws(SQLiteError) in
        try connection.text("PRAGMA quick_check(1)")
      }
    } catch {
      guard error.code == .damaged else { throw error }
      words = ""
    }
    guard words != "ok" else { return false }
    noteDamage(of: checked)
    guard isDamaged else { return false }
    try replaceDamaged()
    return true
  }

  func replaceDamaged() throws(StoreError) {
    try writer.withLock { (writer) throws(StoreError) in
      guard isDamaged, !writer.isClosed else { return }
      let damaged = writer.identity
      memory.follow(nil)
      closeLeavingLog(&writer)
      closeOthers()
      if file.access == .readWrite, let damaged {
        do throws(StoreError) {
          if let aside = try file.moveAside(damaged) {
            noteLoss(.movedAside(aside), of: &writer)
          } else {
            // Another process has met the damage first.
            noteLoss(.replaced, of: &writer)
          }
        } catch {
          // On a disk that cannot be written, the intact content of the file is still readable.
          guard file.diskObstacle(in: error) != nil else { throw error }
        }
      }
      try reopen(&writer)
    }
  }

  private func reopen(_ writer: inout Writer) throws(StoreError) {
    memory.follow(nil)
    closeOthers()
    closeLeavingLog(&writer)
    try Self.open(file, as: &writer, state)
    // Others may have opened the previous file until now.
    closeOthers()
    // Reports about the previous file no longer apply.
    generation.add(1, ordering: .acquiringAndReleasing)
    memory.follow(writer.logIndex)
    writer.isFullySynchronous = true
    writer.isMarked = false
    writer.isLossNoted = false
    writer.foreignLock = nil
  }

  func closeWriter(_ writer: inout Writer) {
    file.closeConnection(&writer.connection, of: writer.identity)
  }

  /// Leaves a damaged file unchanged: closing must not move its log into it, nor remove a log of another
  /// file.
  private func closeLeavingLog(_ writer: inout Writer) {
    DatabaseFile.closeLeavingLog(&writer.connection)
  }

  func closeOthers(forGood: Bool = false) {
    checkpoints.release()
    readers.close(forGood: forGood)
  }

  /// Opens the file; a damaged one of ours is moved aside and replaced by a new one. Where nothing
  /// can be written, the file is opened for reading.
  static func open(
    _ file: DatabaseFile, as writer: inout Writer, _ health: borrowing Mutex<Health>
  ) throws(StoreError) {
    writer.connection = nil
    writer.obstacle = nil
    if file.access == .readOnly {
      writer.connection = try file.openToRead()
      writer.obstacle = StoreError(.readOnly, .open, path: file.path)
    } else {
      do throws(StoreError) {
        let connection = try openHealthy(file) { aside in
          health.withLock { $0.note(.movedAside(aside)) }
        }
        try salvage(file, into: connection, health)
        writer.connection = consume connection
      } catch {
        guard let obstacle = file.diskObstacle(in: error), file.identity != nil,
          file.unsalvaged.isEmpty
        else { throw error }
        _ = try file.openToRead()
        writer.obstacle = StoreError(obstacle, .open, path: file.path, sqlite: error.sqlite)
      }
    }
    writer.identity = file.identity
  }

  private static func openHealthy(
    _ file: DatabaseFile, moved: (String) -> Void
  ) throws(StoreError) -> Connection {
    let before = file.identity
    do throws(StoreError) {
      return try file.openChecked()
    } catch {
      // A missing file whose log was left behind has been replaced by an empty one by now.
      guard error.code == .damaged, let before = before ?? file.identity else { throw error }
      if let aside = try file.moveAside(before) { moved(aside) }
      return try file.open()
    }
  }

  /// Recovers the content that only exists in files that any process has moved aside.
  private static func salvage(
    _ file: DatabaseFile, into connection: borrowing Connection, _ health: borrowing Mutex<Health>
  ) throws(StoreError) {
    guard !file.isSalvaged else { return }
    if !file.unsalvaged.isEmpty { try file.adoptMark(connection) }
    defer { file.noteHeldWrites(connection) }
    let result = try Salvage(file: file).run(into: connection)
    health.withLock { health in
      health.salvagedWrites += result.writes
      health.salvagedValues += result.values
      health.partlyRead += result.partlyRead
    }
  }
}

extension Database.Writer {
  var isOpen: Bool {
    switch connection {
    case .some: true
    case .none: false
    }
  }

  /// The index of the log, which reports commits to the memory tier.
  var logIndex: LogIndex? {
    switch connection {
    case .some(let connection): connection.logIndex
    case .none: nil
    }
  }
}

/// Schedules the check whether a path still names the open file: once a second, on any clock that the reads use.
final class LookSchedule: Sendable {
  /// In milliseconds.
  private static let pause: Int64 = 1000

  private let next = Atomic<Int64>(.min)

  /// True for the one reader that has to check now.
  ///
  /// - Parameter now: In milliseconds on a clock that goes forward.
  @inline(__always)
  func isDue(at now: Int64) -> Bool {
    let next = next.load(ordering: .relaxed)
    // A moment far ahead comes from another clock.
    guard now >= next || next &- now > Self.pause else { return false }
    return take(next, at: now)
  }

  private func take(_ next: Int64, at now: Int64) -> Bool {
    self.next.compareExchange(expected: next, desired: now &+ Self.pause, ordering: .relaxed)
      .exchanged
  }
}

/// A change of the file of a store, while it was open or as it was opened. The former content is gone from it.
package enum FileChange: Sendable, Hashable {
  /// It was damaged, and is kept under this path; a new one was begun.
  case movedAside(String)
  /// It was deleted or replaced by another program; the file that has its name now is used.
  case replaced
}
