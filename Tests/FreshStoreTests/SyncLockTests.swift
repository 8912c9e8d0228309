import Foundation
import FreshStore
import FreshStoreTesting
import Glibc
import Strategies
import Testing

@Suite struct SyncLockTests {
  @Test func `one has it, and tells the others who it is and what it does`() async throws {
    try await TemporaryStore.run { temporary in
      let store = temporary.store
      #expect(SyncLock.holder(of: store.path) == nil)
      let lock = try await store.lockSynchronizing()
      lock.note("at work, for a while")
      lock.note("idle")
      let (holder, note) = try #require(SyncLock.holder(of: store.path))
      #expect(holder?.process == getpid() && holder?.since == temporary.clock.now().wall)
      #expect(note == "idle")
      await #expect {
        _ = try await store.lockSynchronizing()
      } throws: { error in
        if case SyncLock.Failure.held(let holder) = error {
          holder?.process == getpid()
        } else {
          false
        }
      }
      lock.release()
      #expect(SyncLock.holder(of: store.path) == nil)
      let next = try await store.lockSynchronizing()
      next.release()
    }
  }

  @Test func `who only looks who has it is waited for`() async throws {
    try await TemporaryStore.run { temporary in
      let store = temporary.store
      try await store.lockSynchronizing().release()
      let looking = unsafe open(store.path + "-sync", O_RDONLY | O_CLOEXEC)
      #expect(flock(looking, LOCK_SH) == 0)
      // It runs at once, until it waits.
      let taking = Task.immediate { try await store.lockSynchronizing() }
      #expect(close(looking) == 0)
      try await taking.value.release()
    }
  }

  @Test func `a file that cannot be opened is a failure of its own`() async throws {
    try await TemporaryStore.run { temporary in
      try FileManager.default.createDirectory(
        atPath: temporary.store.path + "-sync", withIntermediateDirectories: false)
      await #expect {
        _ = try await temporary.store.lockSynchronizing()
      } throws: { error in
        if case SyncLock.Failure.failed = error { true } else { false }
      }
    }
  }

  /// Has a store hold the first write and the first record of two, then take and lose the lock, and
  /// tells what is handed out to the next that takes it.
  private func handedOutToNext(
    _ temporary: TemporaryStore, dies: Bool
  ) async throws -> (writes: [String], records: [String]) {
    let dead = try temporary.another()
    let articles = try dead.collection("articles", of: String.self)
    for key in ["a", "b"] {
      try await articles.write(key, for: "write \(key)")
      try await articles.put(key, for: "record \(key)")
      try await articles.markStale("record \(key)")
    }
    let lock = try await dead.lockSynchronizing()
    _ = try await dead.dueWrites(limit: 1)
    _ = try await dead.due(limit: 1)
    let file = URL(fileURLWithPath: dead.path + "-sync")
    let left = try Data(contentsOf: file)
    lock.release()
    // A process that dies gives the lock back and leaves the file as it is.
    if dies { try left.write(to: file) }
    let next = try await temporary.store.lockSynchronizing()
    defer { next.release() }
    let writes = try await temporary.store.dueWrites(limit: 9).map(\.entry.key)
    let records = try await temporary.store.due(limit: 9).map(\.key)
    try await dead.close()
    return (writes, records.sorted())
  }

  @Test func `what a daemon had in hand that died is handed out to the next at once`() async throws
  {
    try await TemporaryStore.run { temporary in
      let handedOut = try await handedOutToNext(temporary, dies: true)
      #expect(handedOut.writes == ["write a", "write b"])
      #expect(handedOut.records == ["record a", "record b"])
    }
  }

  @Test func `what a daemon has in hand that gave the lock back stays its own`() async throws {
    try await TemporaryStore.run { temporary in
      let handedOut = try await handedOutToNext(temporary, dies: false)
      #expect(handedOut.writes == ["write b"])
      #expect(handedOut.records.count == 1)
    }
  }
}
