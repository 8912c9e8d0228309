import Foundation
import FreshStore
import FreshStoreTesting
import Glibc
import Strategies
import Testing

@Suite struct SyncLockTests {
  @Test func `one store has the lock, and tells the others its process and work`() async throws {
    try await TemporaryStore.run { temporary in
      let store = temporary.store
      #expect(SyncLock.holder(of: store.path) == nil)
      let lock = try await store.lockSynchronizing()
      lock.note("at work, for a while")
      lock.note("idle")
      let (holder, note) = try #require(SyncLock.holder(of: store.path))
      #expect(holder?.process == getpid() && holder?.since == temporary.clock.reading().wall)
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

  @Test func `the lock is waited for while a process queries its holder`() async throws {
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
}
