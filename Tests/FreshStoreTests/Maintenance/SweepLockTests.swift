import FreshStore
import FreshStoreTesting
import Glibc
import StoreSupport
import Strategies
import Testing

@Suite struct SweepLockTests {
  @Test func `a second sweep ends at once and names the running one and its start`() async throws {
    try await TemporaryStore.run { temporary in
      let since = temporary.clock.reading().wall
      let lock = try await temporary.store.lockSweeps()
      temporary.clock.advance(by: .seconds(60))

      let failure = await storeFailure { try await temporary.store.sweep() }

      let holder: SweepHolder? =
        if case .sweepUnderWay(let holder) = failure?.code { holder } else { nil }
      #expect(holder?.process == getpid())
      #expect(holder?.since == since)
      #expect(failure?.description.contains("since \(since)") == true)
      lock.release()
    }
  }

  @Test func `a released lock lets others sweep`() async throws {
    try await TemporaryStore.run { temporary in
      try await temporary.store.lockSweeps().release()
      var lock: SweepLock? = try await temporary.store.lockSweeps()
      #expect(lock != nil)
      lock = nil

      _ = try await temporary.store.sweep()
      _ = try await temporary.store.sweep()
    }
  }

  @Test func `a released lock keeps no file open`() async throws {
    try await TemporaryStore.run { temporary in
      let lock = try await temporary.store.lockSweeps()
      let file = temporary.path + "-sweep"
      #expect(Self.isOpen(file))
      lock.release()
      #expect(!Self.isOpen(file))
    }
  }

  /// True when a descriptor of this process refers to that file.
  private static func isOpen(_ path: String) -> Bool {
    (0..<1024).contains { (descriptor: Int32) in
      var name = [CChar](repeating: 0, count: 4096)
      let count = unsafe readlink("/proc/self/fd/\(descriptor)", &name, name.count)
      return count > 0 && name.prefix(count).elementsEqual(path.utf8.map { CChar(bitPattern: $0) })
    }
  }

  @Test func `the holder of the lock sweeps under it`() async throws {
    try await TemporaryStore.run { temporary in
      var options = SweepOptions()
      options.lock = try await temporary.store.lockSweeps()

      #expect(try await temporary.store.sweep(options) == SweepResult())
      #expect(await storeFailure { try await temporary.store.sweep() } != nil)
    }
  }

  @Test func `a dry run needs no lock`() async throws {
    try await TemporaryStore.run { temporary in
      let lock = try await temporary.store.lockSweeps()
      var options = SweepOptions()
      options.isDryRun = true

      #expect(try await temporary.store.sweep(options).isComplete)
      lock.release()
    }
  }

  @Test func `a waiting sweep begins when the other one ends`() async throws {
    try await TemporaryStore.run { temporary in
      let lock = try await temporary.store.lockSweeps()
      var options = SweepOptions()
      options.wait = .seconds(60)
      let given = options

      async let result = temporary.store.sweep(given)
      lock.release()

      #expect(try await result.isComplete)
    }
  }

  @Test func `two links to one store share a lock, two stores do not`() async throws {
    try await TemporaryStore.run { temporary in
      let link = temporary.path + ".link"
      #expect(unsafe symlink(temporary.path, link) == 0)
      let linked = try Store(path: link)
      let other = try Store(path: temporary.path + ".other")

      let lock = try await temporary.store.lockSweeps()

      #expect(await storeFailure { try await linked.sweep() } != nil)
      #expect(try await other.sweep().isComplete)
      lock.release()
      try await linked.close()
      try await other.close()
    }
  }

  @Test func `a lock whose file was removed blocks no process, and a new one does`() async throws {
    try await TemporaryStore.run { temporary in
      let lost = try await temporary.store.lockSweeps()
      #expect(unsafe unlink(temporary.path + "-sweep") == 0)

      let lock = try await temporary.store.lockSweeps()

      #expect(await storeFailure { try await temporary.store.sweep() } != nil)
      lost.release()
      #expect(await storeFailure { try await temporary.store.sweep() } != nil)
      lock.release()
    }
  }

  @Test func `a link in the place of the lock's file is not followed`() async throws {
    try await TemporaryStore.run { temporary in
      #expect(unsafe symlink(temporary.path, temporary.path + "-sweep") == 0)

      let failure = await storeFailure { try await temporary.store.sweep() }

      #expect(failure?.code == .cannotOpen)
    }
  }
}
