import FreshStore
import FreshStoreTesting
internal import FreshStoreTools
import FreshSync
import Strategies

/// The real system: stores on one file, with a synchronizer each, and their common source.
final class HistoryWorld {
  let setting: HistorySetting
  let folder: TemporaryFolder
  let machine = ManualClock()
  let taskClock: ManualClock
  let history: History
  let source: HistorySource
  private(set) var lives: [HistoryLife] = []
  private(set) var isOffline = false
  private var pastLives: [HistoryLife] = []
  private var deadRequests: [@Sendable () -> Void] = []
  private var gets: [(store: Int, task: Task<Void, Never>)] = []
  private var followings: [(store: Int, task: Task<Void, Never>)] = []
  /// The copies with which forms were opened, by record.
  private var forms: [Int: Copy<Int>] = [:]
  /// The entries of the outbox before which the source must not see an edition.
  private var predecessors: [Int: OutboxEntry.ID] = [:]
  private var getCount = 0
  private var hasStepped = false
  private var hasSwept = false
  /// True once a process has died that held something.
  private(set) var hasKilled = false
  /// True once another program has had the file locked.
  var wasLocked = false
  private let log: Log

  init(_ setting: HistorySetting, taskClock: ManualClock, flaw: HistoryFlaw?) throws {
    (self.setting, self.taskClock) = (setting, taskClock)
    folder = try TemporaryFolder()
    history = History(machine: machine)
    source = HistorySource(history, setting, flaw: flaw)
    log = Log(stores: setting.stores)
    for number in 0..<setting.stores { lives.append(try HistoryLife(number, in: self)) }
  }

  /// True while a step runs that ends by itself.
  var isBusy: Bool { log.isBusy }

  /// The results of some operations, by the number under which they were begun.
  func takeResults() -> [Int: String] { log.takeResults() }

  // MARK: Operations

  /// Starts a step.
  func begin(_ operation: HistoryOperation) throws {
    if let store = operation.store, store >= lives.count { return }
    switch operation {
    case .get(let store, let record, let isForced): get(store, record, isForced: isForced)
    case .getAll(let store, let collection): getAll(store, collection)
    case .cancelGets(let store): Self.cancel(&gets, store)
    case .mark(let store, let scope): mark(store, scope)
    case .put(let store, let record): put(store, record)
    case .remove(let store, let record):
      remove(store, [record]) { life in
        _ = try await life.collections[Place.collection(record)].remove(Place.key(record))
      }
    case .removeAll(let store, let collection):
      remove(store, Place.records(of: collection)) { life in
        _ = try await life.collections[collection].removeAll()
      }
    case .prune(let store, let leaves):
      var options = PruneOptions()
      options.maximumCount = leaves
      remove(store, 0..<Place.count) { [options] in _ = try await $0.store.prune(options) }
    case .sweep(let store):
      hasSwept = true
      run(store) { _ = try await $0.store.sweep() }
    case .wipe(let store): wipe(store)
    case .take(let store, let record, let age): try take(store, record, age)
    case .write(let store, let record, let coalesces, let isDeletion):
      write(store, record, WriteOptions(coalesces: coalesces, tags: Place.tags(record)), isDeletion)
    case .open(let store, let record): forms[record] = try lives[store].read(record).copy
    case .save(let store, let record, let coalesces, let isDeletion):
      guard let form = forms[record] else { return }
      let options = WriteOptions(coalesces: coalesces, tags: Place.tags(record))
      write(store, record, options, isDeletion, basedOn: form)
    case .update(let store, let record): update(store, record)
    case .enqueue(let store, let record, let priority, let after):
      try enqueue(store, record, priority, after)
    case .push(let store, let count): push(store, count)
    case .retry: retry()
    case .correct(let which): try correct(which)
    case .drop(let which): try drop(which)
    case .hold(let store, let collection): hold(store, collection)
    case .release(let store, let collection):
      release(store, collection...collection) { life in
        _ = try await life.store.endPause(origin: HistoryLife.origin(collection))
      }
    case .endPauses(let store):
      release(store, 0...1) { life in _ = try await life.store.endPauses() }
    case .follow(let store, let collection): follow(store, collection)
    case .cancelFollowing(let store): Self.cancel(&followings, store)
    case .run(let store): run(store)
    case .stop(let store): lives[store].synchronizer.requestStop()
    default: try happen(operation)
    }
  }

  /// Events outside the stores.
  private func happen(_ operation: HistoryOperation) throws {
    switch operation {
    case .change(let record): history.change(record)
    case .erase(let record): history.erase(record)
    case .relist(let record): history.relist(record)
    case .answer(let kind, let which, let manner):
      let waiting = source.waiting(kind)
      if !waiting.isEmpty { waiting[which % waiting.count].answer(manner) }
    case .arrive(let which):
      let waiting = source.waiting(.push)
      if !waiting.isEmpty { waiting[which % waiting.count].arrive?() }
    case .advance(let seconds):
      machine.advance(by: .seconds(seconds))
      for life in lives { life.awake.advance(by: .seconds(seconds)) }
    case .suspend(let seconds): machine.advance(by: .seconds(seconds))
    case .stepWall(let seconds):
      machine.stepWall(by: .seconds(seconds))
      history.forgiveTakes()
      hasStepped = true
    case .network(let isOffline):
      self.isOffline = isOffline
      history.note(isOffline: isOffline)
      for life in lives { life.reachability.set(isOffline ? .offline("cut") : .online) }
    case .kill(let store):
      hasKilled = true
      deadRequests += source.forget(store)
      log.bury(store)
      gets.removeAll { $0.store == store }
      followings.removeAll { $0.store == store }
      pastLives.append(lives[store])
      lives[store] = try HistoryLife(store, in: self)
    default: break
    }
  }

  private static func cancel(_ tasks: inout [(store: Int, task: Task<Void, Never>)], _ store: Int) {
    for task in tasks where task.store == store { task.task.cancel() }
    tasks.removeAll { $0.store == store }
  }

  /// Runs an operation that ends by itself; one that fails is not acknowledged.
  private func run(
    _ store: Int, number: Int? = nil,
    _ body: @escaping @Sendable (HistoryLife) async throws -> String
  ) {
    let (life, log) = (lives[store], log)
    log.begin()
    Task {
      let words: String
      do { words = try await body(life) } catch { words = "failed: \(error)" }
      log.end(number ?? 0, words)
    }
  }

  private func run(_ store: Int, _ body: @escaping @Sendable (HistoryLife) async throws -> Void) {
    run(store) { life in
      try await body(life)
      return ""
    }
  }

  // MARK: Gets

  private func get(_ store: Int, _ record: Int, isForced: Bool) {
    let (life, history, source) = (lives[store], history, source)
    let collection = Place.collection(record)
    getCount += 1
    let variant = setting.hasVariants == true ? 1 + getCount % 2 : 0
    let task = Task {
      await HistoryWorld.get(
        life, record, variant: variant, isForced: isForced, history, by: store
      ) { previous in
        let answers = try await source.fetch(
          [previous], collection, variant: variant, isForced: isForced, by: store)
        guard let answer = answers[previous.key] else { throw SourceFailure() }
        return answer
      }
    }
    gets.append((store, task))
  }

  private static func get(
    _ life: HistoryLife, _ record: Int, variant: Int, isForced: Bool, _ history: History,
    by store: Int,
    fetch: @escaping @Sendable (Previous<Int>) async throws -> Fetched<Int>
  ) async {
    let ground = history.ground(record)
    let (records, key) = (life.collections[Place.collection(record)], Place.key(record))
    var policy: Policy?
    if variant != 0 {
      policy = records.policy
      policy?.acceptsVariant = { $0 == nil || $0 == "\(variant)" }
    }
    do throws(GetError) {
      let answer =
        isForced
        ? try await records.refresh(key, policy: policy, fetch: fetch)
        : try await records.get(key, policy: policy, fetch: fetch)
      let own = HistorySource.variant(answer.value)
      if variant != 0, own != 0, own != variant {
        history.find(
          "a get by store \(store) is handed variant \(own) of \(Place.words(record)), and accepts "
            + "\(variant) alone")
      }
      judge(answer, record, ground, history, by: "a get by store \(store)")
    } catch {
      // A get may fail; the state of the store shows any error.
    }
  }

  private func getAll(_ store: Int, _ collection: Int) {
    let (life, history, source) = (lives[store], history, source)
    let task = Task {
      await HistoryWorld.getAll(life, collection, history, by: store) {
        try await source.fetch($0, collection, by: store)
      }
    }
    gets.append((store, task))
  }

  private static func getAll(
    _ life: HistoryLife, _ collection: Int, _ history: History, by store: Int,
    fetch: @escaping @Sendable ([Previous<Int>]) async throws -> [String: Fetched<Int>]
  ) async {
    let records = Place.records(of: collection).filter(Place.isListable)
    let grounds = records.map(history.ground)
    let results = await life.collections[collection].get(records.map(Place.key), fetch: fetch)
    for (record, ground) in zip(records, grounds) {
      guard case .success(let answer) = results[Place.key(record)] else { continue }
      judge(answer, record, ground, history, by: "a get of all by store \(store)")
    }
  }

  private static func judge(
    _ answer: Answer<Int>, _ record: Int, _ ground: History.Ground, _ history: History,
    by who: String
  ) {
    // A get that waits while the network is lost returns a copy that is usable offline.
    guard !answer.freshness.isStale, !history.isOffline else { return }
    let value = HistorySource.edition(answer.value)
    history.judge(kept: value, ground, by: who)
    let isLocal = answer.decision?.cause == .pendingWrite
    if answer.freshness == .fresh {
      history.judge(fresh: value, of: record, isLocal: isLocal, ground, by: who)
    } else {
      history.judge(value, of: record, isLocal: isLocal, ground, by: who)
    }
  }

  /// Reads every record in every store.
  func readAll() {
    for (store, life) in lives.enumerated() {
      for record in 0..<Place.count {
        let ground = history.ground(record)
        do throws(StoreError) {
          let reading = try life.read(record)
          if let copy = reading.copy {
            history.judge(
              kept: HistorySource.edition(copy.value), ground, by: "a read by store \(store)")
          }
          guard case .fresh(let copy) = reading, copy.decision.outcome == .fresh else { continue }
          history.judge(
            fresh: HistorySource.edition(copy.value), of: record,
            isLocal: copy.decision.cause == .pendingWrite, ground, by: "a read by store \(store)")
        } catch {
          history.find("store \(store) cannot be read: \(error)")
        }
      }
    }
  }

  // MARK: Marks, puts, removals, imports

  private func mark(_ store: Int, _ scope: HistoryOperation.Scope) {
    let (history, event) = (history, history.event())
    run(store) { life in
      switch scope {
      case .record(let record):
        let records = life.collections[Place.collection(record)]
        // A mark that covers nothing is not remembered.
        guard try await records.markStale(Place.key(record)) else { return }
      case .tag: try await life.store.markStale(tag: "tag")
      case .prefix(let collection):
        try await life.collections[collection].markStale(prefix: Place.prefix)
      case .collection(let collection): try await life.collections[collection].markAllStale()
      }
      history.marked(scope, since: event)
    }
  }

  private func put(_ store: Int, _ record: Int) {
    guard let edition = history.edition(of: record) else { return }
    let event = history.event()
    // The caller decides how late it lands.
    history.brought(edition, event...Int.max)
    var details = Place.details(edition, of: record)
    details.lastUpdate = machine.reading().wall
    let history = history
    history.puts(record)
    history.bring(edition)
    run(store) { [details] life in
      defer {
        history.puts(record, -1)
        history.arrived(edition)
      }
      try await life.collections[Place.collection(record)].put(
        edition, for: Place.key(record), details: details)
    }
  }

  private func wipe(_ store: Int) {
    let (history, event) = (history, history.event())
    history.beginWipe()
    forms = [:]
    run(store) { life in
      defer { history.endWipe() }
      _ = try await life.store.wipe()
      history.wiped(since: event)
    }
  }

  private func remove(
    _ store: Int, _ records: some Sequence<Int> & Sendable,
    _ body: @escaping @Sendable (HistoryLife) async throws -> Void
  ) {
    let history = history
    history.forget(records)
    run(store) { life in
      do {
        try await body(life)
        history.forget(records)
      } catch {
        history.forget(records)
      }
    }
  }

  /// Imports a copy that another store exported this many changes ago.
  private func take(_ store: Int, _ record: Int, _ age: Int) throws {
    let (event, edition, since) = history.earlier(record, age)
    guard let edition else { return }
    // Within one moment, and after a step of the wall clock, the order of two copies is unknown.
    history.brought(edition, -1...(hasStepped ? Int.max : event))
    if history.isGone(record) {
      history.forgive(edition)
    } else if hasSwept {
      switch try lives[store].read(record) {
      case .missing: history.forgive(edition)
      // It was imported as a first copy itself.
      case .fresh(let copy) where history.isForgiven(copy.value): history.forgive(edition)
      default: break
      }
    }
    let wall = machine.reading().wall.millisecondsSinceEpoch - (history.time - since)
    let lifetime = Place.lifetime(edition).map { "\($0)" } ?? #""never""#
    let tags = Place.isTagged(record) ? #"["tag"]"# : "[]"
    let name = Place.collections(hasTwins: setting.hasTwins)[Place.collection(record)]
    let lines = """
      {"format":"freshstore-export","version":1}
      {"collection":"\(name)","key":"\(Place.key(record))",\
      "text":"\(edition)","lastUpdate":\(wall),"expiry":\(lifetime),"codec":"json",\
      "entityTag":"\\"\(edition)\\"","tags":\(tags)}

      """
    let history = history
    history.takes(edition, 1)
    history.bring(edition)
    run(store) { life in
      defer {
        history.takes(edition, -1)
        history.arrived(edition)
      }
      var importer = life.store.importer()
      try await importer.take(Array(lines.utf8)[...])
      _ = try await importer.finish()
    }
  }

  // MARK: Local writes

  private func write(
    _ store: Int, _ record: Int, _ options: WriteOptions, _ isDeletion: Bool,
    basedOn form: Copy<Int>? = nil
  ) {
    let history = history
    let base = form.map { History.Base.edition(HistorySource.edition($0.value)) } ?? .unsaid
    let (number, value) = history.beginWrite(record, isDeletion: isDeletion, from: base)
    if let value { predecessors[value] = options.after }
    run(store) { life in
      let (records, key) = (life.collections[Place.collection(record)], Place.key(record))
      let entry: OutboxEntry?
      switch (value, form?.basis) {
      case (let value?, let basis?):
        entry = try await records.write(value, for: key, basedOn: basis, options: options).entry
      case (let value?, nil): entry = try await records.write(value, for: key, options: options)
      case (nil, let basis?):
        entry = try await records.writeDeletion(of: key, basedOn: basis, options: options)
      case (nil, nil): entry = try await records.writeDeletion(of: key, options: options)
      }
      history.acknowledge(write: number, entry?.idempotencyKey)
    }
  }

  private func enqueue(_ store: Int, _ record: Int, _ priority: Int, _ after: Int?) throws {
    let waiting = try lives[store].store.outbox().map(\.id)
    let before = waiting.isEmpty ? nil : after.map { waiting[$0 % waiting.count] }
    let options = WriteOptions(tags: Place.tags(record), priority: priority, after: before)
    write(store, record, options, false)
  }

  /// Nothing is under way before what it comes after, and nothing waits from before a wipe.
  func judgeOutbox() throws {
    let entries = try lives[0].store.outbox()
    history.judge(waiting: Set(entries.map(\.idempotencyKey)))
    let waiting = Set(entries.map(\.id))
    for entry in entries where entry.state == .pushing {
      guard let after = entry.after, after < entry.id, waiting.contains(after) else { continue }
      history.find("the local write \(entry.id) is pushed before \(after), after which it comes")
    }
    for push in source.waiting(.push) {
      guard let edition = push.edition, let before = predecessors[edition],
        waiting.contains(before)
      else { continue }
      history.find("edition \(edition) is at the source before the local write \(before)")
    }
  }

  private func update(_ store: Int, _ record: Int) {
    let (history, options) = (history, WriteOptions(tags: Place.tags(record)))
    run(store) { life in
      let (number, value) = history.beginWrite(record, isDeletion: false)
      let records = life.collections[Place.collection(record)]
      let entry = try await records.update(Place.key(record), options: options) { present in
        history.make(write: number, from: present.map(HistorySource.edition))
        present = value
      }
      history.acknowledge(write: number, entry?.idempotencyKey)
    }
  }

  private func push(_ store: Int, _ count: Int) {
    let (life, source) = (lives[store], source)
    Task {
      // A failure is seen in the outbox.
      let due =
        (try? await life.store.dueWrites(limit: count, holding: HistoryLife.holding)) ?? []
      for write in due {
        Task {
          let name = write.entry.collection
          guard let record = Place.record(name, write.entry.key) else { return }
          let collection = Place.collection(record)
          _ = await life.collections[collection].push(
            [write], conflicts: HistoryLife.conflicts(source, collection, store)
          ) {
            try await source.push($0, collection, by: store)
          }
        }
      }
    }
  }

  private func retry() {
    run(0) { life in
      let parked = try life.store.outbox(state: .parked)
      try await life.store.retry(parked.map(\.id))
    }
  }

  private func correct(_ which: Int) throws {
    let entries = try lives[0].store.outbox().filter { $0.kind != .delete }
    guard !entries.isEmpty else { return }
    let entry = entries[which % entries.count]
    guard let record = Place.record(entry.collection, entry.key) else { return }
    let history = history
    let (number, value) = history.beginCorrection(record, of: entry.idempotencyKey)
    run(0) { life in
      let records = life.collections[Place.collection(record)]
      let corrected = try await records.correct(entry, to: value)
      history.acknowledge(write: number, corrected?.idempotencyKey)
    }
  }

  private func drop(_ which: Int) throws {
    let entries = try lives[0].store.outbox()
    guard !entries.isEmpty else { return }
    let entry = entries[which % entries.count]
    guard let record = Place.record(entry.collection, entry.key) else { return }
    history.dropped(record)
    let history = history
    run(0) { life in
      // An entry keeps its number when another write replaces it before it is dropped.
      defer { history.dropped(record) }
      _ = try await life.store.drop([entry.id])
    }
  }

  // MARK: Holds

  private func hold(_ store: Int, _ collection: Int) {
    guard setting.isGuarded else { return }
    let (history, releases) = (history, history.releases)
    run(store) { life in
      try await life.store.hold(HistoryLife.origin(collection), because: "nobody is signed in")
      history.held(collection, after: releases)
    }
  }

  private func release(
    _ store: Int, _ collections: ClosedRange<Int>,
    _ body: @escaping @Sendable (HistoryLife) async throws -> Void
  ) {
    let history = history
    history.beginRelease(collections)
    run(store) { life in
      defer { history.endRelease() }
      try await body(life)
    }
  }

  // MARK: Lists and synchronizers

  private func follow(_ store: Int, _ collection: Int) {
    let (life, source) = (lives[store], source)
    let task = Task {
      do throws(GetError) {
        _ = try await life.collections[collection].follow(Place.list) {
          try await source.list($0, collection, by: store)
        }
      } catch {
        // The next one asks again.
      }
    }
    followings.append((store, task))
  }

  private func run(_ store: Int) {
    guard log.beginDraining(store) else { return }
    let (life, log, age) = (lives[store], log, log.generation(store))
    Task {
      var failure: String?
      do throws(SyncError) {
        try await life.synchronizer.run()
      } catch {
        failure = "\(error)"
      }
      if log.generation(store) == age { log.endDraining(store, failure) }
    }
  }

  // MARK: The end

  /// Removes all obstacles: everything is answered at once, and all synchronizers run.
  func beginToEnd() throws {
    try begin(.network(isOffline: false))
    source.beginToAnswer()
    if try !lives[0].store.holds().isEmpty { try begin(.endPauses(store: 0)) }
    try begin(.retry)
    for store in lives.indices { try begin(.run(store: store)) }
  }

  /// Restarts a synchronizer that was stopped, and that waited at first for hanging requests.
  func keepRunning() throws {
    guard setting.trouble == .hangs else { return }
    for store in lives.indices { try begin(.run(store: store)) }
  }

  /// Overdue work: requests that should have been sent by now.
  func waiting() throws -> String? {
    let life = lives[0]
    let writes = sendable(try life.store.outbox())
    if let write = writes.first {
      let record = Place.record(write.collection, write.key).map(Place.words) ?? write.key
      return "\(writes.count) local writes wait, one of \(record), \(write.state), "
        + "sent \(write.attempts) times"
    }
    // A list some of whose members were removed here comes whole the next time; a list whose follower has
    // gone before the answer came is asked for again.
    let told = source.listsTold
    for list in [0, 1] where !(setting.trouble == .hangs && list == 1) {
      let cursor = try life.collections[list].listCursor(Place.list)
      if cursor == nil || cursor != told[list] { return "a list is not followed" }
    }
    // The queue of a misbehaving source never ends.
    guard setting.trouble == nil else { return try holes() }
    guard let due = try life.store.backlog().nextDue else { return nil }
    return "a record waits for its refetch since "
      + "\(machine.reading().wall.duration(since: due)) ago"
  }

  /// The entries that no misbehaving source holds up, neither their own nor that of one before them.
  private func sendable(_ entries: [OutboxEntry]) -> [OutboxEntry] {
    var (blocked, records): (Set<OutboxEntry.ID>, Set<Int>) = ([], [])
    return entries.filter { entry in
      let record = Place.record(entry.collection, entry.key)
      let isBlocked =
        record.map { source.isTroubled($0) || records.contains($0) } ?? false
        || entry.after.map { blocked.contains($0) } ?? false
      guard isBlocked else { return true }
      blocked.insert(entry.id)
      if let record { records.insert(record) }
      return false
    }
  }

  /// A synchronizer that is held up by its store, although the store works.
  func heldUp() -> String? {
    guard !wasLocked else { return nil }
    for (store, life) in lives.enumerated() {
      if let failure = life.synchronizer.status.failure {
        return "the synchronizer of store \(store) leaves its store alone: \(failure)"
      }
    }
    return nil
  }

  /// The records whose local writes have not arrived, and are not expected to have arrived.
  func held() throws -> Set<Int> {
    Set(try lives[0].store.outbox().compactMap { Place.record($0.collection, $0.key) })
  }

  /// Members of lists that are missing, although their lists were followed.
  func holes() throws -> String? {
    // A deletion that cannot be sent shows the record as gone.
    let held = try held()
    for (store, life) in lives.enumerated() {
      for record in 0..<Place.count
      where history.isOnList(record) && !source.isTroubled(record) && !held.contains(record) {
        if case .missing(let decision) = try life.read(record) {
          return "store \(store) has nothing of \(Place.words(record)), which is on its list: "
            + "\(decision.cause)"
        }
      }
    }
    return nil
  }

  /// Checks the whole file.
  func check(_ number: Int) {
    run(0, number: number) { life in
      let check = try await life.store.check()
      return check.isSound ? "sound" : "\(check)"
    }
  }

  /// Ends all remaining work.
  func end() {
    for store in lives.indices { deadRequests += source.forget(store) }
    for end in deadRequests { end() }
    for life in pastLives + lives {
      life.synchronizer.requestStop()
      life.awake.advance(by: .seconds(1_000_000))
      log.begin()
      Task { [log] in
        // The file is not read any more.
        try? await life.store.close()
        log.end(0, "closed")
      }
    }
  }
}
