internal import Synchronization

/// What is done when the file is found damaged, deleted or replaced.
extension Database {
  /// Looks now whether the path still names the file that is open, and opens the one it names.
  func followFile() throws(StoreError) {
    try refuseInChild(.observe)
    try writer.withLock { (writer) throws(StoreError) in
      writer.lastLooked = .now - .seconds(1)
      try lookForMovedFile(&writer, .observe)
    }
  }

  /// A file that was deleted or replaced would take every write and show it to nobody.
  func lookForMovedFile(
    _ writer: inout Writer, _ operation: Operation
  ) throws(StoreError) {
    guard !writer.isClosed else { throw StoreError(.closed, operation, path: file.path) }
    // The last look found the file gone, and no new one could be made; or the disk was full.
    guard writer.isOpen else {
      if file.access == .readWrite { try reopen(&writer) }
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
    // SQLite looks at the file that a link led to when it was opened.
    guard hasMoved || file.identity != writer.identity else { return }
    state.withLock { $0.replaced += 1 }
    try reopen(&writer)
  }

  func replaceDamaged() throws(StoreError) {
    try writer.withLock { (writer) throws(StoreError) in
      guard isDamaged.load(ordering: .acquiring), !writer.isClosed else { return }
      let damaged = writer.identity
      memory.follow(nil)
      // Nobody changes the damaged file by moving its log into it.
      switch writer.connection {
      case .some(let connection): connection.keepLogWhenClosed()
      case .none: break
      }
      writer.connection = nil
      closeOthers()
      if file.access == .readWrite, let damaged, let aside = try file.moveAside(damaged) {
        state.withLock { $0.movedAside.append(aside) }
      }
      try reopen(&writer)
      isDamaged.store(false, ordering: .releasing)
    }
  }

  private func reopen(_ writer: inout Writer) throws(StoreError) {
    memory.follow(nil)
    closeOthers()
    writer.connection = nil
    try Self.open(file, as: &writer, state)
    memory.follow(writer.logIndex)
    writer.isFullySynchronous = true
    writer.isMarked = false
  }

  func closeOthers() {
    checkpoints.letGo()
    readers.close()
  }

  /// Opens the file; one of ours that is damaged is moved aside and a new one takes its place. Where
  /// nothing can be written, what is there can be read all the same.
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
          health.withLock { $0.movedAside.append(aside) }
        }
        try salvage(file, into: connection, health)
        writer.connection = consume connection
      } catch {
        guard error.code == .full || (error.code == .cannotOpen && file.isDiskFull),
          file.identity != nil, file.unsalvaged.isEmpty
        else { throw error }
        _ = try file.openToRead()
        writer.obstacle = StoreError(.full, .open, path: file.path, sqlite: error.sqlite)
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
      guard error.code == .damaged, let before else { throw error }
      if let aside = try file.moveAside(before) { moved(aside) }
      return try file.open()
    }
  }

  /// Takes over the local writes of files that were moved aside, by whatever process.
  private static func salvage(
    _ file: DatabaseFile, into connection: borrowing Connection, _ health: borrowing Mutex<Health>
  ) throws(StoreError) {
    guard !file.unsalvaged.isEmpty else { return }
    try file.markWrites()
    let count = try Salvage(file: file).run(into: connection)
    health.withLock { $0.salvagedWrites += count }
  }
}

extension Database.Writer {
  var isOpen: Bool {
    switch connection {
    case .some: true
    case .none: false
    }
  }

  /// The index of the log, by which memory finds out about commits.
  var logIndex: LogIndex? {
    switch connection {
    case .some(let connection): connection.logIndex
    case .none: nil
    }
  }
}
