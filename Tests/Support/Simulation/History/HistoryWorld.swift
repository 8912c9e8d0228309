import FreshStore
import FreshStoreTesting
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
  var gets: [(store: Int, task: Task<Void, Never>)] = []
  var followings: [(store: Int, task: Task<Void, Never>)] = []
  /// The copies with which forms were opened, by record.
  var forms: [Int: Copy<Int>] = [:]
  /// The entries of the outbox before which the source must not see an edition.
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
