internal import Platform
internal import Strategies
internal import Synchronization

/// A file of records, and the two gates around them: rules on the way in, the freshness chain on
/// the way out.
///
/// Safe to use from any task or thread, and from several processes on the same file at once. Reads
/// are synchronous and never wait for a writer; writes are `async`, and durable as documented when
/// they return. A store opened before `fork()` refuses to work in the child.
///
/// ```swift
/// let store = try Store(path: "/var/cache/news/store.db")
/// let articles = try store.collection("articles", of: Article.self)
/// let answer = try await articles.get("42") { previous in
///   .value(try await download("42"))
/// }
/// ```
public final class Store: Sendable {
  /// The database file.
  public let path: String
  /// The configuration it was opened with.
  package let configuration: Configuration

  package let storage: Storage
  let gate: Gate
  /// The records in memory, and their reader.
  let memory: MemoryReader
  package let queue: WorkQueue
  /// Commits puts.
  let puts: PutQueue
  /// Commits the beginnings and the ends of pushes.
  let pushCommits: SharedCommits
  /// Those of requests that their callers make by themselves, which need not survive a power cut.
  let requestCommits: SharedCommits
  package let hub = ChangeHub()
  let marks = SoftMarks()
  let owed = UnreturnedClaims()
  let unread = UnreadWrites()
  let outcomes = RecentOutcomes()
  /// Signals growth of the refetch queue that the observers of changes do not see.
  package let queueSignal = QueueSignal()
  let evidence: FetchEvidence
  let unwrittenBreakers = UnwrittenBreakers()
  /// The number of failures of sources that wait for the writers to be noted: a look into the file does not see them.
  let failuresToNote = Atomic<Int>(0)
  /// `nil` for a host alone.
  let fleet: FleetMember?
  let foreign: ForeignChanges
  /// This store's name among the owners of leases.
  var owner: String { storage.claimant }
  /// See ``failuresToNote``.
  var hasFailuresToNote: Bool { failuresToNote.load(ordering: .acquiring) > 0 }

  private struct Table {
    /// The type of the values.
    let type: ObjectIdentifier
    let flights: any FlightRegistry
  }

  private struct State {
    /// By collection.
    var tables: [ExactName: [Table]] = [:]
  }

  private let state = Mutex(State())
  private let hasClosed = Atomic<Bool>(false)
  /// False without a reporter: a look at the configuration copies it.
  private let isReporting: Bool

  /// Opens the store at `path`, an absolute path or one relative to the current working directory; its
  /// folder must exist.
  ///
  /// A missing file is created, readable by its owner only, and is whole when it appears; an empty one is
  /// filled. On a full disk an existing file is read, and writes fail until there is room
  /// (``StoreError/Code/full``). A file that is not a store, or was written by a newer version, is
  /// refused and left as it is. A damaged store is moved aside, never deleted, and a new one replaces it;
  /// ``health`` reports it.
  ///
  /// Cost: about a millisecond; after a boot in which the file was not closed, one read of the file.
  public init(path: String, configuration: Configuration = Configuration()) throws(StoreError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw StoreError(
        .invalidArgument("the path of a store must not be empty or hold a NUL"), .open, path: path)
    }
    if let problem = configuration.numbers.problem {
      throw StoreError(.invalidArgument(problem), .open, path: path)
    }
    let absolute = PathName.absolute(path)
    let file = DatabaseFile(
      path: absolute, access: configuration.access, busyTimeout: configuration.busyTimeout,
      maximumSize: configuration.maximumSize,
      acceptsLostWrites: configuration.acceptsLostWrites, fileSystem: configuration.fileSystem)
    storage = Storage(
      try Database(
        file, readers: configuration.maximumReaders, memory: configuration.memory,
        taskClock: configuration.taskClock, clock: configuration.clock,
        lockPatience: configuration.lockPatience), hub)
    queue = WorkQueue(taskClock: configuration.taskClock)
    puts = PutQueue(storage, queue)
    pushCommits = SharedCommits(storage.database, queue, for: .push)
    requestCommits = SharedCommits(storage.database, queue, for: .claim, .normal)
    gate = Gate(configuration)
    memory = MemoryReader(storage.database, gate, configuration)
    evidence = FetchEvidence(
      provider: configuration.reachability, random: configuration.random)
    foreign = ForeignChanges(storage, hub, evidence)
    fleet = FleetMember(configuration)
    self.path = absolute
    self.configuration = configuration
    isReporting = configuration.reporter != nil
    if configuration.evictsWhenFull, configuration.maximumSize != nil { evictWhenFull() }
    guard configuration.access == .readWrite else { return }
    do throws(StoreError) {
      try storage.releaseDead(now: configuration.clock.reading())
    } catch {
      // The next caller looks again.
    }
    if let fleet { follow(fleet) }
  }

  private func evictWhenFull() {
    let clock = configuration.clock
    let eviction = Database.Eviction(
      free: { [weak storage] (bytes, touched, connection) throws(SQLiteError) in
        try storage?.evict(bytes, besides: touched, now: clock.reading(), connection) ?? false
      })
    storage.database.eviction.withLock { $0 = eviction }
  }

  /// Has writes wait for the lock of another program up to ``Configuration/busyTimeout`` from now on, whatever
  /// ``Configuration/lockPatience`` says.
  package func bePatient() { storage.database.bePatient() }

  /// Ends every running fetch, writes pending marks and closes the file. Leases are released, so
  /// that no other store waits for them. Calling it again does nothing.
  ///
  /// In a fleet it waits for the running calls of the shared tier, no longer than the tier's own limit.
  ///
  /// Callers that wait for a fetch get an error whose ``GetError/fetchFailure`` is `cancelled`, or the
  /// copy where it may replace a failed fetch; later calls get the error `closed`. Local
  /// writes are not sent first: they stay in the file. A synchronizer's `run()` ends with the error
  /// of a closed store, so stop it before.
  ///
  /// A store that is released without it loses at most marks that the next read makes again; its
  /// leases and claims are free for others, as those of a dead process are.
  public func close() async throws(StoreError) {
    guard !hasClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    // Last: an observer that sees the end finds the file closed.
    defer { hub.finish() }
    let tables = state.withLock { $0.tables.values.flatMap { $0 } }
    for table in tables { await table.flights.cancelAll() }
    await fleet?.close()
    await foreign.close()
    let flushed = await flushMarks()
    do throws(StoreError) {
      try await giveBackOwed()
    } catch {
      // The leases of a closed store end with it.
    }
    defer { storage.ownerLock.release() }
    try await queue.run { [storage] () throws(StoreError) in try storage.database.close() }
    _ = try flushed.get()
  }

  /// Events of the file since it was opened, and the store's environment.
  public var health: StoreHealth {
    let health = storage.database.health
    return StoreHealth(
      movedAside: health.movedAside, salvagedWrites: health.salvagedWrites,
      salvagedValues: health.salvagedValues, partlyRead: health.partlyRead,
      filesReplaced: health.replaced,
      checkpointsDeferred: health.checkpointsDeferred, sqliteVersion: SQLiteLibrary.version,
      hasWALResetBug: SQLiteLibrary.hasWALResetBug, pollsForChanges: foreign.isPolling)
  }

  /// Has every change of the file noticed that comes from now on, at once. `notice` is called under the locks of the
  /// file: it must not wait, and not call the store.
  package func noticeFileChanges(_ notice: @escaping @Sendable (FileChange) -> Void) {
    storage.database.state.withLock { $0.notice = notice }
  }

  /// The new paths of damaged files, and how often the file was deleted or replaced, since it was opened.
  package var fileChanges: (movedAside: [String], replaced: Int) {
    let health = storage.database.health
    return (health.movedAside, health.replaced)
  }

  /// Damaged files beside this one whose local writes were not recovered yet.
  package var unsalvaged: [String] { storage.database.file.unsalvaged }

  /// The same for values that no source can give again.
  package var unsalvagedValues: [String] { storage.database.file.unsalvagedValues }

  /// Committed changes of all collections, from now on, until the iterating task is cancelled or
  /// the store is closed.
  ///
  /// The store's own changes come at once, in the order of its commits; those of other stores on the file, in
  /// any process, come within some milliseconds, in theirs. An observer more than `limit` changes
  /// behind loses the oldest and learns how many (``Change/missed``). A change without a key
  /// concerns many records; long work such as a prune is reported in several. The observers of a
  /// read-only store only learn that something changed (``Change/Kind/unknown``).
  ///
  /// Cost: the first observer writes to the file, some tenths of a millisecond, and waits for other
  /// writers up to 100 ms; an idle observer costs a small write every 20 s. Without observers in
  /// other stores a commit pays a look-up in an empty table.
  public func changes(buffering limit: Int = 1024) -> AsyncStream<Change> {
    changes(collection: nil, key: nil, buffering: limit)
  }

  func changes(collection: String?, key: String?, buffering limit: Int) -> AsyncStream<Change> {
    let changes = hub.changes(collection: collection, key: key, buffering: limit) {
      [weak foreign] in foreign?.leave()
    }
    if configuration.taskClock == nil { foreign.follow() }
    return changes
  }

  // MARK: Inside

  var isClosed: Bool { hasClosed.load(ordering: .acquiring) }

  /// The one table of flights for a collection and a type of value.
  func flights<Value: Sendable>(
    of collection: String, _ type: Value.Type
  ) -> FlightTable<Value> {
    state.withLock { state in
      let type = ObjectIdentifier(type)
      let known = state.tables[collection]?.first { $0.type == type }
      if let flights = known?.flights as? FlightTable<Value> { return flights }
      let flights = FlightTable<Value>()
      state.tables[collection, default: []].append(Table(type: type, flights: flights))
      return flights
    }
  }

  /// Blocks newcomers from the flights of matching keys: their results are outdated.
  func closeFlights(_ collection: String?, where matches: (String) -> Bool = { _ in true }) {
    let tables = state.withLock { state in
      collection.map { state.tables[$0] ?? [] } ?? state.tables.values.flatMap { $0 }
    }
    for table in tables { table.flights.close(where: matches) }
  }

  package func now() -> ClockReading { configuration.clock.reading() }

  /// The number that tells whether a request, or a local write, that begins now came before a wipe or an end
  /// of holds; `nil` when it cannot be read. Cost: one SELECT.
  func numberOfRequest() -> Int64? {
    do throws(StoreError) {
      return try storage.currentNumber()
    } catch {
      // The source may answer all the same, and a write will tell.
      return nil
    }
  }

  /// Waits in real time, whatever the store's clock.
  func pause(for duration: Duration) async throws {
    if let clock = configuration.taskClock {
      try await clock.sleep(for: duration)
    } else {
      try await ContinuousClock().sleep(for: duration)
    }
  }

  func report(_ event: @autoclosure () -> StoreEvent) {
    guard isReporting, let reporter = configuration.reporter else { return }
    reporter.report(event())
  }
}
