import Foundation
import FreshStore
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

/// The commits of other stores on the file, as a store observes them; in most tests those are other
/// processes.
@Suite(.timeLimit(.minutes(2))) struct ForeignChangeTests {
  private let folder: TemporaryFolder
  private let database: String

  init() throws {
    folder = try TemporaryFolder()
    database = folder.file("store.db")
  }

  private func open(_ access: Configuration.Access = .readWrite) throws -> Store {
    var configuration = Configuration(reachability: .fixed(.online))
    configuration.access = access
    return try Store(path: database, configuration: configuration)
  }

  private func first(_ count: Int, of changes: AsyncStream<Change>) async -> [Change] {
    var found: [Change] = []
    for await change in changes {
      found.append(change)
      if found.count == count { break }
    }
    return found
  }

  private func first(_ changes: AsyncStream<Change>) async -> Change? {
    await first(1, of: changes).first
  }

  /// The rows of a table, seen from outside.
  private func count(_ table: String) throws -> Int {
    try RawDatabase(database).integer("SELECT count(*) FROM \(table)")
  }

  @Test func `every kind of change by another process is reported once, in order`() async throws {
    let store = try open()
    let worker = try await WorkerProcess(commandedOn: database)
    let changes = store.changes()
    let commands = [
      "put 1", "get 2", "confirm 2", "mark 1", "markPrefix k", "markTag t", "markAll", "remove 1",
      "remove 2", "remove none", "mark none", "putExpired 3", "sweep", "sweep", "removeAll",
      "removeAll", "put 4", "prune", "prune", "put last",
    ]
    let (none, values): (String?, String?) = (nil, "values")

    for command in commands { try await worker.run(command) }
    let found = await first(15, of: changes)

    #expect(
      found.map(\.kind) == [
        .stored, .stored, .revalidated, .marked, .marked, .marked, .marked, .removed, .removed,
        .stored, .marked, .removed, .stored, .removed, .stored,
      ])
    #expect(
      found.map(\.key) == [
        "1", "2", "2", "1", nil, nil, nil, "1", "2", "3", nil, nil, "4", nil, "last",
      ])
    #expect(
      found.map(\.collection) == [
        values, values, values, values, values, none, values, values, values, values, none, values,
        values, none, values,
      ])
    #expect(found.allSatisfy { $0.missed == 0 })
    try await store.close()
  }

  @Test func `an observer of a key receives only its changes, whichever process commits`()
    async throws
  {
    let store = try open()
    let values = try store.bytes("values")
    let worker = try await WorkerProcess(commandedOn: database)
    let changes = values.changes(of: "2")

    try await worker.run("put 1")
    try await worker.run("put 2")
    try await values.put([], for: "1")
    let other = await first(changes)
    try await values.remove("2")
    let own = await first(changes)

    #expect([other?.kind, own?.kind] == [.stored, .removed])
    try await store.close()
  }

  @Test func `own changes are reported once while others observe too`() async throws {
    let store = try open()
    let values = try store.bytes("values")
    let worker = try await WorkerProcess(commandedOn: database)
    try await worker.run("observe")
    let changes = store.changes()

    for number in 1...3 { try await values.put([], for: "\(number)") }
    try await worker.run("put last")

    #expect(try count("change") == 4)
    #expect(await first(4, of: changes).map(\.key) == ["1", "2", "3", "last"])
    try await store.close()
  }

  @Test func `two stores of one process observe each other`() async throws {
    let (one, two) = (try open(), try open())
    let (ofOne, ofTwo) = (one.changes(), two.changes())

    try await one.bytes("values").put([], for: "1")
    let heard = await [first(ofOne), first(ofTwo)]
    try await two.bytes("values").put([], for: "2")
    let answered = await [first(ofOne), first(ofTwo)]

    #expect(heard.map { $0?.key } == ["1", "1"])
    #expect(answered.map { $0?.key } == ["2", "2"])
    try await one.close()
    try await two.close()
  }

  @Test func `a thousand changes in a row come in order, and none is missing`() async throws {
    let store = try open()
    let worker = try await WorkerProcess(commandedOn: database)
    let changes = store.changes(buffering: 2000)

    try await worker.run("putMany 1000")

    #expect(await first(1000, of: changes).map(\.key) == (1...1000).map { "\($0)" })
    try await store.close()
  }

  @Test func `no change is logged without observers in other stores`() async throws {
    let store = try open()
    let values = try store.bytes("values")
    let worker = try await WorkerProcess(commandedOn: database)
    try await worker.run("put 1")
    #expect(try count("change") == 0)

    let changes = store.changes()
    try await values.put([], for: "own")
    #expect(try count("change") == 0)
    try await worker.run("put 2")
    #expect(try count("change") == 1)

    #expect(await first(2, of: changes).map(\.key) == ["own", "2"])
    try await store.close()
  }

  @Test func `the last observer that stops, and a closing store, leave the list`() async throws {
    let store = try open()
    let worker = try await WorkerProcess(commandedOn: database)
    let task = Task { for await _ in store.changes() {} }
    try await worker.run("observe")
    while try count("observer") < 2 { await Task.yield() }

    task.cancel()
    while try count("observer") > 1 { await Task.yield() }
    try await worker.run("ignore")
    while try count("observer") > 0 { await Task.yield() }
    try await worker.run("observe")
    #expect(try count("observer") == 1)
    let changes = store.changes()
    try await store.close()

    #expect(try count("observer") == 1)
    #expect(await first(changes) == nil)
  }

  @Test func `one entry of the log is kept after all observers have stopped`() async throws {
    let store = try open()
    let worker = try await WorkerProcess(commandedOn: database)
    try await worker.run("observe")
    for number in 1...5 { try await store.bytes("values").put([], for: "\(number)") }
    try await worker.run("ignore")
    while try count("observer") > 0 { await Task.yield() }

    #expect(try RawDatabase(database).rows("SELECT sequence FROM change") == [["5"]])
    try await store.close()
  }

  @Test func `a killed observer is forgotten once its time is over`() async throws {
    let store = try open()
    let values = try store.bytes("values")
    let worker = try await WorkerProcess(commandedOn: database)
    try await worker.run("observe")
    worker.signal(SIGKILL)
    try await values.put([], for: "1")
    #expect(try count("change") == 1)

    try RawDatabase(database).execute("UPDATE observer SET deadline = 1")
    try await values.put([], for: "2")
    #expect(try count("change") == 1)
    let changes = store.changes()

    #expect(try count("observer") == 1)
    try await values.put([], for: "3")
    #expect(await first(changes)?.key == "3")
    try await store.close()
  }

  @Test func `an observer of another boot does not count`() async throws {
    let store = try open()
    let worker = try await WorkerProcess(commandedOn: database)
    try await worker.run("observe")
    try RawDatabase(database).execute("UPDATE observer SET boot = boot + 1")

    try await store.bytes("values").put([], for: "1")

    #expect(try count("change") == 0)
    try await store.close()
  }

  @Test func `an observer that is no longer listed reports a gap, and continues`()
    async throws
  {
    let store = try open()
    let worker = try await WorkerProcess(commandedOn: database)
    let other = try await WorkerProcess(commandedOn: database)
    try await other.run("observe")
    let changes = store.changes()
    try RawDatabase(database).execute(
      "DELETE FROM observer WHERE owner LIKE '\(ProcessInfo.processInfo.processIdentifier)-%'")

    // Logged for the other process; the announcement makes this one look.
    try await worker.run("put 1")
    let gap = await first(changes)
    try await worker.run("put 2")

    #expect(gap?.kind == .unknown && gap?.collection == nil && gap?.key == nil)
    #expect(await first(changes)?.key == "2")
    try await store.close()
  }

  @Test func `entries that were trimmed before they were read are counted as missed`() async throws
  {
    let store = try open()
    let worker = try await WorkerProcess(commandedOn: database)
    let changes = try store.bytes("values").changes(of: "last")
    // As if three entries had been written and removed again.
    try RawDatabase(database).execute(
      "INSERT INTO change (sequence, owner, kind, collection, key) VALUES (3, 'x', 'stored', 'other', NULL); DELETE FROM change WHERE 0"
    )
    try await worker.run("put last")

    let change = await first(changes)

    #expect(change?.missed == 2)
    try await store.close()
  }

  @Test func `an observer hears of a gap before a change that is not its own`() async throws {
    let store = try open()
    let worker = try await WorkerProcess(commandedOn: database)
    let changes = try store.bytes("values").changes(of: "mine")
    try RawDatabase(database).execute(
      "INSERT INTO change (sequence, owner, kind, collection, key) VALUES (3, 'x', 'stored', 'other', NULL)"
    )
    try await worker.run("put theirs")

    let change = await first(changes)

    #expect(change?.kind == .unknown && change?.missed == 2)
    try await store.close()
  }

  @Test func `the log is bounded`() async throws {
    let store = try open()
    let worker = try await WorkerProcess(commandedOn: database)
    try await worker.run("observe")
    try RawDatabase(database).execute(
      """
      INSERT INTO change (sequence, owner, kind, collection, key) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 10495)
        SELECT i, 'x', 'stored', NULL, NULL FROM n
      """)

    try await store.bytes("values").put([], for: "10496")

    #expect(
      try RawDatabase(database).rows("SELECT min(sequence), max(sequence) FROM change")
        == [["497", "10496"]])
    try await store.close()
  }

  @Test func `a replaced file is followed, and the gap is reported`() async throws {
    let store = try open()
    let values = try store.bytes("values")
    let changes = store.changes()
    try await values.put([], for: "old")
    let other = try Store(path: folder.file("other.db"))
    try await other.close()
    for suffix in ["-wal", "-shm"] {
      try FileManager.default.moveItem(
        atPath: database + suffix, toPath: database + ".was" + suffix)
    }
    #expect(unsafe rename(folder.file("other.db"), database) == 0)

    let before = await first(2, of: changes)
    let worker = try await WorkerProcess(commandedOn: database)
    try await worker.run("put theirs")
    let theirs = await first(changes)
    try await values.put([], for: "own")
    let own = await first(changes)

    #expect(before.map(\.kind) == [.stored, .unknown])
    #expect([theirs?.key, own?.key] == ["theirs", "own"])
    #expect(store.health.filesReplaced == 1)
    try await store.close()
  }

  @Test func `a file reached through a link is followed`() async throws {
    let store = try open()
    let link = folder.path + "/sub"
    try FileManager.default.createDirectory(atPath: link, withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: link + "/link.db", withDestinationPath: database)
    let linked = try Store(path: link + "/link.db")
    let (changes, ofLinked) = (store.changes(), linked.changes())

    try await linked.bytes("values").put([], for: "1")
    let heard = await first(changes)
    try await store.bytes("values").put([], for: "2")

    #expect(heard?.key == "1")
    #expect(await first(2, of: ofLinked).map(\.key) == ["1", "2"])
    #expect(!linked.health.pollsForChanges && !store.health.pollsForChanges)
    try await linked.close()
    try await store.close()
  }

  @Test func `a read-only store is notified of a change`() async throws {
    let store = try open()
    let reader = try open(.readOnly)
    let changes = reader.changes()

    try await store.bytes("values").put([], for: "1")

    #expect(await first(changes)?.kind == .unknown)
    #expect(reader.health.pollsForChanges)
    #expect(try count("observer") == 0)
    try await reader.close()
    try await store.close()
  }

  @Test func `a full store makes room although its observers could not be notified`() async throws {
    var configuration = Configuration(reachability: .fixed(.online))
    configuration.maximumSize = 200_000
    let store = try Store(path: database, configuration: configuration)
    let values = try store.bytes("values")
    // Keys so long that the log soon needs a page, and removed so that none becomes free.
    let stem = String(repeating: "k", count: 900)
    var count = 0
    while await storeFailure(of: { try await values.put([1], for: "\(stem)\(count)") }) == nil {
      count += 1
    }
    let worker = try await WorkerProcess(commandedOn: database)
    try await worker.run("observe")

    for first in 0..<3 {
      for number in stride(from: first, to: count, by: 3) {
        try await values.remove("\(stem)\(number)")
      }
    }

    #expect(try store.list().isEmpty)
    try await store.close()
  }

  @Test(.timeLimit(.minutes(1))) func `observing leaves no descriptor open`() async throws {
    let worker = try await WorkerProcess(commandedOn: database)
    try await worker.run("observe")
    #expect(try watches(of: worker) == 1)
    try await worker.run("ignore")
    for _ in 1...20 {
      try await worker.run("observe")
      try await worker.run("ignore")
    }
    while try watches(of: worker) > 0 { await Task.yield() }
  }

  /// The descriptors of its file watches.
  private func watches(of worker: WorkerProcess) throws -> Int {
    let folder = "/proc/\(worker.identifier)/fd"
    return try FileManager.default.contentsOfDirectory(atPath: folder).count { name in
      // A descriptor that was closed since the listing does not count.
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + name)
      return target == "anon_inode:inotify"
    }
  }
}
