import Foundation
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// A wiped store holds nothing of its user.
@Suite(.timeLimit(.minutes(5))) struct WipeTests {
  /// Part of every text and value that the tests store.
  private static let secret = "SECRET"

  private func filesWithSecret(_ folder: TemporaryFolder) async throws -> [String] {
    try await folder.files(with: Self.secret)
  }

  private static var policy: Policy { .cacheFirst.origin("https://SECRET.example") }

  /// Stores secrets in every place that a store has for them.
  private func fill(_ store: Store) async throws {
    let notes = try store.collection("SECRET notes", of: String.self, policy: Self.policy)
    for number in 0..<200 {
      try await notes.put(
        String(repeating: "SECRET value ", count: 1 + number * 7 % 1000), for: "SECRET \(number)",
        details: FetchDetails(
          validators: Validators(entityTag: "\"SECRET\""), tags: ["SECRET tag"],
          source: "https://SECRET.example/", metadata: "SECRET"), durability: .normal)
    }
    // Freed pages keep what they held.
    for number in 0..<60 { try await notes.remove("SECRET \(number)", durability: .normal) }
    try await store.markStale(tag: "SECRET tag", reason: "SECRET reason")
    try await notes.write("SECRET write", for: "SECRET 70")
    try await notes.write("SECRET parked", for: "SECRET 71")
    try await notes.drain { write in
      if write.key == "SECRET 71" { return .refused("SECRET refusal") }
      throw OriginFailure(retryAfter: .seconds(1))
    }
    _ = await notes.failure(
      "SECRET failing", from: ScriptedOrigin { _ in throw OriginFailure() })
    _ = try await notes.follow("SECRET list") { _ in
      .full(
        ["SECRET 80": .value("SECRET listed", FetchDetails()), "SECRET new": .named],
        cursor: "SECRET cursor")
    }
    try await notes.setPinned(true, for: "SECRET 80")
    _ = try await notes.follow("SECRET list") { _ in
      .delta([:], removals: ["SECRET 80"], cursor: "SECRET next")
    }
    try await store.hold("https://held.example", because: "SECRET hold")
    _ = try notes.read("SECRET 90")
  }

  @Test(arguments: [false, true])
  func `no byte of it is left in any file, whoever else has the file open`(
    isShared: Bool
  ) async throws {
    try await TemporaryStore.run { temporary in
      let other = isShared ? try temporary.another() : nil
      try await fill(temporary.store)
      _ = try other?.list(limit: 1000)
      let before = try await filesWithSecret(temporary.folder)

      let result = try await temporary.store.wipe()
      let after = try await filesWithSecret(temporary.folder)

      #expect(!before.isEmpty && after.isEmpty)
      #expect(result == WipeResult())
      #expect(try temporary.store.statistics().fileBytes < 200_000)
      #expect(try await temporary.store.check().isSound)
      try await other?.close()
    }
  }

  @Test(arguments: [false, true])
  func `a store with a local write that is not sent, or parked, can be spared`(
    isParked: Bool
  ) async throws {
    try await TemporaryStore.run { temporary in
      let store = temporary.store
      let notes = try store.collection("notes", of: String.self)
      try await notes.write("mine", for: "1")
      if isParked { try await notes.drain { _ in .refused("no") } }

      let failure = await storeFailure { try await store.wipe(droppingUnsent: false) }
      #expect(failure?.code == .pendingWrite && failure?.operation == .wipe)
      #expect(try store.outbox().count == 1 && store.list().map(\.key) == ["1"])

      try await store.drop(try store.outbox().map(\.id))
      try await store.wipe(droppingUnsent: false)
      #expect(try store.list().isEmpty)
    }
  }

  @Test func `every table is empty but for numbers and names of processes and marks`() async throws
  {
    try await TemporaryStore.run { temporary in
      try await fill(temporary.store)
      try await temporary.store.wipe()

      let raw = try RawDatabase(temporary.path)
      let tables = try raw.rows("SELECT name FROM sqlite_schema WHERE type = 'table'").map { $0[0] }
      var filled: [String] = []
      for table in tables where try raw.integer("SELECT count(*) FROM \(table)") > 0 {
        filled.append(table)
      }
      #expect(
        Set(filled).isSubset(of: [
          "state", "clock", "change", "observer", "sqlite_sequence", "origin", "salvage",
        ]))
      #expect(try raw.rows("SELECT collection, key FROM change") == [["", ""]])
      #expect(try raw.rows("SELECT name FROM origin") == [["https://held.example:443"]])
    }
  }

  @Test func `the store works as before, and no number is drawn again`() async throws {
    try await TemporaryStore.run { temporary in
      let store = temporary.store
      try await fill(store)
      let notes = try store.collection("notes", of: String.self)
      try await notes.write("last", for: "1")
      let last = try #require(try store.outbox(limit: 10).map(\.id).max())
      let number = try store.storage.currentNumber()

      try await store.wipe()
      try await notes.write("new", for: "1")
      try await notes.put("two", for: "2")

      #expect(try #require(try store.outbox().first).id > last)
      #expect(try store.outbox().count == 1)
      #expect(try store.storage.currentNumber() > number)
      #expect(try notes.read("1").copy?.value == "new")
      #expect(try store.list().map(\.key) == ["1", "2"])
    }
  }

  @Test func `held origins stay held, in every process, without their reasons or failures`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let other = try temporary.another()
      let origin: Origin = "https://held.example"
      let notes = try other.collection(
        "notes", of: String.self, policy: .offlineFirst.origin(origin))
      _ = await notes.failure("1", from: ScriptedOrigin { _ in throw OriginFailure() })
      try await temporary.store.hold(origin, because: "SECRET has signed out")

      try await temporary.store.wipe()

      let source = ScriptedOrigin<String> { _ in .value("theirs") }
      let failure = await notes.failure("1", from: source)
      #expect(failure?.fetchFailure?.code == .held && source.calls == 0)
      #expect(try other.holds() == [origin: Storage.wipedWhileHeld])
      #expect(try other.failures(of: origin.name) == 0)
      try await other.endPause(origin: origin)
      #expect(try await notes.get("1", from: source).value == "theirs")
      try await other.close()
    }
  }

  @Test func `a second wipe changes nothing, and a new one of an empty store is none`() async throws
  {
    try await TemporaryStore.run { temporary in
      try await temporary.store.wipe()
      try await fill(temporary.store)
      try await temporary.store.wipe()
      let bytes = try temporary.store.statistics().fileBytes
      try await temporary.store.wipe()
      #expect(try temporary.store.statistics().fileBytes == bytes)
      #expect(try temporary.store.list().isEmpty)
    }
  }

  @Test func `neither this store nor another serves from memory what was wiped`() async throws {
    try await TemporaryStore.run { temporary in
      let other = try temporary.another()
      let stores = [temporary.store, other]
      let notes = try stores.map { try $0.collection("notes", of: String.self) }
      try await notes[0].put("SECRET", for: "1")
      for _ in 0..<3 {
        for collection in notes { #expect(try collection.servableValue("1") == "SECRET") }
      }

      try await temporary.store.wipe()

      for collection in notes {
        #expect(try collection.servableValue("1") == nil)
        #expect(try collection.state("1") == .missing)
      }
      try await other.close()
    }
  }

  @Test func `observers learn that everything is gone, here and in another store`() async throws {
    try await TemporaryStore.run { temporary in
      let other = try temporary.another()
      let notes = try temporary.store.collection("notes", of: String.self)
      try await notes.put("SECRET", for: "1")
      let (here, there) = (temporary.store.changes(), other.changes())

      try await temporary.store.wipe()

      for changes in [here, there] {
        let change = await changes.first { $0.kind == .removed || $0.kind == .unknown }
        #expect(change?.collection == nil && change?.key == nil)
      }
      try await other.close()
    }
  }

  @Test func `a fetch that ends afterwards stores nothing, and nobody joins it`() async throws {
    try await TemporaryStore.run { temporary in
      let notes = try temporary.store.collection("notes", of: String.self)
      let origin = ScriptedOrigin<String> { _ in .value("SECRET") }
      origin.hold()
      async let late = notes.get("1", from: origin)
      await origin.calls(atLeast: 1)

      try await temporary.store.wipe()
      let next = ScriptedOrigin<String> { _ in .value("new") }
      let answer = try await notes.get("1", from: next)
      origin.release()
      let outdated = try await late

      #expect(answer.value == "new" && next.calls == 1)
      #expect(outdated.storeFailure?.code == .superseded)
      #expect(try notes.read("1").copy?.value == "new")
    }
  }

  @Test func `a push that ends afterwards stores nothing`() async throws {
    try await TemporaryStore.run { temporary in
      let notes = try temporary.store.collection("SECRET notes", of: String.self)
      try await notes.write("SECRET", for: "SECRET 1")
      let outcomes = try await notes.drain { _ in
        try await temporary.store.wipe()
        return .accepted
      }

      #expect(outcomes["SECRET 1"]?.words == "superseded")
      #expect(try temporary.store.list().isEmpty && temporary.store.outbox().isEmpty)
      #expect(try await filesWithSecret(temporary.folder).isEmpty)
    }
  }

  @Test func `what was written through meanwhile is not stored`() async throws {
    try await TemporaryStore.run { temporary in
      let notes = try temporary.store.collection("notes", of: String.self)
      let written = try await notes.writeThrough("SECRET", for: "1") { value in
        try await temporary.store.wipe()
        return value
      }

      #expect(written.storeFailure?.code == .superseded)
      #expect(try temporary.store.list().isEmpty)
    }
  }

  @Test func `a list that ends afterwards stores nothing`() async throws {
    try await TemporaryStore.run { temporary in
      let notes = try temporary.store.collection("notes", of: String.self)
      await #expect(throws: GetError.self) {
        try await notes.follow("all") { _ in
          try await temporary.store.wipe()
          return .full(["1": .value("SECRET", FetchDetails())], cursor: "SECRET")
        }
      }
      #expect(try temporary.store.list().isEmpty)
      #expect(try notes.members(of: "all").isEmpty)
    }
  }

  @Test func `a reader of an older state is waited for, and another wipe ends what it kept`()
    async throws
  {
    try await TemporaryStore.run(configure: { $0.busyTimeout = .milliseconds(50) }) { temporary in
      let store = temporary.store
      try await fill(store)
      let reader = try RawDatabase(temporary.path)
      try reader.execute("BEGIN; SELECT count(*) FROM record")

      let failure = await storeFailure { try await store.wipe() }
      guard case .wipeUnfinished(let holder) = failure?.code else {
        Issue.record("\(String(describing: failure))")
        return
      }
      // The reader is one of this process.
      #expect(holder == nil)
      #expect(try store.list().isEmpty && store.outbox().isEmpty)
      #expect(try await !filesWithSecret(temporary.folder).isEmpty)

      try reader.execute("COMMIT")
      try await store.wipe()
      #expect(try await filesWithSecret(temporary.folder).isEmpty)
    }
  }

  @Test func `checkpoints and writes of this process, however many, make no wipe end early`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let store = temporary.store
      let photos = try store.bytes("photos")
      let database = store.storage.database
      let others = Task {
        while !Task.isCancelled { _ = await database.moveLog() }
      }
      for round in 0..<20 {
        let writes = Task {
          for number in 0..<10 {
            do throws(StoreError) {
              try await photos.write(
                [UInt8](repeating: 7, count: 100_000), for: "\(round) \(number)")
            } catch {
              // It had begun before.
              guard error.code == .wiped else { throw error }
            }
          }
        }
        _ = await database.moveLog()
        try await store.wipe()
        try await writes.value
      }
      others.cancel()
      await others.value
    }
  }

  @Test(arguments: [false, true])
  func `a damaged file that was moved aside is named, or deleted with its log`(
    removes: Bool
  ) async throws {
    try await TemporaryStore.run { temporary in
      try await fill(temporary.store)
      let aside = temporary.path + ".damaged-1"
      let own = [aside, aside + "-wal", aside + "-outbox"]
      let others = [aside + ".txt", aside + "-wal.old", temporary.path + ".damaged-x"]
      for file in own + others { try Data("SECRET".utf8).write(to: URL(fileURLWithPath: file)) }

      let result = try await temporary.store.wipe(removingDamagedFiles: removes)

      let left = (own + others).filter { FileManager.default.fileExists(atPath: $0) }.sorted()
      // The mark goes in any case: no local write comes back.
      #expect(left == (removes ? others : [own[0], own[1]] + others).sorted())
      #expect(result.damagedFiles == (removes ? [] : [aside]))
      #expect(result.removedFiles == (removes ? [aside, aside + "-wal"] : []))
    }
  }

  @Test func `a store that may not be written is not wiped`() async throws {
    try await TemporaryStore.run { temporary in
      try await fill(temporary.store)
      var configuration = Configuration(reachability: .fixed(.online))
      configuration.access = .readOnly
      let reader = try Store(path: temporary.path, configuration: configuration)
      let failure = await storeFailure { try await reader.wipe() }
      #expect(failure?.code == .readOnly)
      #expect(try !temporary.store.list().isEmpty)
      try await reader.close()
    }
  }
}
