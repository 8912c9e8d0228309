import FreshStoreTesting
import Testing

@testable import FreshStore

/// Tests of the memory of a store.
protocol MemorySuite {}

extension MemorySuite {
  func memory(_ values: RecordCollection<[UInt8]>, _ key: String) -> MemoryLook {
    guard let found = values.store.storage.database.memory.find(key, values.kind) else {
      return .nothing
    }
    return found.isCurrent ? .current : .outdated
  }

  /// A record as memory keeps it, of the row that is in the file now.
  func resident(_ values: RecordCollection<[UInt8]>, _ key: String) throws -> Resident {
    let record = try #require(try values.store.storage.record(values.name, key))
    return Resident(
      StoredRow(record), values.kind, box: ValueBox(record.content.value ?? []))
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
