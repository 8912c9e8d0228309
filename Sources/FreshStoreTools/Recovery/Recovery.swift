public import FreshStore
internal import Platform
internal import Strategies

extension Store {
  /// Creates a new store from the readable content of a damaged file.
  ///
  /// The recovery reads the file's pages one by one, past SQLite: only the content of damaged pages is lost. It
  /// recovers local writes first, also those of files that were moved aside earlier and not salvaged yet. Then it
  /// recovers records, with tags, marks, pins and lists. Rows with a checksum are recovered only if it matches. A
  /// record is recovered as stale if it is no longer known whether a mark, of its own or by tag, made it stale.
  ///
  /// The damaged file and its log are only read, and must not be in use. The recovery works on a copy, in a folder
  /// beside `destination` that is removed at the end. `destination` must not exist, and appears only when it is
  /// whole, checked and on the disk. Cost: the damaged file is written twice.
  ///
  /// - Throws: One of these errors; no store is created then.
  ///   - `writesLost` when local writes cannot be read and that is not accepted.
  ///   - `damaged` when nothing can be read at all.
  ///   - `notADatabase`, `foreignDatabase` or `newerSchema` when the file is no store.
  ///   - `alreadyExists`, `cancelled`, `full`, or the error of the files.
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

/// The options of a recovery.
public struct RecoveryOptions: Sendable {
  /// False to create nothing when some of the local writes cannot be read; true to recover the readable ones.
  public var acceptsLostWrites = false
  /// True to recover also the local writes of a file that was moved aside, although its store has taken them over.
  /// Sent again, they may undo newer ones.
  public var includesTakenWrites = false

  /// The defaults: no local write is lost silently.
  public init() {}
}

/// The result of a recovery.
public struct RecoveryResult: Sendable, Hashable, Codable {
  /// The absolute path of the new store.
  public var path: String
  /// Local writes recovered.
  public var writes = 0
  /// Local writes left out, because the store that the file was moved aside from has taken them over.
  public var takenWrites = 0
  /// Local writes that could not be read, which the caller accepted; `nil` when their number is unknown.
  public var lostWrites: Int? = 0
  /// Records recovered.
  public var records = 0
  /// Records that could not be read; `nil` when their number is unknown.
  public var unreadableRecords: Int? = 0
  /// Recovered records that are marked stale, because marks of the damaged file, their tags, or their local writes
  /// could not be read.
  public var staleRecords = 0
  /// The new file's size in bytes.
  public var bytes = 0

  private enum CodingKeys: String, CodingKey {
    case path, writes, takenWrites, lostWrites, records, unreadableRecords, staleRecords, bytes
  }

  /// An unknown number is encoded as `null`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(path, forKey: .path)
    try container.encode(writes, forKey: .writes)
    try container.encode(takenWrites, forKey: .takenWrites)
    try container.encode(lostWrites, forKey: .lostWrites)
    try container.encode(records, forKey: .records)
    try container.encode(unreadableRecords, forKey: .unreadableRecords)
    try container.encode(staleRecords, forKey: .staleRecords)
    try container.encode(bytes, forKey: .bytes)
  }
}

/// One running recovery, on a thread of its own.
struct Recovery: Sendable {
  let damaged: String
  let destination: String
  let options: RecoveryOptions
  let now: ClockReading

  private static let busyTimeout = Duration.seconds(5)

  func run(until stop: StopSignal) throws(StoreError) -> RecoveryResult {
    guard PathName.exists(damaged) else {
      throw StoreError(.cannotOpen, .recover, path: damaged)
    }
    let made = try NewFile(destination, for: .recover)
    // The new store may take the damaged file's place.
    CompanionFile.adopt(made.descriptor, as: damaged)
    var folder = try RecoveryFolder(beside: made.path)
    let pattern = folder.newDatabase()
    _ = try Self.open(pattern)
    var result = RecoveryResult(path: made.path)
    do {
      let connection = try Self.open(made.temporary)
      try fill(connection, &folder, pattern, &result, until: stop)
    }
    let contents = try Backup.settle(made.temporary, as: .recover, Self.busyTimeout)
    guard !stop.isSet else { throw cancelled }
    result.records = contents.records
    result.bytes = contents.bytes
    try made.publish()
    return result
  }

  private var cancelled: StoreError { StoreError(.cancelled, .recover, path: damaged) }

  /// A new store that only this recovery knows yet.
  private static func open(_ path: String) throws(StoreError) -> Connection {
    let connection = try DatabaseFile(
      path: path, access: .readWrite, busyTimeout: busyTimeout, maximumSize: nil
    ).open()
    do throws(SQLiteError) {
      try connection.execute("PRAGMA locking_mode=EXCLUSIVE")
      try connection.execute("PRAGMA synchronous=OFF")
      try connection.execute("PRAGMA journal_mode=MEMORY")
    } catch {
      throw StoreError(error, .recover, path: path)
    }
    return connection
  }

  // MARK: Recovered content

  private func fill(
    _ connection: borrowing Connection, _ folder: inout RecoveryFolder, _ pattern: String,
    _ result: inout RecoveryResult, until stop: StopSignal
  ) throws(StoreError) {
    let findings = try scavenge(
      damaged, ScavengedTable.all, connection, &folder, pattern)
    guard !stop.isSet else { throw cancelled }
    let intact = try answering { () throws(SQLiteError) in
      try dropDamagedRecords(connection)
    }
    let known = findings[.record]?.known
    result.unreadableRecords = known.map { max(0, $0 - intact) }
    var contents = try contents(connection, known: findings[.outbox]?.known)
    contents.hasMarks = findings[.invalidation]?.isWhole != false
    let isStore = DamagedPages(damaged)?.isStore ?? false
    let found = [intact, known ?? 0, contents.writes.count, contents.lost ?? 0]
    if !isStore, found.allSatisfy({ $0 == 0 }) {
      // Nothing shows that it ever was a store.
      throw StoreError(.notADatabase, .recover, path: damaged)
    }
    if !options.includesTakenWrites, DatabaseFile.isSalvagedAside(damaged) {
      result.takenWrites = contents.writes.count
      (contents.writes, contents.bases, contents.lost) = ([:], [], 0)
    }
    try addAsides(to: &contents, connection, &folder, pattern)
    guard contents.lost == 0 || options.acceptsLostWrites else {
      throw StoreError(.writesLost(file: damaged, writes: contents.lost), .recover, path: damaged)
    }
    result.lostWrites = contents.lost
    result.writes = contents.writes.count
    guard !stop.isSet else { throw cancelled }
    let taken = contents
    let damagedFile = DatabaseFile(reading: damaged, busyTimeout: Self.busyTimeout)
    let hasLostRecords =
      result.unreadableRecords != 0 || contents.lost != 0 || result.takenWrites != 0
    result.staleRecords = try answering { () throws(SQLiteError) in
      try connection.transaction { (connection) throws(SQLiteError) in
        let restored = try rebuildWrites(taken, connection)
        try mend(findings, hasLostRecords: hasLostRecords, connection)
        try damagedFile.settleHeldWrites(connection)
        return try restored + markUncertain(findings, connection)
      }
    }
  }

  private func scavenge(
    _ file: String, _ tables: [ScavengedTable], _ connection: borrowing Connection,
    _ folder: inout RecoveryFolder, _ pattern: String
  ) throws(StoreError) -> [ScavengedTable: Scavenger.Findings] {
    let scavenger = Scavenger(
      copy: try folder.copy(file), pattern: pattern, busyTimeout: Self.busyTimeout)
    do throws(StoreError) {
      return try scavenger.fill(connection, with: tables)
    } catch {
      // The error must not name the private copy.
      throw StoreError(error.code, .recover, path: file, sqlite: error.sqlite)
    }
  }

  /// The valid local writes.
  private func contents(
    _ connection: borrowing Connection, known: Int?
  ) throws(StoreError) -> Salvage.Contents {
    var contents = Salvage.Contents()
    Salvage.read(connection, &contents)
    contents.lost = known.map { max(0, $0 - contents.writes.count) }
    return contents
  }

  /// Recovers the local writes of files that were moved aside and not salvaged yet. Those writes are older.
  private func addAsides(
    to contents: inout Salvage.Contents, _ connection: borrowing Connection,
    _ folder: inout RecoveryFolder, _ pattern: String
  ) throws(StoreError) {
    let asides = DatabaseFile(reading: damaged, busyTimeout: Self.busyTimeout).unsalvaged
    var older = Salvage.Contents()
    for aside in asides {
      guard let name = DatabaseFile.nameOfHeldWrites(aside) else { continue }
      let isNoted = try answering { () throws(SQLiteError) in
        try Salvage.isNoted(name, connection)
      }
      guard !isNoted else { continue }
      let scratch = try Self.open(folder.newDatabase())
      let findings = try scavenge(aside, ScavengedTable.ofWrites, scratch, &folder, pattern)
      let found = try self.contents(scratch, known: findings[.outbox]?.known)
      older.append(found)
      try answering { () throws(SQLiteError) in try Salvage.note(name, found, connection) }
    }
    guard !older.writes.isEmpty || !older.marksForFleet.isEmpty || older.lost != 0 else { return }
    older.append(contents)
    contents = older
  }

  private func answering<Result>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(StoreError) -> Result {
    do throws(SQLiteError) {
      return try body()
    } catch {
      throw StoreError(error, .recover, path: destination)
    }
  }
}

extension Salvage.Contents {
  /// Appends later writes. They are renumbered in the same order, as two files may use the same numbers.
  mutating func append(_ later: Salvage.Contents) {
    lost = lost.flatMap { lost in later.lost.map { lost + $0 } }
    hasMarks = hasMarks && later.hasMarks
    bases += later.bases
    marksForFleet += later.marksForFleet
    let known = Set(writes.values.map(\.idempotencyKey))
    var next = (writes.keys.max() ?? 0) + 1
    for var write in later.writes.values.sorted(by: { $0.id < $1.id })
    where !known.contains(write.idempotencyKey) {
      write.id = next
      writes[next] = write
      next += 1
    }
  }
}
