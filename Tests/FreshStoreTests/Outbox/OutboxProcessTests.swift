import Foundation
import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// Local writes of processes that are killed; the time is real.
@Suite(.timeLimit(.minutes(2))) struct OutboxProcessTests {
  private let folder: TemporaryFolder
  private var database: String { folder.file("store.db") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func withStore(
    _ body: (Store, RecordCollection<[UInt8]>) async throws -> Void
  ) async throws {
    let store = try Store(
      path: database, configuration: Configuration(reachability: .fixed(.online)))
    try await body(store, store.bytes("values"))
    #expect(try await store.check().isSound)
    try await store.close()
  }

  @Test func `the writes of a killed process are pushed by the next`() async throws {
    let worker = try await WorkerProcess(commandedOn: database)
    for key in ["1", "2", "1"] { try await worker.run("write \(key)") }
    worker.signal(SIGKILL)
    #expect(await worker.line() == "")

    try await withStore { store, values in
      #expect(try values.value("2") == Array("local".utf8))
      let sent = Sent<[UInt8]>()
      for _ in 0..<2 {
        try await values.drain { write in
          sent.add(write)
          return .accepted
        }
      }
      #expect(sent.all.map(\.key) == ["1", "2", "1"])
      #expect(try store.outbox().isEmpty)
    }
  }

  @Test func `the claim of a process is its own while it lives, and free once it is killed`()
    async throws
  {
    let worker = try await WorkerProcess(commandedOn: database)
    try await worker.run("write 1")
    try await worker.run("claim 3600000")

    try await withStore { store, values in
      #expect(try await store.dueWrites(limit: 1).isEmpty)
      worker.signal(SIGKILL)
      #expect(await worker.line() == "")
      let due = try await store.dueWrites(limit: 1)

      #expect(try values.value("1") == Array("local".utf8))
      #expect(due.map(\.entry.key) == ["1"])
      _ = await values.push(due) { _ in .accepted }
      #expect(try store.outbox().isEmpty)
    }
  }

  @Test func `a process killed during a push leaves the write, and the attempt counted`()
    async throws
  {
    let worker = try await WorkerProcess(commandedOn: database)
    try await worker.run("write 1")
    try await worker.run("hang")
    worker.signal(SIGKILL)
    #expect(await worker.line() == "")

    try await withStore { store, values in
      let entry = try #require(try store.outbox().first)
      #expect(entry.state == .waiting && entry.attempts == 1)
      #expect(try values.value("1") == Array("local".utf8))
      #expect(try store.nextWriteDue().map { $0 <= SystemClock().reading().wall } == true)
      // A write that may have arrived is not merged with.
      try await values.write([1], for: "1", options: WriteOptions(coalesces: true))
      #expect(try store.outbox().count == 2)
    }
  }
}
