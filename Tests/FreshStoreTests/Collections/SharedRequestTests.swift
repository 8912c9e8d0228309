import Dispatch
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// Requests of callers that ask their source by themselves share commits, and are told apart all the same.
@Suite(.timeLimit(.minutes(1))) struct SharedRequestTests {
  /// Runs works that come to the store, one after the other, while its queue is held up; with their results the number
  /// of commits.
  private func together<Result: Sendable>(
    _ count: Int, in store: Store, _ work: @escaping @Sendable (Int) async throws -> Result
  ) async throws -> (results: [Result], commits: Int) {
    let before = try #require(store.storage.database.memory.header)
    let gate = DispatchSemaphore(value: 0)
    store.queue.start { gate.wait() }
    var tasks: [Task<Result, any Error>] = []
    for number in 0..<count {
      tasks.append(Task { try await work(number) })
      while store.requestCommits.count <= number { await Task.yield() }
    }
    gate.signal()
    var results: [Result] = []
    for task in tasks { results.append(try await task.value) }
    let after = try #require(store.storage.database.memory.header)
    return (results, Int(after.changes &- before.changes))
  }

  private func changes(_ key: String, _ value: String) -> CopyChanges<String> {
    var changes = CopyChanges<String>()
    changes.additions = [
      CopyChanges.Addition(key, value, FetchDetails(expiry: .after(.seconds(60))))
    ]
    return changes
  }

  @Test func `leases that are taken together are one commit, and each is one owner's`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let pages = try temporary.store.collection("pages", of: String.self)
      try await pages.put("one", for: "1")
      let keys = ["1", "2", "2", "3"]
      let taken = try await together(keys.count, in: temporary.store) { number in
        try await pages.request(
          exclusively: keys[number], lookingFor: keys[number], keys[number] + "#")
      }
      #expect(taken.commits == 1)
      #expect(taken.results.map { $0?.findsNothing } == [false, true, nil, true])
      for request in taken.results.compactMap(\.self) { await pages.end(request) }
    }
  }

  @Test func `requests that are ready to run on one executor share a commit`() async throws {
    try await TemporaryStore.run { temporary in
      let pages = try temporary.store.collection("pages", of: String.self)
      let before = try #require(temporary.store.storage.database.memory.header)
      let (executor, gate) = (OwnThread(), DispatchSemaphore(value: 0))
      executor.run { gate.wait() }
      let tasks = WorkExecutor.$current.withValue(executor) {
        (0..<10).map { number in
          Task(executorPreference: executor) {
            try await pages.request(
              exclusively: "\(number)", lookingFor: "\(number)", "\(number)#")
          }
        }
      }
      gate.signal()
      for task in tasks { await pages.end(try #require(try await task.value)) }
      let after = try #require(temporary.store.storage.database.memory.header)
      // One that begins them all, and one for each end.
      #expect(after.changes &- before.changes == 11)
    }
  }

  @Test(arguments: [(10, 1), (200_000, 2)])
  func `answers that come together are one commit, as far as they are short`(
    length: Int, commits: Int
  ) async throws {
    try await TemporaryStore.run { temporary in
      let pages = try temporary.store.collection("pages", of: String.self)
      let (now, value) = (temporary.clock.reading(), String(repeating: "x", count: length))
      var requests: [SourceRequest] = []
      for number in 0..<6 {
        requests.append(try #require(try await pages.request(exclusively: "\(number)")))
      }
      let landed = try await together(6, in: temporary.store) { [self, requests] number in
        try await pages.update(
          changes("\(number)", value), answering: requests[number], about: "\(number)", at: now)
      }
      #expect(landed.commits == commits)
      #expect(landed.results.allSatisfy { $0 })
      for number in 0..<6 { #expect(try pages.kept("\(number)")?.value == value) }
    }
  }

  @Test func `an answer that was overtaken is not stored with those beside it`() async throws {
    try await TemporaryStore.run { temporary in
      let pages = try temporary.store.collection("pages", of: String.self)
      let now = temporary.clock.reading()
      var requests: [SourceRequest] = []
      for number in 0..<3 {
        requests.append(try #require(try await pages.request(exclusively: "\(number)")))
      }
      try await pages.put("put", for: "1")
      let landed = try await together(3, in: temporary.store) { [self, requests] number in
        try await pages.update(
          changes("\(number)", "fetched"), answering: requests[number], about: "\(number)",
          at: now)
      }
      #expect(landed.results == [true, false, true])
      for (number, value) in ["fetched", "put", "fetched"].enumerated() {
        #expect(try pages.kept("\(number)")?.value == value)
      }
    }
  }

  @Test func `what fails is told to its own caller alone, and the others are committed`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let store = temporary.store
      let ended = try await together(3, in: store) { number -> StoreError? in
        do throws(StoreError) {
          _ = try await store.requestCommits.run(
            as: number == 1 ? .complete : nil, touching: AffectedKeys()
          ) { (connection) throws(SQLiteError) -> Int64 in
            let drawn = try store.storage.nextNumber(connection)
            guard number != 1 else {
              throw SQLiteError(code: 1, message: "no", activity: "testing")
            }
            return drawn
          }
          return nil
        } catch {
          return error
        }
      }
      #expect(ended.results.map { $0?.operation } == [nil, .complete, nil])
      #expect(ended.results[1]?.sqlite?.message == "no")
      #expect(ended.commits == 2)
    }
  }
}
