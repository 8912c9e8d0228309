import FreshStore
import FreshStoreTesting
import FreshSync
import Strategies

/// The real system: stores on one file, with a synchronizer each, and their common source; in a fleet on one file for
/// each host.
final class HistoryWorld {
  let setting: HistorySetting
  let folder: TemporaryFolder
  /// The clocks of the hosts.
  let machines: [ManualClock]
  /// The fleet that the hosts share; `nil` for a single host.
  let fleet: HistoryFleet?
  let taskClock: ManualClock
  let history: History
  let source: HistorySource
  private(set) var lives: [HistoryLife] = []
  private(set) var isOffline = false
  private var pastLives: [HistoryLife] = []
  private var deadRequests: [@Sendable () -> Void] = []
  var gets: [(store: Int, task: Task<Void, Never>)] = []
  var followings: [(store: Int, task: Task<Void, Never>)] = []
  /// The copies with which forms were opened, by host and record.
  var forms: [Int: [Int: Copy<Int>]] = [:]
  /// The entries of its host's outbox before which the source must not see an edition.
  var predecessors: [Int: OutboxEntry.ID] = [:]
  var getCount = 0
  var hasStepped = false
  var hasSwept = false
  /// True once a process has died that held something.
  private(set) var hasKilled = false
  /// True once another program has had the file locked.
  var wasLocked = false
  let log: Log

  init(_ setting: HistorySetting, taskClock: ManualClock, flaw: HistoryFlaw?) throws {
    (self.setting, self.taskClock) = (setting, taskClock)
    folder = try TemporaryFolder()
    machines = Self.machines(setting)
    let history = History(machine: machines[0], hosts: setting.hosts)
    self.history = history
    fleet = setting.fleet.map { fleet in
      HistoryFleet(
        fleet, history, stores: setting.stores, hasTwins: setting.hasTwins, flaw: flaw)
    }
    source = HistorySource(history, setting, laws: fleet?.laws, flaw: flaw)
    log = Log(stores: setting.stores)
    for number in 0..<setting.stores { lives.append(try HistoryLife(number, in: self)) }
  }

  /// Each host has been up for a time of its own, and shows a time of its own.
  private static func machines(_ setting: HistorySetting) -> [ManualClock] {
    (setting.fleet?.clocks ?? [0]).enumerated().map { host, seconds in
      let machine = ManualClock()
      machine.advance(by: .seconds(host * 12_345))
      machine.stepWall(by: .seconds(seconds - host * 12_345))
      return machine
    }
  }

  /// The clock of the host of a store.
  func machine(of store: Int) -> ManualClock { machines[setting.host(of: store)] }

  /// The file of a host.
  func file(of host: Int) -> String { folder.file(host == 0 ? "store.db" : "host-\(host).db") }

  /// The first store of each host.
  var firstLives: [HistoryLife] { Array(lives.prefix(setting.hosts)) }

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
    case .open(let store, let record):
      forms[setting.host(of: store), default: [:]][record] = try lives[store].read(record).copy
    case .save(let store, let record, let coalesces, let isDeletion):
      guard let form = forms[setting.host(of: store)]?[record] else { return }
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
      pass(seconds)
      fleet?.noteAwake(for: seconds)
      for (store, life) in lives.enumerated()
      where fleet?.isDozing(setting.host(of: store)) != true {
        life.awake.advance(by: .seconds(seconds))
      }
      fleet?.tick()
    case .suspend(let seconds): pass(seconds)
    case .stepWall(let seconds):
      for machine in machines { machine.stepWall(by: .seconds(seconds)) }
      history.forgiveTakes()
      fleet?.laws.forgivePauses()
      hasStepped = true
    case .fleet(.stepWall(let host, let seconds)):
      guard host < setting.hosts else { return }
      machines[host].stepWall(by: .seconds(seconds))
      history.forgiveTakes()
      fleet?.laws.forgivePauses()
      hasStepped = true
    case .fleet(let event):
      // A restore asks what the hosts know.
      try judgeFleet()
      fleet?.begin(event)
    case .network(let isOffline):
      self.isOffline = isOffline
      history.note(isOffline: isOffline)
      fleet?.laws.forgivePauses()
      for life in lives { life.reachability.set(isOffline ? .offline("cut") : .online) }
    case .kill(let store):
      hasKilled = true
      deadRequests += source.forget(store)
      log.bury(store)
      gets.removeAll { $0.store == store }
      followings.removeAll { $0.store == store }
      fleet?.bury(store)
      pastLives.append(lives[store])
      lives[store] = try HistoryLife(store, in: self)
    default: break
    }
  }

  /// Lets time pass on every clock, and nobody's alarm ring.
  private func pass(_ seconds: Int) {
    for machine in machines { machine.advance(by: .seconds(seconds)) }
    fleet?.clock.advance(by: .seconds(seconds))
    history.noteTime()
  }

  private static func cancel(_ tasks: inout [(store: Int, task: Task<Void, Never>)], _ store: Int) {
    for task in tasks where task.store == store { task.task.cancel() }
    tasks.removeAll { $0.store == store }
  }

  /// Runs an operation that ends by itself; one that fails is not acknowledged.
  func run(
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

  func run(_ store: Int, _ body: @escaping @Sendable (HistoryLife) async throws -> Void) {
    run(store) { life in
      try await body(life)
      return ""
    }
  }

  /// Ends all remaining work.
  func end() {
    for store in lives.indices { deadRequests += source.forget(store) }
    for end in deadRequests { end() }
    fleet?.end()
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
