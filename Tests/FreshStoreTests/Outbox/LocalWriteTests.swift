import FreshStoreTesting
import Rules
import StoreSupport
import Strategies
import Testing

@testable import FreshStore

/// The effect of a local write on its record until its source has answered.
@Suite struct LocalWriteTests: ArticleSuite {
  @Test func `a written value is read at once, and is reported as pending`() async throws {
    try await withArticles { _, articles in
      try await articles.put("old", for: "1")
      let entry = try await articles.write("new", for: "1")

      let reading = try articles.read("1")
      #expect(reading.copy?.value == "new")
      #expect(reading.decision.outcome == .fresh)
      #expect(reading.decision.cause == .pendingWrite)
      #expect(reading.decision.cause.code == "pending-write")
      #expect(entry.kind == .replace && entry.state == .waiting && entry.attempts == 0)
      #expect(entry.size == 5 && entry.key == "1" && entry.collection == "articles")
      #expect(try articles.store.list().map(\.isPending) == [true])
    }
  }

  @Test func `a deleted object is absent at once`() async throws {
    try await withArticles(.offlineFirst) { _, articles in
      try await articles.put("old", for: "1")
      let entry = try await articles.writeDeletion(of: "1")
      let origin = ScriptedOrigin<String> { _ in .value("still there") }

      #expect(try articles.state("1") == .absent)
      #expect(await articles.failure("1", from: origin)?.code == .absent)
      #expect(await articles.failure("1", .sourceFirst, from: origin)?.code == .absent)
      #expect(origin.calls == 0)
      #expect(entry?.kind == .delete)
    }
  }

  @Test(arguments: [Policy.cacheFirst, .offlineFirst, .sourceFirst, .cacheOnly, .strict])
  func `a get serves a written value without a request, however old it is`(
    policy: Policy
  ) async throws {
    try await withArticles { temporary, articles in
      var policy = policy
      policy.hardEnd = .seconds(1)
      policy.eagerRefresh = .afterFraction(0)
      policy.backgroundRefresh = .byCaller
      policy.acceptsVariant = { $0 != nil }
      try await articles.write("new", for: "1")
      temporary.clock.advance(by: .seconds(1_000_000))
      let origin = ScriptedOrigin<String> { _ in .value("theirs") }

      let answer = try await articles.get("1", policy, from: origin)

      #expect(answer.value == "new" && answer.freshness == .fresh && !answer.needsRefresh)
      #expect(origin.calls == 0)
    }
  }

  @Test func `a get of the source's value returns it, and the record stays as it was written`()
    async throws
  {
    try await withArticles { _, articles in
      try await articles.put("old", for: "1")
      try await articles.write("new", for: "1")

      let past = try await articles.get("1", policy: Policy(mode: .bypass)) { _ in
        .value("theirs")
      }
      let only = try await articles.get("1", policy: .sourceOnly) { _ in .value("theirs") }

      #expect(past.value == "theirs" && only.value == "theirs")
      #expect(only.storeFailure?.code == .pendingWrite)
      #expect(try articles.value("1") == "new")
    }
  }

  @Test func `many values are written in one transaction, or none is`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection(
        "articles", of: String.self, admitting: .length(max: 5))

      let entries = try await articles.write(["2": "two", "1": "one"])
      let failure = await storeFailure {
        try await articles.write(["3": "three", "4": "much too long"])
      }

      #expect(entries.map(\.key) == ["1", "2"])
      #expect(try temporary.store.outbox().map(\.key) == ["1", "2"])
      #expect(failure?.key == "4")
      #expect(try articles.value("3") == nil && articles.value("2") == "two")
      #expect(try await articles.write([:]).isEmpty)
      try await temporary.store.drop(entries.map(\.id))
    }
  }

  @Test func `a fetch that began before the write does not overwrite it`()
    async throws
  {
    try await withArticles { _, articles in
      let (latch, began) = (Latch(isOpen: false), Signal())
      let fetching = Task {
        try await articles.get("1") { _ in
          began.fire()
          try await latch.pass()
          return .value("theirs")
        }
      }
      await began.fired()
      try await articles.write("new", for: "1")
      latch.open()

      #expect(try await fetching.value.storeFailure?.code == .pendingWrite)
      #expect(try articles.value("1") == "new")
    }
  }

  @Test func `put and remove refuse a key with a local write, and change nothing`()
    async throws
  {
    try await withArticles { _, articles in
      try await articles.write("new", for: "2")
      try await articles.put("one", for: "3")

      let put = await storeFailure {
        try await articles.put(["1": "x", "2": "x", "3": "x"])
      }
      let removed = await storeFailure { try await articles.remove(["3", "2"]) }

      #expect(put?.code == .pendingWrite && put?.key == "2")
      #expect(removed?.code == .pendingWrite && removed?.key == "2")
      #expect(try articles.value("1") == nil)
      #expect(try articles.value("2") == "new")
      #expect(try articles.value("3") == "one")
      #expect(try await articles.removeAll() == 1)
      #expect(try articles.value("2") == "new")
    }
  }

  @Test func `marks, sweeps, prunes and the queue do not affect it`()
    async throws
  {
    try await withArticles { temporary, articles in
      try await articles.put("old", for: "1", details: FetchDetails(expiry: .immediately))
      _ = try await temporary.store.sweep()
      try await articles.write("new", for: "1")
      #expect(try await articles.markStale("1"))
      try await articles.markAllStale()
      temporary.clock.advance(by: .seconds(1_000_000))

      _ = try await temporary.store.sweep()
      var options = PruneOptions()
      options.maximumCount = 0
      _ = try await temporary.store.prune(options)

      #expect(try articles.state("1") == .fresh)
      #expect(try articles.value("1") == "new")
      #expect(try await temporary.store.due(limit: 10).isEmpty)
      #expect(try temporary.store.nextDue() == nil)
    }
  }

  @Test func `a value that breaks its rules is not written`() async throws {
    try await TemporaryStore.run(configure: { $0.maximumValueSize = 10 }) { temporary in
      let articles = try temporary.store.collection(
        "articles", of: String.self,
        admitting: Rule { value, findings in
          value.isEmpty ? findings.fail(Issue("empty")) : .passed
        })

      let refused = await storeFailure { try await articles.write("", for: "1") }
      let tooLarge = await storeFailure {
        let patch = WriteKind.patch(.init(repeating: 0, count: 11), contentType: "x")
        return try await articles.write("x", for: "1", as: patch)
      }
      let empty = await storeFailure { try await articles.write("x", for: "") }
      let deletion = await storeFailure { try await articles.write("x", for: "1", as: .delete) }
      let nothing = await storeFailure { try await articles.writeDeletion(of: "") }

      if case .refused = refused?.code {} else { Issue.record("\(String(describing: refused))") }
      #expect(tooLarge?.code == .valueTooLarge(bytes: 11, limit: 10))
      #expect(empty?.code == .invalidKey && nothing?.code == .invalidKey)
      #expect(deletion?.code == .invalidArgument("a deletion has no value"))
      #expect(try temporary.store.outbox().isEmpty)
      #expect(try articles.value("1") == nil)
    }
  }

  @Test func `observers are notified, and statistics count`() async throws {
    try await withArticles { temporary, articles in
      let changes = temporary.store.changes()
      try await articles.write("new", for: "1")
      try await articles.write("newer", for: "1")
      try await articles.drain { _ in .accepted }
      let ids = try temporary.store.outbox().map(\.id)
      try await articles.drain { _ in .refused("no") }
      #expect(try temporary.store.statistics().parkedWrites == 1)
      #expect(try temporary.store.statistics().waitingWrites == 0)
      try await temporary.store.drop(ids)

      var kinds: [Change.Kind] = []
      for await change in changes {
        kinds.append(change.kind)
        if kinds.count == 7 { break }
      }
      #expect(
        kinds == [.written, .written, .pushing, .pushed, .pushing, .parked, .restored])
      #expect(try temporary.store.statistics().parkedWrites == 0)
    }
  }

  @Test func `a write outlives a reopening`() async throws {
    try await withArticles { temporary, articles in
      try await articles.write("new", for: "1", as: .patch([1, 2], contentType: "a/b"))
      try await articles.write("other", for: "2", options: WriteOptions(address: "https://x"))
      let before = try temporary.store.outbox()
      try await temporary.store.close()

      let again = try temporary.another()
      let sent = Sent<String>()
      let due = try await again.dueWrites(limit: 10)
      _ = try await again.collection("articles", of: String.self).push(due) { write in
        sent.add(write)
        return .accepted
      }

      #expect(due.map(\.entry.id) == before.map(\.id))
      #expect(due.map(\.address) == [nil, "https://x"])
      #expect(sent.all.map(\.kind) == [.patch([1, 2], contentType: "a/b"), .replace])
      #expect(sent.all.map(\.value) == ["new", "other"])
      #expect(sent.all.map(\.idempotencyKey) == before.map(\.idempotencyKey))
      #expect(try again.outbox().isEmpty)
      try await again.close()
    }
  }

  @Test func `idempotency keys are UUIDs of version 4, and differ`() {
    let keys = (0..<100).map { _ in StoredWrite.newIdempotencyKey() }
    let form = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
    #expect(Set(keys).count == 100)
    #expect(keys.allSatisfy { $0.wholeMatch(of: form) != nil })
  }

  @Test func `an accepted write leaves the record with the address it was sent to`() async throws {
    try await TemporaryStore.run { temporary in
      let articles = try temporary.store.collection("articles", of: String.self)
      try await articles.put("old", for: "1", details: FetchDetails(source: "https://a/1"))
      for key in ["1", "2"] {
        try await articles.write(
          "new", for: key, options: WriteOptions(address: "https://b/\(key)?token=secret"))
        #expect(try articles.read(key).copy?.source == "https://b/\(key)?…")
      }

      try await articles.drain { _ in .accepted(FetchDetails()) }

      for key in ["1", "2"] {
        let copy = try articles.read(key).copy
        #expect(copy?.source == "https://b/\(key)?…")
        #expect(copy?.address == "https://b/\(key)?token=secret")
      }
    }
  }
}
