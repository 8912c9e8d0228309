internal import Synchronization

/// Writes, one at a time.
extension Database {
  /// Runs `body` in one write transaction and returns once it is committed.
  ///
  /// Waits for the write lock up to the busy timeout, or as ``Configuration/lockPatience`` says. Without `movesLog`
  /// the log is left to the next writer.
  ///
  /// A write that exists nowhere else `marksWrites`: if the file is damaged later, the mark still shows that it
  /// held such writes. Records in memory that are not `touched` stay there. If `touched` is `nil`, all of them have
  /// to be read again.
  package func write<Result: Sendable>(
    _ operation: StoreOperation, _ durability: Durability = .normal, movesLog: Bool = true,
    marksWrites: Bool = false, touching touched: AffectedKeys? = nil,
    _ body: @Sendable (borrowing Connection) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    try refuseInChild(operation)
    guard !marksWrites || file.access == .readWrite else {
      throw StoreError(.readOnly, operation, path: file.path)
    }
    return try replacingDamaged { () throws(StoreError) in
      try writer.withLock { (writer) throws(StoreError) in
        guard durability == .full || marksWrites else {
          try lookForMovedFile(&writer, operation)
          return try write(&writer, operation, durability, movesLog, touched, body)
        }
        // A durable write must not go into a file that another process has moved aside.
        while true {
          writer.lastLooked = .now - .seconds(1)
          try lookForMovedFile(&writer, operation)
          let result = try inPlace(&writer) { (writer) throws(StoreError) in
            guard marksWrites, !writer.isMarked else {
              return try write(&writer, operation, durability, movesLog, touched, body)
            }
            let name = try file.markWrites()
            let result = try write(&writer, operation, durability, movesLog, touched) {
              (connection) throws(SQLiteError) in
              if let name { try Salvage.noteOwn(name, connection) }
              return try body(connection)
            }
            writer.isMarked = true
            return result
          }
          if let result { return result }
        }
      }
    }
  }

  /// Runs `body` while no process moves the file; `nil` when it was moved. It waits no longer for the lock on the
  /// folder, which any program can take, than for a lock on the file.
  private func inPlace<Result>(
    _ writer: inout Writer, _ body: (inout Writer) throws(StoreError) -> Result
  ) throws(StoreError) -> Result? {
    let limit = limitOfWaits
    let patience = limit != nil && writer.isFolderLocked ? Duration.zero : limit
    var hasLock = false
    defer { writer.isFolderLocked = !hasLock }
    let result = try file.inPlace(writer.identity, waiting: patience) {
      () throws(StoreError) -> Result in
      hasLock = true
      return try body(&writer)
    }
    hasLock = true
    return result
  }

  /// How long a write waits at most for a lock whose holder commits nothing; `nil` for the busy timeout.
  private var limitOfWaits: Duration? { isPatient.load(ordering: .relaxed) ? nil : lockPatience }

  private func write<Result: Sendable>(
    _ writer: inout Writer, _ operation: StoreOperation, _ durability: Durability, _ movesLog: Bool,
    _ touched: AffectedKeys?, _ body: @Sendable (borrowing Connection) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    do throws(SQLiteError) {
      return try commitInTurn(&writer, durability, movesLog, touched, body)
    } catch {
      note(error)
      throw StoreError(
        error, operation, path: file.path, holder: writer.foreignLock?.holder)
    }
  }

  /// Commits a transaction once it has the lock, for which it waits as ``Configuration/lockPatience`` says.
  func commitInTurn<Result: Sendable>(
    _ writer: inout Writer, _ durability: Durability, _ moves: Bool,
    _ touched: AffectedKeys?, _ body: @Sendable (borrowing Connection) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    let limit = limitOfWaits
    do throws(SQLiteError) {
      limitWait(of: writer.connection, to: limit, isLockedOut: writer.foreignLock != nil)
      defer { limitWait(of: writer.connection, to: nil, isLockedOut: false) }
      return try commit(&writer, durability, moves, touched, body)
    } catch {
      let last = limit == nil ? nil : writer.foreignLock
      writer.foreignLock = error.isBusy ? foreignLock(after: last) : nil
      throw error
    }
  }

  /// After a write has not got the lock of another program, others do not wait for it at all, until one gets it.
  private func limitWait(
    of connection: borrowing Connection?, to limit: Duration?, isLockedOut: Bool
  ) {
    switch connection {
    case .some(let opened):
      opened.waitForOthers(inVainFor: limit)
      opened.waitForOthers(atMost: limit != nil && isLockedOut ? .zero : nil)
    case .none: break
    }
  }

  /// One look a second has to be enough: a look costs more than an attempt that does not wait.
  private func foreignLock(after last: ForeignLock?) -> ForeignLock {
    if let last, ContinuousClock.now - last.lookedAt < .seconds(1) { return last }
    return ForeignLock(holder: LockHolder.ofDatabase(at: file.resolvedPath))
  }

  /// Has writes wait for the lock of another program up to the busy timeout from now on.
  func bePatient() { isPatient.store(true, ordering: .relaxed) }

  /// How long a caller's thread waits for a writer in another process.
  static let patienceAtOnce = Duration.milliseconds(1)

  /// The same for writes that need not survive a power cut, if no other writer is active, or only briefly. `nil`
  /// when one is active, or the file is damaged.
  func writeAtOnce<Result: Sendable>(
    _ operation: StoreOperation, touching touched: AffectedKeys,
    waiting patience: Duration = patienceAtOnce,
    _ body: @Sendable (borrowing Connection) throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result? {
    try refuseInChild(operation)
    guard !isDamaged else { return nil }
    return try writer.withLockIfAvailable { (writer) throws(StoreError) -> Result? in
      try lookForMovedFile(&writer, operation)
      do throws(SQLiteError) {
        setPatience(of: writer.connection, patience)
        defer { setPatience(of: writer.connection, nil) }
        return try commit(&writer, .normal, true, touched, body)
      } catch {
        note(error)
        if error.isBusy || isDamaged { return nil }
        throw StoreError(error, operation, path: file.path)
      }
    } ?? nil
  }

  func setPatience(of connection: borrowing Connection?, _ patience: Duration?) {
    switch connection {
    case .some(let opened): opened.waitForOthers(atMost: patience)
    case .none: break
    }
  }

  /// Commits a transaction. In a file that has reached its limit, the transaction also removes copies that can be
  /// fetched again. It removes more and more, until there is room or nothing is left.
  func commit<Result: Sendable>(
    _ writer: inout Writer, _ durability: Durability, _ moves: Bool,
    _ touched: AffectedKeys?, _ body: @Sendable (borrowing Connection) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    do throws(SQLiteError) {
      return try commitOnce(&writer, durability, moves, touched, body)
    } catch {
      guard error.isFull, let limit = file.maximumSize,
        let eviction = eviction.withLock({ $0 })
      else { throw error }
      var wanted = max(limit / 16, 65_536)
      let isMore = Atomic<Bool>(true)
      while isMore.load(ordering: .relaxed) {
        do throws(SQLiteError) {
          return try commitOnce(&writer, durability, moves, nil) {
            [wanted] (connection) throws(SQLiteError) in
            // Where even that finds no room, as on a full disk, more of it finds none either.
            isMore.store(false, ordering: .relaxed)
            isMore.store(try eviction.free(wanted, touched, connection), ordering: .relaxed)
            return try body(connection)
          }
        } catch {
          guard error.isFull else { throw error }
          wanted = min(wanted, .max / 4) * 4
        }
      }
      throw error
    }
  }

  private func commitOnce<Result: Sendable>(
    _ writer: inout Writer, _ durability: Durability, _ moves: Bool,
    _ touched: AffectedKeys?, _ body: @Sendable (borrowing Connection) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    let wantsFull = durability == .full
    if wantsFull != writer.isFullySynchronous {
      // Takes effect only outside a transaction, and persists when the transaction fails.
      try run(
        { (connection) throws(SQLiteError) in
          try connection.execute(
            wantsFull ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL")
        }, on: &writer.connection)
      writer.isFullySynchronous = wantsFull
    }
    let result: Result = try run(
      { (connection) throws(SQLiteError) in
        defer { if touched != nil { memory.endCommit() } }
        let commits = connection.commits
        var isOver = false
        defer { clockWatch?.noteEnd(isOver ? connection.commits - commits : nil) }
        let (result, before) = try Self.transaction(
          { (connection) throws(SQLiteError) -> (Result, LogHeader?) in
            // Under the write lock: every change after it, up to the commit, is ours.
            let before = touched == nil ? nil : memory.header
            // Records in memory have to be read again only when moments were moved.
            let isMoved = try keepTime(connection)
            let result = try body(connection)
            guard !isMoved else { return (result, nil) }
            if before != nil { memory.beginCommit() }
            return (result, before)
          }, on: connection)
        isOver = true
        // A transaction that wrote nothing left the header unchanged: the next commit in it belongs to
        // another connection.
        if let touched, let before, connection.commits > commits {
          memory.keep(over: before, touching: touched)
        }
        for work in connection.log.afterCommit { work() }
        if connection.log.isWritten { file.touchSharedMemory() }
        if connection.log.touchesOutbox { file.noteHeldWrites(connection) }
        let pages = connection.pagesInWAL
        if moves, checkpoints.isDue(pagesInLog: pages) {
          if pages < Checkpoints.pagesInOverlongLog {
            startCheckpoint()
          } else {
            _ = checkpoint(waits: true)
          }
        }
        return result
      }, on: &writer.connection)
    writer.foreignLock = nil
    return result
  }

  private static func transaction<Result: Sendable>(
    _ body: @Sendable (borrowing Connection) throws(SQLiteError) -> Result,
    on connection: borrowing Connection
  ) throws(SQLiteError) -> Result {
    do throws(SQLiteError) {
      return try connection.transaction(body)
    } catch {
      guard error.isFull, connection.log.isWanted == true else { throw error }
      // The log of changes must not block a write that frees space. Observers that are no longer
      // registered notice it, and report missed changes.
      return try connection.transaction { (connection) throws(SQLiteError) in
        try connection.execute("DELETE FROM observer")
        connection.log.isWritten = true
        return try body(connection)
      }
    }
  }
}
