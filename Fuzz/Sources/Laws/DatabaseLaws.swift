import FreshStore
import FreshStoreTools
import Strategies

/// The laws that opening, checking and recovering a file keep for any contents.
struct DatabaseLaws {
  let damaged: DamagedStore
  let folder: StoreFolder

  private var path: String { folder.file(DamagedStore.database) }

  /// The laws for the files that an input stands for; see ``DamagedStore``.
  static func check(_ input: [UInt8]) {
    let damaged = DamagedStore(input)
    if damaged.isLookedAtQuickly {
      DatabaseLaws(damaged: damaged, folder: placed(damaged)).checkLook()
    }
    waiting { await DatabaseLaws(damaged: damaged, folder: placed(damaged)).checkReading() }
    waiting { await DatabaseLaws(damaged: damaged, folder: placed(damaged)).checkRecovering() }
    waiting { await DatabaseLaws(damaged: damaged, folder: placed(damaged)).checkOpening() }
  }

  private static func placed(_ damaged: DamagedStore) -> StoreFolder {
    let folder = StoreFolder.fresh()
    for (name, bytes) in damaged.files { folder.write(bytes, to: name) }
    return folder
  }

  // MARK: Without a store

  /// The operations of `freshstore doctor` and of the completion of arguments.
  private func checkLook() {
    let found = Diagnosis(of: path, patience: .milliseconds(100), clock: StillClock())
    if case .store(let facts) = found.content {
      law("a store is of a format that is known", facts.format <= found.supportedFormat)
      law("a foreign file is no store", !damaged.isForeign)
    }
    let names = StoredNames(of: path)
    _ = names.collections(beginningWith: "", limit: 10)
    _ = names.keys(of: StoreTemplate.collection, beginningWith: "key", limit: 10)
    law("a look leaves no trace", folder.contents == damaged.files)
  }

  // MARK: Reading alone

  /// The operation of `freshstore check`.
  private func checkReading() async {
    var configuration = StoreTemplate.configuration
    configuration.access = .readOnly
    let found: Void? = await attempt {
      let store = try Store(path: path, configuration: configuration)
      await use(store)
      _ = await attempt { _ = try await store.check() }
      await attempt { try await store.close() }
    }
    law("a foreign file is no store", found == nil || !damaged.isForeign)
    checkUntouched(except: ["store.db-shm"])
  }

  // MARK: Recovering

  private func checkRecovering() async {
    let made = folder.file("made.db")
    guard let result = await recover(to: made) else {
      return law("without a result nothing is made", folder.contents["made.db"] == nil)
    }
    law("a foreign file is not recovered", !damaged.isOfAnother)
    let known = [result.records, result.writes, result.unreadableRecords, result.lostWrites]
    let isKnown = known.contains { $0 != 0 && $0 != nil }
    // A record whose write is lost is not recovered, and it may be the only one.
    let isWriteLost = damaged.isOfTemplate && result.lostWrites == nil
    law("what is recovered was a store", damaged.isStore || isKnown || isWriteLost)
    if damaged.isOfTemplate, let lost = result.lostWrites {
      let count = result.writes + lost
      law("no local write is lost in silence", count >= StoreTemplate.writes)
    }
    let isUsed: Void? = await attempt {
      let store = try Store(path: made, configuration: StoreTemplate.configuration)
      let check = try await store.check()
      law("what is made is sound", check.isSound)
      // Besides records there are notes of failed fetches.
      law("every record that is taken over is there", check.records >= result.records)
      law("every write that is taken over is there", try store.outbox().count == result.writes)
      await use(store)
      try await store.close()
    }
    law("what is made can be used", isUsed != nil)
  }

  /// Recovers the store; where local writes are lost, once more with that accepted.
  private func recover(to made: String) async -> RecoveryResult? {
    var result: RecoveryResult?
    let code = await code { result = try await Store.recover(path, to: made) }
    // Recovery never writes into its source files.
    checkUntouched(except: ["made.db"])
    guard case .writesLost(_, let lost)? = code else {
      law("where nothing is lost nothing is told", result?.lostWrites ?? 0 == 0)
      return result
    }
    var options = RecoveryOptions()
    options.acceptsLostWrites = true
    result = await attempt { try await Store.recover(path, to: made, options: options) }
    checkUntouched(except: ["made.db"])
    law("only lost writes stood in the way", result.map { $0.lostWrites == lost } ?? false)
    return result
  }

  // MARK: Opening

  private func checkOpening() async {
    var opened: Store?
    let code = await code {
      opened = try Store(path: path, configuration: StoreTemplate.configuration)
    }
    law("a foreign file is refused", opened == nil || !damaged.isForeign)
    guard let store = opened else { return checkRefusal(code) }
    checkAsides(store.health.movedAside)
    await use(store)
    await change(store)
    await attempt { try await store.close() }
    await attempt {
      let store = try Store(path: path, configuration: StoreTemplate.configuration)
      await use(store)
      try await store.close()
    }
  }

  private func checkRefusal(_ code: StoreError.Code?) {
    switch code {
    case .writesLost(let aside, _): checkAsides([aside])
    default: checkUntouched(except: ["store.db-shm"])
    }
  }

  /// A damaged file is moved aside whole.
  private func checkAsides(_ asides: [String]) {
    guard let aside = asides.first else { return }
    let contents = folder.contents
    let name = String(aside.dropFirst(folder.path.count + 1))
    law("a damaged file is there afterwards", contents[name] == damaged.bytes)
    let log = contents[name + "-wal"] ?? []
    law("its log is there, too", log.count >= damaged.files[DamagedStore.log]?.count ?? 0)
  }

  /// The files are as they were, and none was added.
  private func checkUntouched(
    except names: Set<String>, file: StaticString = #fileID, line: UInt = #line
  ) {
    func without(_ files: [String: [UInt8]]) -> [String: [UInt8]] {
      // An empty log means the same as none.
      files.filter { !names.contains($0.key) && !($0.key == DamagedStore.log && $0.value.isEmpty) }
    }
    let isUntouched = without(folder.contents) == without(damaged.files)
    law("a file that is only read is not changed", isUntouched, file: file, line: line)
  }

  // MARK: Using

  /// Reads everything; every served value was stored.
  private func use(_ store: Store) async {
    let template = StoreTemplate.filled
    await attempt {
      let records = try store.bytes(StoreTemplate.collection)
      for (key, values) in template.values {
        await attempt {
          let copy = try records.read(key).copy
          law("what is served was stored", copy.map { values.contains($0.value) } ?? true)
        }
        await attempt { _ = try records.explain(key) }
      }
      await attempt {
        for (key, reading) in try records.read(template.values.keys.sorted()) {
          guard let copy = reading.copy else { continue }
          law("what is served was stored", template.values[key]?.contains(copy.value) == true)
        }
      }
      await attempt { _ = try records.members(of: "list") }
      return ()
    }
    await attempt {
      for record in try store.list() { law("a size is not negative", record.size >= 0) }
    }
    await attempt { _ = try store.statistics() }
    await attempt { _ = try store.quickStatistics() }
    await attempt { _ = try store.countRecords(after: 0, limit: 100) }
    await attempt { _ = try store.collectionNames() }
    await attempt { _ = try store.outbox() }
    await attempt { _ = try store.nextDue() }
    await attempt { _ = try store.nextWriteDue() }
    await attempt { _ = try store.backlog() }
    await attempt { _ = try await store.countExpired() }
  }

  /// Works with a store that is open for writing, and then works as if it had not been damaged.
  private func change(_ store: Store) async {
    await attempt { try await store.giveBack(try await store.due(limit: 10)) }
    await attempt { _ = try await store.dueWrites(limit: 10) }
    await attempt { _ = try await store.sweep() }
    await attempt {
      var options = PruneOptions()
      options.maximumCount = 30
      _ = try await store.prune(options)
    }
    await attempt {
      var policy = Policy()
      policy.origin = StoreTemplate.origin
      // A fetch that the file records as running never ends: time stands still.
      policy.hardTimeout = .milliseconds(10)
      let records = try store.bytes(StoreTemplate.collection, policy: policy)
      for key in ["key-1", "key-3", "failed", "gone"] {
        await failing { _ = try await records.refresh(key) { _ in throw CancellationError() } }
      }
      await attempt { try await records.markStale(prefix: "key-1") }
      await attempt { try await records.write(StoreTemplate.writtenLater, for: "key-6") }
      return ()
    }
    await checkStoring(store)
  }

  /// Only operations that meet damage fail; after that the store accepts values.
  private func checkStoring(_ store: Store) async {
    var last: StoreError.Code?
    for _ in 0..<8 {
      last = await code {
        let records = try store.bytes("new")
        try await records.put([1, 2, 3], for: "new", durability: .normal)
        law("what was put is read", try records.read("new").copy?.value == [1, 2, 3])
      }
      guard let last else { return }
      if case .writesLost = last { return }
    }
    law("a store takes what it is given, once damage was met: \(last, default: "")", false)
  }

  /// The result, or `nil` when the store refuses.
  @discardableResult
  private func attempt<Result>(_ body: () async throws -> Result) async -> Result? {
    var result: Result?
    _ = await code { result = try await body() }
    return result
  }

  /// The code of the store's refusal; `nil` when there is none.
  private func code(_ body: () async throws -> Void) async -> StoreError.Code? {
    do {
      try await body()
      return nil
    } catch let error as StoreError {
      law("an error says something", !error.description.isEmpty)
      return error.code
    } catch {
      law("an error is the store's: \(error)", false)
      return nil
    }
  }

  private func failing(_ body: () async throws -> Void) async {
    do {
      try await body()
    } catch {
      // The source fails: the store must remember that.
    }
  }
}
