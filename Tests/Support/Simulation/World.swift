import FreshStore
import FreshStoreTesting
import FreshSync
import Strategies
import Synchronization

/// The real system: stores on one file, their clocks, their network and their source.
final class World {
  static let collection = "records"

  let setting: Setting
  let folder: TemporaryFolder
  let machine = ManualClock()
  let reachability = ScriptedReachability(.online)
  let source = SimulatedSource()
  private(set) var lives: [Life] = []
  /// Lives that are over, and may still have tasks.
  private var pastLives: [Life] = []
  private var deadRequests: [@Sendable () -> Void] = []
  private var waiting: [Caller] = []
  /// The copies with which forms were opened.
  private(set) var forms: [String: Copy<Int>] = [:]
  private let log: Log

  /// A task that waits for an answer.
  private struct Caller {
    let store: Int
    let keys: [String]
    let task: Task<Void, Never>
  }

  /// The stores' real time.
  let taskClock: ManualClock

  init(_ setting: Setting, taskClock: ManualClock) throws {
    (self.setting, self.taskClock) = (setting, taskClock)
    folder = try TemporaryFolder()
    log = Log(stores: setting.stores)
    for number in 0..<setting.stores { lives.append(try Life(number, in: self)) }
  }

  /// The operations that ended since the last question, by the number of their step.
  func takeResults() -> [Int: String] { log.takeResults() }

  /// True while steps run that are expected to end by themselves.
  var isBusy: Bool { log.isBusy }

  func isDraining(_ store: Int) -> Bool { log.isDraining(store) }

  var isDraining: Bool { lives.indices.contains(where: log.isDraining) }

  // MARK: Operations

  /// Starts a step, as step `number`.
  func begin(_ operation: Operation, _ number: Int) throws {
    switch operation {
    case .get(let store, let key, let how): get(number, store, key, how)
    case .getAll(let store, let keys, let how): getAll(number, store, keys, how)
    case .put(let store, let key, let value, let lifetime, let isTagged):
      let details = FetchDetails(expiry: lifetime.expiry, tags: tags(isTagged))
      run(number, store) { life in
        try await life.records.put(
          value, for: key, details: details, durability: value.isMultiple(of: 2) ? .full : .normal)
        return "stored"
      }
    case .remove(let store, let key):
      run(number, store) { "\(try await $0.records.remove(key))" }
    case .mark(let store, let scope): mark(number, store, scope)
    case .write(let store, let key, let kind, let value, let coalesces):
      write(number, store, key, kind, value, WriteOptions(coalesces: coalesces))
    case .open(let store, let key): forms[key] = try lives[store].records.read(key).copy
    case .save(let store, let key, let value, let isDeletion, let coalesces):
      write(
        number, store, key, isDeletion ? .delete : .replace, value,
        WriteOptions(coalesces: coalesces), basedOn: forms[key])
    case .increment(let store, let key):
      run(number, store) { life in
        let entry = try await life.records.update(key) { $0 = ($0 ?? 0) + 1 }
        return entry.map { "\($0.id)" } ?? "nothing"
      }
    case .push(let store, let count): push(store, count)
    case .drain(let store): drain(store)
    case .sweep(let store):
      run(number, store) { life in
        _ = try await life.store.sweep()
        return "swept"
      }
    case .hold(let store, let origin):
      run(number, store) { life in
        try await life.store.hold(Origin(origin), because: "nobody is signed in")
        return "held"
      }
    case .release(let store, let origin):
      run(number, store) { life in
        try await life.store.endPause(origin: Origin(origin))
        return "released"
      }
    case .endPauses(let store):
      run(number, store) { life in
        try await life.store.endPauses()
        return "ended"
      }
    case .wipe(let store):
      forms = [:]
      run(number, store) { life in
        try await life.store.wipe()
        return "wiped"
      }
    case .cancel(let store, let key):
      for caller in waiting where caller.store == store && caller.keys.contains(key) {
        caller.task.cancel()
      }
      waiting.removeAll { $0.store == store && $0.keys.contains(key) }
    case .answer, .answerLate, .settle, .enqueue, .retry, .correct, .drop: break
    case .advance, .stepWall, .suspend, .reboot, .network, .reopen, .kill:
      try trouble(operation, number)
    }
  }

  private func tags(_ isTagged: Bool?) -> Set<String>? { isTagged.map { $0 ? ["tag"] : [] } }

  /// Runs an operation that ends by itself.
  private func run(
    _ number: Int, _ store: Int, _ body: @escaping @Sendable (Life) async throws -> String
  ) {
    let (life, log) = (lives[store], log)
    log.begin()
    Task {
      let words: String
      do {
        words = try await body(life)
      } catch let error as StoreError {
        words = World.words(error)
      } catch {
        words = "\(error)"
      }
      log.end(number, words)
    }
  }

  /// Errors that the model foresees have a name.
  private static func words(_ error: StoreError) -> String {
    switch error.code {
    case .pendingWrite: "pendingWrite"
    case .busy where error.sqlite == nil, .beingPushed: "busy"
    case .invalidArgument: "invalidArgument"
    default: "\(error)"
    }
  }

  private func get(_ number: Int, _ store: Int, _ key: String, _ how: How) {
    let (life, log, source, age) = (lives[store], log, source, log.generation(store))
    let policy = [.plain, .renew, .refresh].contains(how) ? nil : setting.policy(how)
    let fetch: @Sendable (Previous<Int>) async throws -> Fetched<Int> = {
      try await source.fetch($0, by: store, isBySync: false)
    }
    let task = Task {
      let words: String
      do throws(GetError) {
        let answer =
          switch how {
          case .refresh: try await life.records.refresh(key, fetch: fetch)
          case .renew: try await life.records.renew(key, fetch: fetch)
          default: try await life.records.get(key, policy: policy, fetch: fetch)
          }
        words = World.words(.success(answer))
      } catch {
        words = World.words(.failure(error))
      }
      log.note(number, words, from: store, age)
    }
    waiting.append(Caller(store: store, keys: [key], task: task))
  }

  private func getAll(_ number: Int, _ store: Int, _ keys: [String], _ how: How) {
    let (life, log, source, age) = (lives[store], log, source, log.generation(store))
    let policy = how == .plain ? nil : setting.policy(how)
    let fetch: @Sendable ([Previous<Int>]) async throws -> [String: Fetched<Int>] = {
      try await source.fetch($0, by: store, isBySync: false)
    }
    let task = Task {
      let results =
        how == .refresh
        ? await life.records.refresh(keys, fetch: fetch)
        : await life.records.get(keys, policy: policy, fetch: fetch)
      log.note(number, World.words(results.mapValues(World.words)), from: store, age)
    }
    waiting.append(Caller(store: store, keys: keys, task: task))
  }

  private static func words(_ result: Result<Answer<Int>, GetError>) -> String {
    switch result {
    case .success(let answer):
      "\(answer.freshness.rawValue) \(answer.value)"
        + (answer.storeFailure == nil ? "" : ", not stored")
    case .failure(let error): "error \(error.code)"
    }
  }

  /// The result of a get of several keys.
  static func words(_ answers: [String: String]) -> String {
    answers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "; ")
  }

  private func mark(_ number: Int, _ store: Int, _ scope: Scope) {
    run(number, store) { life in
      switch scope {
      case .key(let key): return "\(try await life.records.markStale(key))"
      case .tag: try await life.store.markStale(tag: "tag")
      case .prefix(let prefix): try await life.records.markStale(prefix: prefix)
      case .collection: try await life.records.markAllStale()
      }
      return "true"
    }
  }

  func write(
    _ number: Int, _ store: Int, _ key: String, _ kind: OutboxEntry.Kind, _ value: Int,
    _ options: WriteOptions, basedOn base: Copy<Int>? = nil
  ) {
    run(number, store) { life in
      let records = life.records
      let entry: OutboxEntry?
      switch (kind, base?.basis) {
      case (.delete, let basis?):
        entry = try await records.writeDeletion(of: key, basedOn: basis, options: options)
      case (.delete, nil): entry = try await records.writeDeletion(of: key, options: options)
      case (.create, _):
        entry = try await records.write(value, for: key, as: .create, options: options)
      case (_, let basis?):
        entry = try await records.write(value, for: key, basedOn: basis, options: options).entry
      case (_, nil): entry = try await records.write(value, for: key, options: options)
      }
      return entry.map { "\($0.id)" } ?? "nothing"
    }
  }

  private func push(_ store: Int, _ count: Int) {
    let (life, source, conflicts) = (lives[store], source, setting.conflictPolicy)
    Task {
      // A store that was killed meanwhile has none to push; the outcome of the others is seen in the
      // outbox.
      let due = (try? await life.store.dueWrites(limit: count, holding: Setting.holding)) ?? []
      for write in due {
        Task {
          await life.records.push([write], conflicts: conflicts) {
            try await source.push($0, by: store, isBySync: false)
          }
        }
      }
    }
  }

  private func drain(_ store: Int) {
    guard log.beginDraining(store) else { return }
    let (life, log) = (lives[store], log)
    Task {
      do {
        _ = try await life.synchronizer.drain()
        log.endDraining(store, nil)
      } catch {
        log.endDraining(store, "\(error)")
      }
    }
  }

  /// Retries or drops a local write.
  func change(_ number: Int, _ entry: OutboxEntry.ID, drops: Bool) {
    run(number, 0) { life in
      if drops {
        _ = try await life.store.drop([entry])
        return "dropped"
      }
      try await life.store.retry([entry])
      return "retried"
    }
  }

  func correct(_ number: Int, _ entry: OutboxEntry.ID, to value: Int) {
    run(number, 0) { life in
      while true {
        guard let seen = try life.store.localWrite(entry)?.entry else { return "gone" }
        do throws(StoreError) {
          let corrected = try await life.records.correct(seen, to: value)
          return corrected == nil ? "gone" : "corrected"
        } catch {
          // Something came in between the look and the correction.
          guard error.code == .changedMeanwhile else { throw error }
        }
      }
    }
  }

  // MARK: Trouble

  private func trouble(_ operation: Operation, _ number: Int) throws {
    switch operation {
    case .advance(let seconds):
      machine.advance(by: .seconds(seconds))
      for life in lives { life.awake.advance(by: .seconds(seconds)) }
    case .stepWall(let seconds):
      machine.stepWall(by: .seconds(seconds))
      keepTime()
    case .suspend(let seconds): machine.advance(by: .seconds(seconds))
    case .reboot(let seconds):
      machine.reboot(after: .seconds(seconds))
      for store in lives.indices { try kill(store) }
      keepTime()
    case .network(let isOffline): reachability.set(isOffline ? .offline("cut") : .online)
    case .reopen(let store):
      run(number, store) { life in
        try await life.store.close()
        return "closed"
      }
    case .kill(let store): try kill(store)
    default: break
    }
  }

  /// A task with work to do notices the new time; here one does at once.
  private func keepTime() {
    let store = lives[0].store
    Task { try await store.keepTime() }
  }

  private func kill(_ store: Int) throws {
    log.bury(store)
    deadRequests += source.forget(store)
    waiting.removeAll { $0.store == store }
    try restart(store)
  }

  /// Starts another life of a process.
  func restart(_ store: Int) throws {
    pastLives.append(lives[store])
    lives[store] = try Life(store, in: self)
  }

  // MARK: The end

  /// Ends all remaining work.
  func end() {
    for store in lives.indices { deadRequests += source.forget(store) }
    for end in deadRequests { end() }
    for life in pastLives + lives {
      life.awake.advance(by: .seconds(1_000_000))
      log.begin()
      Task { [log] in
        // The file is not read any more.
        try? await life.store.close()
        log.end(0, "closed")
      }
    }
  }

  /// Checks the whole file.
  func check(_ number: Int) {
    run(number, 0) { life in
      let check = try await life.store.check()
      return check.isSound ? "sound" : "\(check)"
    }
  }
}
