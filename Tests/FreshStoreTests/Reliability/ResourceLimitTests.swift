import CSQLite
import Foundation
import FreshStoreTesting
import Platform
import Strategies
import Testing

@testable import FreshStore

/// A process that is limited in memory, open files, or file sizes. Each test limits a
/// process of its own.
@Suite struct ResourceLimitTests {
  @Test func `memory that runs out at any point fails only the operation at hand`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let path = folder.file("store.db")
      try await Store(path: path).close()
      var failures = 0
      for limit in stride(from: 20_000 as Int64, through: 1_200_000, by: 10_000) {
        var work = TroubledWork(path: path, clock: ManualClock())
        // The leftovers of other tests are unknown there.
        try FileManager.default.removeItem(atPath: path)
        try await Store(path: path).close()
        sqlite3_hard_heap_limit64(limit)
        await work.run()
        sqlite3_hard_heap_limit64(0)
        failures += work.failed.count
        try await work.verify()
        precondition(work.wrong.isEmpty, "\(limit) bytes: \(work.wrong)")
      }
      precondition(failures > 100, "the limit hindered nobody: \(failures)")
    }
  }

  @Test func `the limit of open files is raised as far as the system allows, and never lowered`()
    async
  {
    await #expect(processExitsWith: .success) {
      var limit = rlimit()
      unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      (limit.rlim_cur, limit.rlim_max) = (100, 200)
      unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let counts = try [150, 50, 1000].map { try OpenFileLimit.raise(to: $0) }
      precondition(counts == [150, 150, 200], "\(counts)")
      unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      precondition(limit.rlim_cur == 200)
    }
  }

  @Test func `an operation without descriptors fails, and succeeds when there are some again`()
    async
  {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let path = folder.file("store.db")
      let store = try Store(path: path)
      let values = try store.collection("values", of: Int.self)
      try await values.put(1, for: "one")
      var limit = rlimit()
      unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let usual = limit
      // None beyond the open ones.
      limit.rlim_cur = 0
      unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      var refused = 0
      for _ in 0..<20 {
        do {
          _ = try values.read("two")
        } catch {
          refused += 1
        }
      }
      do {
        _ = try Store(path: path)
        preconditionFailure("a file was opened without a descriptor")
      } catch let error as StoreError {
        precondition(error.code == .cannotOpen, "\(error)")
      }
      limit = usual
      unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      precondition(refused > 0, "no read needed a descriptor")
      let one = try values.read("one").copy?.value
      precondition(one == 1)
      try await values.put(2, for: "two")
      let isSound = try await store.check().isSound
      precondition(isSound)
      try await store.close()
    }
  }

  @Test func `a store whose files cannot grow refuses puts, and keeps the stored values`() async {
    await #expect(processExitsWith: .success) {
      signal(SIGXFSZ, SIG_IGN)
      let folder = try TemporaryFolder()
      let store = try Store(path: folder.file("store.db"))
      let values = try store.bytes("values")
      var limit = rlimit()
      unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      let usual = limit
      limit.rlim_cur = 1 << 20
      unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      var stored = 0
      do {
        while stored < 1000 {
          try await values.put(
            .init(repeating: UInt8(stored % 251), count: 10_000), for: "\(stored)",
            durability: .normal)
          stored += 1
        }
      } catch {
        precondition(stored > 10, "\(error)")
      }
      precondition(stored < 1000, "the limit hindered nobody")
      for number in 0..<stored {
        let first = try values.read("\(number)").copy?.value.first
        precondition(first == UInt8(number % 251))
      }
      limit = usual
      unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      try await values.put([1], for: "again")
      let isSound = try await store.check().isSound
      precondition(isSound)
      try await store.close()
    }
  }
}
