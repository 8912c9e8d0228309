import FreshStore
import FreshStoreTesting
import Glibc
import Strategies
import Testing

@Suite struct SyncLockTests {
  private let now = Timestamp(millisecondsSinceEpoch: 1_780_000_000_000)

  @Test func `one has it, and tells the others who it is and what it does`() async throws {
    let folder = try TemporaryFolder()
    let database = folder.file("store.db")
    #expect(SyncLock.holder(of: database) == nil)
    let lock = try await SyncLock(database: database, since: now)
    lock.note("at work, for a while")
    lock.note("idle")
    let (holder, note) = try #require(SyncLock.holder(of: database))
    #expect(holder?.process == getpid() && holder?.since == now)
    #expect(note == "idle")
    await #expect {
      _ = try await SyncLock(database: database, since: now)
    } throws: { error in
      if case SyncLock.Failure.held(let holder) = error {
        holder?.process == getpid()
      } else {
        false
      }
    }
    lock.release()
    #expect(SyncLock.holder(of: database) == nil)
    let next = try await SyncLock(database: database, since: now)
    next.release()
  }

  @Test func `a folder that is not there is a failure of its own`() async throws {
    let folder = try TemporaryFolder()
    await #expect {
      _ = try await SyncLock(database: folder.file("none/store.db"), since: now)
    } throws: { error in
      if case SyncLock.Failure.failed = error { true } else { false }
    }
  }
}
