import Foundation
import FreshStoreTesting
import Rules
import StoreSupport
import Strategies
import Synchronization
import Testing

@testable import FreshStore

/// The contents of memory after own commits and those of others.
@Suite struct MemoryCommitTests: MemorySuite {
  @Test func `a commit by another store outdates everything`() async throws {
    try await run { temporary, values in
      let other = try temporary.another()
      try await other.bytes("elsewhere").put([9], for: "x")
      #expect(memory(values, "a") == .outdated)
      try await other.bytes("values").put([3], for: "a")
      let reading = try values.read("a")
      #expect(reading.copy?.value == [3])
      #expect(memory(values, "a") == .current)
      #expect(memory(values, "b") == .outdated)
      try await other.close()
    }
  }

  @Test func `a value read before a commit is not cached after it`() async throws {
    try await run { temporary, values in
      let memory = temporary.store.storage.database.memory
      let before = try #require(memory.header)
      let resident = try resident(values, "a")
      let other = try temporary.another()
      try await other.bytes("values").put([3], for: "a")
      #expect(self.memory(values, "a") == .outdated)
      memory.admit(resident, size: 1, readUnder: before)
      #expect(self.memory(values, "a") == .outdated)
      let now = try #require(memory.header)
      memory.admit(resident, size: 1, readUnder: now)
      #expect(self.memory(values, "a") == .current)
      try await other.close()
    }
  }

  @Test func `entries kept over one commit are not kept over two`() async throws {
    try await run { temporary, values in
      let memory = temporary.store.storage.database.memory
      let others = try temporary.another().bytes("values")
      try await others.put([3], for: "a")
      for key in ["a", "b"] { _ = try values.read(key) }
      let before = try #require(memory.header)
      try await others.put([4], for: "a")
      memory.keep(over: before, touching: AffectedKeys("values", ["a"]))
      #expect(self.memory(values, "b") == .current)
      let after = try #require(memory.header)
      for key in ["a", "b"] { try await others.put([5], for: key) }
      memory.keep(over: after, touching: AffectedKeys("values", ["a"]))
      #expect(self.memory(values, "b") == .outdated)
      try await others.store.close()
    }
  }

  @Test func `a store's own put evicts its record and no other`() async throws {
    try await run { _, values in
      try await values.put([3], for: "a")
      #expect(memory(values, "a") == .nothing)
      #expect(memory(values, "b") == .current)
      let reading = try values.read("a")
      #expect(reading.copy?.value == [3])
    }
  }

  @Test func `a fetch evicts its record and no other`() async throws {
    try await run { _, values in
      let answer = try await values.get("a", policy: .sourceFirst) { _ in .value([4]) }
      #expect(answer.value == [4])
      #expect(memory(values, "b") == .current)
      let reading = try values.read("a")
      #expect(reading.copy?.value == [4])
    }
  }

  @Test func `a put after another store's commit outdates everything`() async throws {
    try await run { temporary, values in
      let other = try temporary.another()
      try await other.bytes("values").put([8], for: "b")
      try await values.put([3], for: "a")
      #expect(memory(values, "b") == .outdated)
      let reading = try values.read("b")
      #expect(reading.copy?.value == [8])
      try await other.close()
    }
  }

  /// Operations of a store on the record `a`, or on none.
  enum Deed: CaseIterable {
    case mark, remove, pin, write, noteStale, observe, fetchOfAnother

    func run(_ values: RecordCollection<[UInt8]>, _ temporary: TemporaryStore) async throws {
      switch self {
      case .mark: try await values.markStale("a")
      case .remove: try await values.remove("a")
      case .pin: try await values.setPinned(true, for: "a")
      case .write: try await values.write([7], for: "a")
      case .noteStale:
        temporary.clock.advance(by: .seconds(301))
        _ = try values.read("a")
        await temporary.store.flushMarks()
      case .observe:
        let storage = temporary.store.storage
        _ = try storage.register(for: .seconds(60))
        _ = try storage.renew(for: .seconds(60))
        try storage.unregister()
      case .fetchOfAnother: _ = try await values.get("c") { _ in .value([3]) }
      }
    }
  }

  @Test(arguments: Deed.allCases)
  func `an operation on one record leaves the others in memory`(deed: Deed) async throws {
    try await run { temporary, values in
      try await deed.run(values, temporary)
      #expect(memory(values, "b") == .current)
      let other = try temporary.another()
      let (one, there) = (try values.read("a"), try other.bytes("values").read("a"))
      #expect("\(one)" == "\(there)")
      try await other.close()
    }
  }

  @Test func `a read during a store's own commit goes to the file, and later reads do not`()
    async throws
  {
    try await run { temporary, values in
      let memory = temporary.store.storage.database.memory
      let others = try temporary.another().bytes("values")
      for key in ["a", "b"] { _ = try values.read(key) }
      let before = try #require(memory.header)
      memory.beginCommit()
      try await others.put([3], for: "a")
      #expect(self.memory(values, "b") == .outdated)
      let resident = try resident(values, "b")
      memory.admit(resident, size: 1, readUnder: try #require(memory.header))
      #expect(self.memory(values, "b") == .outdated)
      memory.keep(over: before, touching: AffectedKeys("values", ["a"]))
      memory.endCommit()
      #expect(self.memory(values, "a") == .nothing)
      #expect(self.memory(values, "b") == .current)
      try await others.store.close()
    }
  }

  @Test func `another store's commit right after an own one outdates everything`() async throws {
    try await run { temporary, values in
      let memory = temporary.store.storage.database.memory
      let others = try temporary.another().bytes("values")
      for key in ["a", "b"] { _ = try values.read(key) }
      let before = try #require(memory.header)
      memory.beginCommit()
      for value in [3, 4] as [UInt8] { try await others.put([value], for: "a") }
      memory.keep(over: before, touching: AffectedKeys("values", ["a"]))
      memory.endCommit()
      #expect(self.memory(values, "b") == .outdated)
      try await others.store.close()
    }
  }
}
