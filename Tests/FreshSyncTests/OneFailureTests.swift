import FreshStore
import FreshStoreTesting
import FreshSync
import Strategies
import Synchronization
import Testing

/// One failure has no effect on other work, including the work taken before it.
@Suite(.timeLimit(.minutes(5))) struct OneFailureTests {
  @Test func `a value that is too large keeps no other record from being fetched`() async throws {
    try await TemporaryStore.run(configure: { $0.maximumValueSize = 100 }) { temporary in
      let texts = try temporary.store.collection("texts", of: String.self)
      let synchronizer = Synchronizer(temporary.store)
      synchronizer.add(texts) { previous in
        .value(String(repeating: "x", count: previous.key == "1" ? 1000 : 10))
      }
      for number in 1...5 {
        try await texts.put("old", for: "\(number)")
        try await texts.markStale("\(number)")
      }

      let report = try await synchronizer.drain()

      #expect(report.fetched == 4 && report.failed == 1)
      #expect(try texts.read("5").copy?.value.count == 10)
      try await texts.writeDeletion(of: "2")
    }
  }

  @Test func `a list that another store follows blocks no other work`() async throws {
    try await TemporaryStore.run { temporary in
      let shelf = try await Shelf(temporary, stale: 3)
      let other = try temporary.another()
      let (there, latch) = (try other.collection("numbers", of: Int.self), Latch(isOpen: false))
      let asked = Asked()
      let following = Task {
        try await there.follow("all") { _ in
          asked.note(["all"])
          try await latch.pass()
          return .full([:], cursor: nil)
        }
      }
      while asked.batches.isEmpty { await Task.yield() }
      shelf.synchronizer.follow("all", of: shelf.numbers) { _ in .notModified }
      shelf.synchronizer.add(shelf.numbers) { _ in
        .value(7)
      } push: { _ in
        .accepted
      }
      for number in 4...9 { try await shelf.numbers.write(number, for: "\(number)") }

      let report = try await shelf.synchronizer.drain()
      #expect(report.pushed == 6 && report.fetched == 3 && report.failed == 1)

      try await shelf.running {
        try await shelf.numbers.write(1, for: "new")
        let status = await shelf.status { $0.report.pushed == 1 }
        #expect(status.failure == nil)
      }
      latch.open()
      _ = try await following.value
      try await other.close()
    }
  }

  /// Locks the store on the first request.
  private final class Trap: Sendable {
    private let lock: Mutex<(taken: WriteLock?, isSet: Bool)> = Mutex((nil, true))

    func spring(_ path: String) {
      lock.withLock { lock in
        guard lock.isSet else { return }
        lock.isSet = false
        do { lock.taken = try WriteLock(path) } catch { Issue.record(error) }
      }
    }

    func letGo() { lock.withLock { $0.taken = nil } }
  }

  @Test func `jobs taken before the store failed are done or given back`() async throws {
    try await TemporaryStore.run(configure: { $0.busyTimeout = .milliseconds(1) }) { temporary in
      var options = SyncOptions()
      options.concurrency = 2
      let shelf = try await Shelf(temporary, stale: 1, options: options)
      let (store, trap) = (shelf.store, Trap())
      let notes = try store.collection("notes", of: Int.self)
      shelf.synchronizer.add(notes) { _ in
        .value(0)
      } push: { _ in
        .accepted
      }
      shelf.synchronizer.add(
        shelf.numbers,
        policies: { _ in
          // After the write was handed out, and before the record is.
          do {
            if try store.outbox().first?.state == .pushing { trap.spring(store.path) }
          } catch {
            Issue.record(error)
          }
          return .offlineFirst
        }, fetch: { _, _ in .value(0) })
      try await notes.write(7, for: "a")

      try await shelf.running {
        _ = await shelf.status { $0.failure != nil && $0.inFlight == 0 }
        trap.letGo()
        await shelf.clock.sleepers(atLeast: 1)
        shelf.clock.advance(by: .seconds(5))
        let status = await shelf.status { $0.report.pushed == 1 && $0.report.fetched == 1 }
        #expect(status.report.pushed == 1)
      }
      #expect(try store.outbox().isEmpty)
    }
  }

  @Test func `a failed drain holds no claim or lease when it returns`() async throws {
    try await TemporaryStore.run(configure: { $0.busyTimeout = .milliseconds(1) }) { temporary in
      let shelf = try await Shelf(temporary, stale: 0)
      let (path, trap) = (shelf.store.path, Trap())
      shelf.synchronizer.add(shelf.numbers) { _ in
        .value(0)
      } push: { _ in
        trap.spring(path)
        return .accepted
      }
      try await shelf.numbers.write(7, for: "a")

      await #expect(throws: SyncError.self) { try await shelf.synchronizer.drain() }
      trap.letGo()

      let due = try await shelf.store.dueWrites(limit: 1)
      #expect(due.map(\.entry.key) == ["a"])
      try await shelf.store.giveBack(due)
      #expect(try await shelf.synchronizer.drain().pushed == 1)
    }
  }
}
