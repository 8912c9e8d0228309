import Foundation
import FreshStore
import FreshStoreTesting
import Testing

/// Several processes on one file; the leases and the time are real.
@Suite(.timeLimit(.minutes(2))) struct ProcessTests {
  private let folder: TemporaryFolder
  private let database: String
  private let log: String

  init() throws {
    folder = try TemporaryFolder()
    database = folder.file("store.db")
    log = folder.file("fetches")
  }

  private func worker(holds: Bool = false) throws -> WorkerProcess {
    try WorkerProcess(database: database, key: "key", log: log, holds: holds)
  }

  private var fetches: [String] {
    get throws {
      try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
    }
  }

  private func stored() async throws -> String? {
    let store = try Store(path: database)
    let reading = try store.bytes("values").read("key")
    #expect(try await store.check().isSound)
    try await store.close()
    return reading.copy.map { String(decoding: $0.value, as: UTF8.self) }
  }

  @Test func `eight concurrent processes share one fetch`() async throws {
    let workers = try (0..<8).map { _ in try worker() }
    for worker in workers { #expect(await worker.line() == "ready") }
    for worker in workers { try worker.goOn() }

    var values: Set<String> = []
    for worker in workers {
      values.insert(String(await worker.line().prefix { $0.isLetter || $0.isNumber || $0 == " " }))
    }
    let owner = try #require(try fetches.first)

    #expect(try fetches.count == 1)
    #expect(values == ["from \(owner) fetched ", "from \(owner) fresh "])
    #expect(try await stored() == "from \(owner)")
  }

  @Test func `a killed owner's key is handed over`() async throws {
    let owner = try worker(holds: true)
    let heir = try worker()
    #expect(await owner.line() == "ready")
    #expect(await heir.line() == "ready")
    try owner.goOn()
    #expect(await owner.line() == "fetching")
    try heir.goOn()

    owner.signal(SIGKILL)

    #expect(await heir.line() == "from \(heir.identifier) fetched -")
    #expect(try fetches == ["\(owner.identifier)", "\(heir.identifier)"])
    #expect(try await stored() == "from \(heir.identifier)")
  }

  @Test func `an owner that wakes up late cannot overwrite its successor's value`() async throws {
    let owner = try worker(holds: true)
    let heir = try worker()
    #expect(await owner.line() == "ready")
    #expect(await heir.line() == "ready")
    try owner.goOn()
    #expect(await owner.line() == "fetching")
    owner.signal(SIGSTOP)
    try heir.goOn()
    #expect(await heir.line() == "from \(heir.identifier) fetched -")

    owner.signal(SIGCONT)
    try owner.goOn()

    #expect(await owner.line() == "from \(owner.identifier) fetched superseded")
    #expect(try await stored() == "from \(heir.identifier)")
  }

  @Test func `a forked child is refused, in memory or not`() async throws {
    let worker = try await WorkerProcess(commandedOn: database)
    try await worker.run("put key")
    try await worker.run("readInChild key")
    try await worker.run("readInChild nothing")
  }
}
