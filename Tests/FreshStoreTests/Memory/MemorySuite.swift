import FreshStoreTesting

@testable import FreshStore

/// Tests of the memory of a store.
protocol MemorySuite {}

extension MemorySuite {
  func memory(_ values: RecordCollection<[UInt8]>, _ key: String) -> MemoryLook {
    switch values.store.storage.database.memory.find(key, values.kind) {
    case .nothing: .nothing
    case .current: .current
    case .outdated: .outdated
    }
  }

  /// A store with the records `a` and `b`, which are in memory.
  func run(
    configure: @escaping @Sendable (inout Configuration) -> Void = { _ in },
    _ body: (TemporaryStore, RecordCollection<[UInt8]>) async throws -> Void
  ) async throws {
    try await TemporaryStore.run(configure: configure) { temporary in
      let values = try temporary.store.bytes("values")
      try await values.put(["a": [1], "b": [2]])
      for key in ["a", "b"] { _ = try values.read(key) }
      try await body(temporary, values)
    }
  }
}
