import Dispatch
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

@Suite struct PutQueueTests {
  /// Runs `body` while the store's queue is blocked, so that its puts wait there together; the
  /// result of `body` is awaited afterwards.
  private func heldUp<Result: Sendable>(
    _ store: Store, until count: Int,
    _ body: () -> [Task<Result, any Error>]
  ) async throws -> [Swift.Result<Result, any Error>] {
    let gate = DispatchSemaphore(value: 0)
    store.queue.start { gate.wait() }
    let tasks = body()
    while store.puts.count < count { await Task.yield() }
    gate.signal()
    var results: [Swift.Result<Result, any Error>] = []
    for task in tasks { results.append(await task.result) }
    return results
  }

  @Test func `puts that wait together are one commit`() async throws {
    try await TemporaryStore.run { temporary in
      let values = try temporary.store.bytes("values")
      try await values.put([0], for: "first")
      let before = try #require(temporary.store.storage.database.memory.header)
      let results = try await heldUp(temporary.store, until: 20) {
        (0..<20).map { number in
          Task { try await values.put([UInt8(number)], for: "\(number)") }
        }
      }
      #expect(results.allSatisfy { (try? $0.get()) != nil })
      let after = try #require(temporary.store.storage.database.memory.header)
      #expect(after.changes == before.changes + 1)
      for number in 0..<20 {
        let copy = try values.read("\(number)").copy
        #expect(copy?.value == [UInt8(number)])
      }
    }
  }

  @Test func `a local write blocks its own put and no other`() async throws {
    try await TemporaryStore.run { temporary in
      let values = try temporary.store.bytes("values")
      try await values.write([9], for: "held")
      let results = try await heldUp(temporary.store, until: 3) {
        ["a", "held", "b"].map { key in Task { try await values.put([1, 2], for: key) } }
      }
      let failures = results.map { result -> StoreError.Code? in
        if case .failure(let error) = result { (error as? StoreError)?.code } else { nil }
      }
      #expect(failures == [nil, .pendingWrite, nil])
      let held = try values.read("held").copy
      #expect(held?.value == [9])
      for key in ["a", "b"] {
        let copy = try values.read(key).copy
        #expect(copy?.value == [1, 2])
      }
    }
  }

  @Test func `a put that waits behind a wipe stores nothing, and the next one does`() async throws {
    try await TemporaryStore.run { temporary in
      let store = temporary.store
      let values = try store.bytes("values")
      try await values.put([0], for: "kept")
      // Both wait: the put in the queue of the store, behind the wipe.
      let gate = DispatchSemaphore(value: 0)
      store.queue.start { gate.wait() }
      store.queue.start {
        do throws(StoreError) {
          try store.storage.removeEverything()
        } catch {
          Issue.record(error)
        }
      }
      let waiting = (0..<2).map { number in
        Task { try await values.put([1], for: "\(number)") }
      }
      while store.puts.count < 2 { await Task.yield() }
      gate.signal()
      for put in waiting {
        let failure = await storeFailure { try await put.value }
        #expect(failure?.code == .wiped && failure?.operation == .put)
      }
      #expect(try store.list().isEmpty)

      try await values.put([2], for: "new")
      #expect(try store.list().map(\.key) == ["new"])
    }
  }

  @Test func `a put without room fails alone`() async throws {
    try await TemporaryStore.run(configure: { $0.maximumSize = 1 << 20 }) { temporary in
      let values = try temporary.store.bytes("values")
      let large = [UInt8](repeating: 7, count: 4 << 20)
      let results = try await heldUp(temporary.store, until: 3) {
        [("a", [1]), ("large", large), ("b", [2])].map { key, value in
          Task { try await values.put(value, for: key) }
        }
      }
      let failures = results.map { result -> StoreError.Code? in
        if case .failure(let error) = result { (error as? StoreError)?.code } else { nil }
      }
      #expect(failures == [nil, .full, nil])
      for key in ["a", "b"] {
        let copy = try values.read(key).copy
        #expect(copy != nil)
      }
    }
  }

  @Test func `a put that could be committed at once waits for the holder of the write lock`()
    async throws
  {
    try await TemporaryStore.run(configure: { $0.busyTimeout = .seconds(60) }) { temporary in
      let values = try temporary.store.bytes("values")
      let other = try RawDatabase(temporary.path)
      try other.execute("BEGIN IMMEDIATE")
      let put = Task { try await values.put([1], for: "a", durability: .normal) }
      // Once it has given up the fast path it waits in the queue, and is taken from there.
      while temporary.store.puts.taken == 0 { await Task.yield() }
      try other.execute("COMMIT")
      try await put.value
      let copy = try values.read("a").copy
      #expect(copy?.value == [1])
      try await values.put([2], for: "a", durability: .normal)
      #expect(temporary.store.puts.taken == 1)
    }
  }

  /// The results of puts that came while a caller committed another one.
  private struct Outcome {
    var failures: [StoreError.Code?] = []
    var commits: UInt32 = 0
    var taken = 0
    var stored: [String: [UInt8]] = [:]
  }

  private func outcome(
    of puts: [(key: String, value: [UInt8])], durability: Durability = .normal,
    configure: (inout Configuration) -> Void = { _ in }
  ) async throws -> Outcome {
    let disk = HookedDisk()
    let folder = try DiskFolder(disk)
    var configuration = Configuration(reachability: .fixed(.online))
    configuration.fileSystem = DiskFileSystem.name
    configure(&configuration)
    let store = try Store(path: folder.file("store.db"), configuration: configuration)
    let values = try store.bytes("values")
    try await values.put([0], for: "first", durability: .normal)
    let before = try #require(store.storage.database.memory.header)
    let (begun, gate) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
    disk.arm(.beforeWriting) {
      begun.continuation.yield()
      gate.wait()
    }
    let first = Task(executorPreference: OwnThread()) {
      try await values.put([1], for: "first", durability: .normal)
    }
    for await _ in begun.stream { break }
    let others = puts.map { key, value in
      Task { try await values.put(value, for: key, durability: durability) }
    }
    while store.puts.count < puts.count { await Task.yield() }
    gate.signal()
    try await first.value
    var outcome = Outcome()
    for task in others {
      do {
        try await task.value
        outcome.failures.append(nil)
      } catch {
        outcome.failures.append(try #require(error as? StoreError).code)
      }
    }
    let after = try #require(store.storage.database.memory.header)
    outcome.commits = after.changes &- before.changes
    outcome.taken = store.puts.taken
    outcome.stored = try values.read(puts.map(\.key)).compactMapValues { $0.copy?.value }
    try await store.close()
    let problems = try RawDatabase(folder.file("store.db")).rows("PRAGMA integrity_check")
    #expect(problems == [["ok"]])
    return outcome
  }

  @Test(
    arguments: [
      (count: 5, durability: Durability.normal, commits: 2), (5, .full, 2), (40, .normal, 3),
    ])
  func `puts during another caller's commit are committed after it, together`(
    count: Int, durability: Durability, commits: UInt32
  ) async throws {
    let puts = (0..<count).map { ("\($0)", [2 as UInt8]) }
    let outcome = try await outcome(of: puts, durability: durability)
    #expect(outcome.failures == Array(repeating: nil, count: count))
    #expect(outcome.commits == commits)
    #expect(outcome.stored == Dictionary(uniqueKeysWithValues: puts))
  }

  @Test func `puts that a caller cannot commit together are committed one at a time`()
    async throws
  {
    let large = [UInt8](repeating: 7, count: 4 << 20)
    let outcome = try await outcome(
      of: [("a", [1]), ("large", large), ("b", [2])], configure: { $0.maximumSize = 1 << 20 })
    #expect(outcome.failures == [nil, .full, nil])
    #expect(outcome.stored == ["a": [1], "b": [2]])
    // Puts that were given back were taken once.
    #expect(outcome.taken == 3)
  }

  @Test func `puts of one key are stored in the order in which they came`() async throws {
    try await TemporaryStore.run { temporary in
      let values = try temporary.store.bytes("values")
      let gate = DispatchSemaphore(value: 0)
      temporary.store.queue.start { gate.wait() }
      var tasks: [Task<Void, any Error>] = []
      for number in 0..<5 {
        tasks.append(Task { try await values.put([UInt8(number)], for: "key") })
        while temporary.store.puts.count <= number { await Task.yield() }
      }
      gate.signal()
      for task in tasks { try await task.value }
      let copy = try values.read("key").copy
      #expect(copy?.value == [4])
    }
  }
}
