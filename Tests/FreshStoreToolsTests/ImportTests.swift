import Foundation
import FreshStoreTesting
import Rules
import StoreSupport
import Strategies
import Testing

@testable import FreshStore
@testable import FreshStoreTools

/// The import of another store's export.
@Suite(.timeLimit(.minutes(2))) struct ImportTests {
  private static let header = #"{"format":"freshstore-export","version":1}"# + "\n"

  /// An export of these lines.
  private func export(_ lines: String...) -> [UInt8] {
    Array((Self.header + lines.map { $0 + "\n" }.joined()).utf8)
  }

  private func line(_ key: String, _ text: String, at lastUpdate: Int?) -> String {
    let update = lastUpdate.map { #","lastUpdate":\#($0)"# } ?? ""
    return #"{"collection":"b","key":"\#(key)","text":"\#(text)"\#(update),"codec":"bytes"}"#
  }

  @Test func `an imported stale record is reported as marked, as it waits for a fetch`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let store = temporary.store
      let changes = store.changes()
      let tags = try store.collection("b", codec: AnyBytesCodec())
      try await tags.markAllStale()
      _ = try await store.take(export(line("k", "one", at: 0)))

      var seen: [Change.Kind] = []
      for await change in changes {
        seen.append(change.kind)
        if change.kind == .stored { break }
      }
      for await change in changes {
        #expect(change.kind == .marked)
        break
      }
      #expect(seen == [.marked, .stored])
      #expect(try store.backlog().due == 1)
    }
  }

  @Test func `what only whoever asks for it fetches waits for no refetch after an import`()
    async throws
  {
    try await TemporaryStore.run { first in
      let bytes = try first.store.bytes("b")
      let request = try #require(try await bytes.request(exclusively: "1"))
      var changes = CopyChanges<[UInt8]>()
      changes.additions = [CopyChanges.Addition("1", [1], FetchDetails(metadata: "m"))]
      try await bytes.update(changes, answering: request, about: "1", at: first.clock.reading())
      try await bytes.markStale("1")
      let exported = try await first.store.exported()
      #expect(String(decoding: exported, as: UTF8.self).contains("\"onDemand\":true"))
      try await TemporaryStore.run(clock: first.clock) { second in
        _ = try await second.store.take(exported, chunk: 100)
        #expect(try second.store.backlog().due == 0)
        #expect(try await second.store.exported() == exported)
      }
    }
  }

  // MARK: The law

  /// Corrupted texts.
  private static let texts = [
    "", "plain", "\0", "\u{1}\u{1F}", "\"\\/", "é", "e\u{301}", "\u{2028}\u{FEFF}", "🇩🇪", "{}",
    "null",
    "\r\n",
  ]

  private func random(_ generator: inout SeededGenerator) -> FetchDetails {
    func some<Value>(_ value: Value) -> Value? { Bool.random(using: &generator) ? value : nil }
    func span() -> Duration { .milliseconds(Int64.random(in: 0...1_000_000, using: &generator)) }
    let expiries: [Expiry] = [.never, .immediately, .unstated, .after(span())]
    return FetchDetails(
      lastUpdate: some(
        Timestamp(
          millisecondsSinceEpoch: .random(in: -1_000_000...2_000_000_000_000, using: &generator))),
      expiry: expiries.randomElement(using: &generator), graceWhileRevalidating: some(span()),
      graceOnError: some(span()), hardEnd: some(span()),
      mustRevalidate: .random(using: &generator),
      validators: Validators(
        entityTag: Self.texts.randomElement(using: &generator),
        lastModified: some("Sat, 21 Nov 2026 08:49:37 GMT")),
      tags: Set((0..<Int.random(in: 0...3, using: &generator)).map { "t\($0)" }),
      source: Self.texts.randomElement(using: &generator), address: some("a?b"),
      contentType: some("text/plain"),
      variant: some("v"), metadata: some("m"))
  }

  private func fill(_ store: Store, seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    for (number, text) in Self.texts.enumerated() {
      let name = ["a", "é", "e\u{301}"].randomElement(using: &generator) ?? "a"
      let bytes = try store.collection(
        name, codec: AnyBytesCodec(), contentVersion: .random(in: -1...1, using: &generator))
      let details = random(&generator)
      let key = text + "\(number)"
      switch Int.random(in: 0...3, using: &generator) {
      case 0: try await bytes.forget(key, details)
      case 1: try await bytes.put([0xFF, UInt8(number)], for: key, details: details)
      default:
        try await bytes.put(
          Array(text.utf8), for: key, details: details, isPinned: .random(using: &generator))
      }
      if Int.random(in: 0...3, using: &generator) == 0 { try await bytes.markStale(key) }
    }
    try await store.markStale(tag: "t1")
    try await store.markStale(collection: "é", reason: "é")
  }

  @Test(arguments: 1...12)
  func `an export that is imported into a new store is exported as the same bytes`(
    seed: UInt64
  ) async throws {
    try await TemporaryStore.run { first in
      try await fill(first.store, seed: seed)
      let exported = try await first.store.exported()
      #expect(exported.split(separator: UInt8(ascii: "\n")).count == Self.texts.count + 1)
      try await TemporaryStore.run(clock: first.clock) { second in
        let result = try await second.store.take(exported, chunk: Int(seed) * 7)
        #expect(result.imported == Self.texts.count && result.refused == 0)
        #expect(try await second.store.exported() == exported)
        // A second import writes nothing.
        let again = try await second.store.take(exported)
        #expect(again.imported == 0 && again.kept == Self.texts.count)
        var replacing = ImportOptions()
        replacing.replaces = true
        #expect(try await second.store.take(exported, replacing).imported == Self.texts.count)
        #expect(try await second.store.exported() == exported)
      }
    }
  }

  @Test func `an imported record is as fresh as it was`() async throws {
    let clock = ManualClock()
    try await TemporaryStore.run(clock: clock) { first in
      let bytes = try first.store.bytes("b")
      try await bytes.put([1], for: "1", details: FetchDetails(expiry: .after(.seconds(10))))
      clock.advance(by: .seconds(4))
      let exported = try await first.store.exported()
      try await TemporaryStore.run(clock: clock) { second in
        _ = try await second.store.take(exported)
        let copy = try second.store.bytes("b")
        #expect(try copy.read("1").decision.age == .seconds(4))
        clock.advance(by: .seconds(5.9))
        #expect(try copy.read("1").decision.outcome == .fresh)
        clock.advance(by: .seconds(0.1))
        #expect(try copy.read("1").decision.outcome == .stale)
      }
    }
  }

  // MARK: Two copies

  @Test(
    arguments: [
      (Int?.some(1000), Int?.some(2000), false, "theirs"), (2000, 1000, false, "ours"),
      (1000, 1000, false, "ours"), (nil, 1000, false, "theirs"), (1000, nil, false, "ours"),
      (nil, nil, false, "ours"), (2000, 1000, true, "theirs"), (1000, nil, true, "theirs"),
    ] as [(Int?, Int?, Bool, String)])
  func `the newer copy stays, unless the imported one may replace it`(
    ours: Int?, theirs: Int?, replaces: Bool, winner: String
  ) async throws {
    try await TemporaryStore.run { temporary in
      var options = ImportOptions()
      options.replaces = replaces
      _ = try await temporary.store.take(export(line("1", "ours", at: ours)))
      options.isDryRun = true
      let told = try await temporary.store.take(export(line("1", "theirs", at: theirs)), options)
      let bytes = try temporary.store.bytes("b")
      #expect(try bytes.read("1").copy?.value == Array("ours".utf8))
      options.isDryRun = false
      var done = try await temporary.store.take(export(line("1", "theirs", at: theirs)), options)
      #expect(try bytes.read("1").copy?.value == Array(winner.utf8))
      #expect(done.imported == (winner == "theirs" ? 1 : 0))
      #expect(done.kept == (winner == "ours" ? 1 : 0))
      done.isDryRun = true
      #expect(told == done)
    }
  }

  @Test func `a copy whose own dates are damaged is replaced by any other`() async throws {
    try await TemporaryStore.run { temporary in
      _ = try await temporary.store.take(export(line("1", "ours", at: 2000)))
      try RawDatabase(temporary.path).execute("UPDATE record SET last_update = last_update + 1")
      let result = try await temporary.store.take(export(line("1", "theirs", at: 1000)))
      #expect(result.imported == 1)
      #expect(try temporary.store.bytes("b").value("1") == Array("theirs".utf8))
    }
  }

  @Test func `a record with a local write is never overwritten`() async throws {
    try await TemporaryStore.run { temporary in
      let bytes = try temporary.store.bytes("b")
      try await bytes.write(Array("mine".utf8), for: "1")
      var options = ImportOptions()
      options.replaces = true
      let result = try await temporary.store.take(
        export(line("1", "theirs", at: 4_000_000_000_000), line("2", "theirs", at: 1)), options)
      #expect(result.pending == 1 && result.imported == 1)
      #expect(try bytes.value("1") == Array("mine".utf8))
      #expect(try temporary.store.outbox().count == 1)
      try await temporary.store.drop(temporary.store.outbox().map(\.id))
      #expect(try bytes.state("1") == .missing)
    }
  }

  @Test func `a local pin stays, and only a replacement removes it`() async throws {
    try await TemporaryStore.run { temporary in
      let bytes = try temporary.store.bytes("b")
      _ = try await temporary.store.take(export(line("1", "a", at: 1)))
      try await bytes.setPinned(true, for: "1")
      _ = try await temporary.store.take(export(line("1", "b", at: 2)))
      #expect(try temporary.store.list().map(\.isPinned) == [true])
      var options = ImportOptions()
      options.replaces = true
      _ = try await temporary.store.take(export(line("1", "b", at: 2)), options)
      #expect(try temporary.store.list().map(\.isPinned) == [false])
    }
  }

  @Test(arguments: [0, 7200, -7200])
  func `a record marked here after the copy's last update is stale, however the clock is set`(
    step: Int
  ) async throws {
    let clock = ManualClock()
    try await TemporaryStore.run(clock: clock) { temporary in
      let marked = Int(clock.reading().wall.millisecondsSinceEpoch) + step * 1000
      try await temporary.store.markStale(collection: "b", reason: "logged out")
      clock.advance(by: .seconds(10))
      clock.stepWall(by: .seconds(step))
      let never = #","expiry":"never"}"#
      _ = try await temporary.store.take(
        export(
          String(line("before", "a", at: marked - 1).dropLast()) + never,
          String(line("after", "a", at: marked + 1).dropLast()) + never))
      let bytes = try temporary.store.bytes("b")
      #expect(try bytes.read("before").decision.outcome == .stale)
      #expect(try bytes.read("after").decision.outcome == .fresh)
    }
  }

  @Test(arguments: [0, 7200, -7200])
  func `a mark on a record is not ended by an older copy`(
    step: Int
  ) async throws {
    let clock = ManualClock()
    try await TemporaryStore.run(clock: clock) { temporary in
      let bytes = try temporary.store.bytes("b")
      try await bytes.put([1], for: "k", details: FetchDetails(expiry: .never))
      clock.advance(by: .seconds(10))
      try await bytes.markStale("k")
      let marked = Int(clock.reading().wall.millisecondsSinceEpoch) + step * 1000
      clock.advance(by: .seconds(10))
      clock.stepWall(by: .seconds(step))
      let copy = String(line("k", "a", at: marked - 1).dropLast()) + #","expiry":"never"}"#
      #expect(try await temporary.store.take(export(copy)).imported == 1)
      #expect(try bytes.read("k").decision.outcome == .stale)
    }
  }

  @Test(arguments: [Int64.min, Int64.min + 1, Int64.max])
  func `a mark of any moment can be read, imported and exported`(at moment: Int64) async throws {
    try await TemporaryStore.run { temporary in
      let mark = #","stale":{"at":\#(moment),"reason":"old","explicit":true}"#
      let copy = String(line("k", "a", at: 0).dropLast()) + mark + "}"
      #expect(try await temporary.store.take(export(copy)).imported == 1)
      #expect(try temporary.store.bytes("b").read("k").decision.outcome == .stale)
      _ = try await temporary.store.flushMarks().get()
      #expect(try await temporary.store.due(limit: 1).count == 1)
    }
  }

  // MARK: Bad input

  @Test(arguments: [
    ("{", "at byte"), ("[]", "it must be a JSON object"), ("nonsense", "at byte"),
    (#"{"key":"k","text":""}"#, "collection: it is missing"),
    (#"{"collection":"","key":"k","text":""}"#, "collection: a collection's name"),
    (#"{"collection":"b","key":"","text":""}"#, "key: a key is 1 to 1,024 bytes"),
    (#"{"collection":"b","key":1,"text":""}"#, "key: it must be a text"),
    (#"{"collection":"b","key":"k"}"#, "one of text, base64"),
    (#"{"collection":"b","key":"k","text":"","absent":true}"#, "one of text, base64"),
    (#"{"collection":"b","key":"k","text":"","base64":""}"#, "one of text, base64"),
    (#"{"collection":"b","key":"k","base64":"?"}"#, "base64: it is not base64"),
    (#"{"collection":"b","key":"k","text":"","expiry":-1}"#, "expiry: it must be milliseconds"),
    (#"{"collection":"b","key":"k","text":"","expiry":"ever"}"#, "expiry: it must be"),
    (#"{"collection":"b","key":"k","text":"","lastUpdate":1.5}"#, "lastUpdate: it must be a whole"),
    (#"{"collection":"b","key":"k","text":"","lastUpdate":1e30}"#, "lastUpdate: it must be"),
    (#"{"collection":"b","key":"k","text":"","pinned":1}"#, "pinned: it must be true or false"),
    (#"{"collection":"b","key":"k","text":"","tags":"t"}"#, "tags: it must be a list"),
    (#"{"collection":"b","key":"k","text":"","tags":[""]}"#, "tags: each must be a text"),
    (#"{"collection":"b","key":"k","text":"","stale":1}"#, "stale: it must be an object"),
    (#"{"collection":"b","key":"k","text":"","stale":{"at":1}}"#, "stale.reason: it is missing"),
    (
      #"{"collection":"b","key":"k","text":"","stale":{"at":1,"reason":"r","x":1}}"#,
      #"stale."x": no field"#
    ),
    (#"{"collection":"b","key":"k","text":"","expires":1}"#, #""expires": no field"#),
    (#"{"collection":"b","key":"k","key":"k","text":""}"#, "occurs twice"),
    (
      #"{"collection":"b","key":"k","text":"\#(String(repeating: "x", count: 2000))"}"#,
      "2000 bytes"
    ),
    (
      #"{"collection":"b","key":"k","text":"\#(String(repeating: "x", count: 1 << 21))"}"#,
      "too long"
    ),
  ])
  func `a bad line is reported by its number, and the others are imported`(
    bad: String, words: String
  ) async throws {
    try await TemporaryStore.run(configure: { $0.maximumValueSize = 1000 }) { temporary in
      let refusals = Recorder<ImportRefusal>()
      var options = ImportOptions()
      options.refused = { refusals.add($0) }
      let result = try await temporary.store.take(
        export(line("1", "a", at: 1), "", bad, line("2", "a", at: 1)), options)
      #expect(result.imported == 2 && result.refused == 1 && result.records == 3)
      #expect(refusals.all.map(\.line) == [4])
      #expect(refusals.last?.reason.contains(words) == true)
      #expect(try temporary.store.list().map(\.key) == ["1", "2"])
    }
  }

  @Test(arguments: [
    "", "\n", "nonsense\n", #"{"collection":"b","key":"k","text":""}"# + "\n",
    #"{"format":"other","version":1}"# + "\n", #"{"format":"freshstore-export"}"#,
    #"{"format":"freshstore-export","version":2}"# + "\n",
  ])
  func `a file that is no export is not imported at all`(text: String) async throws {
    try await TemporaryStore.run { temporary in
      let failure = await storeFailure {
        try await temporary.store.take(Array((text + line("1", "a", at: 1) + "\n").utf8))
      }
      guard case .notAnExport? = failure?.code else {
        Testing.Issue.record("\(String(describing: failure))")
        return
      }
      let listed = try temporary.store.list()
      #expect(listed.isEmpty)
    }
  }

  @Test func `an export without records, without a last LF or with CR is valid`() async throws {
    try await TemporaryStore.run { temporary in
      let empty = try await temporary.store.take(export())
      #expect(empty.records == 0)
      let text =
        String(Self.header.dropLast()) + "\r\n" + line("1", "a", at: 1) + "\r\n\r\n"
        + line("2", "a", at: 1)
      #expect(try await temporary.store.take(Array(text.utf8), chunk: 1).imported == 2)
    }
  }

  @Test func `rules are checked for every value, and a schema's steps are applied`() async throws {
    try await TemporaryStore.run { temporary in
      let refusals = Recorder<ImportRefusal>()
      var options = ImportOptions()
      options.refused = { refusals.add($0) }
      options.rules = try temporary.store.bytes(
        "rules", admitting: Rule(code: "short", message: "must be short") { $0.count < 3 })
      let result = try await temporary.store.take(
        export(line("1", "ab", at: 1), line("2", "abc", at: 1)), options)
      #expect(result.imported == 1 && result.refused == 1)
      #expect(refusals.last?.report?.issues.count == 1)
      #expect(refusals.last?.key == "2" && refusals.last?.line == 3)
    }
  }

  @Test func `a cancelled import can be completed by another`() async throws {
    try await TemporaryStore.run { temporary in
      let lines = (0..<600).map { line("\($0)", "a", at: 1) + "\n" }.joined()
      let bytes = Array((Self.header + lines).utf8)
      let store = temporary.store
      let (gate, keeping) = AsyncStream.makeStream(of: Void.self)
      let task = Task {
        // Ends when the task is cancelled.
        for await _ in gate {}
        return try await store.take(bytes)
      }
      task.cancel()
      let result = await task.result
      #expect(await storeFailure { _ = try result.get() }?.code == .cancelled)
      keeping.finish()
      #expect(try store.list().count < 600)
      _ = try await store.take(bytes)
      #expect(try store.list().count == 600)
    }
  }

  @Test func `a read-only store imports nothing, and can report the result of a dry run`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      var configuration = Configuration(reachability: temporary.reachability)
      configuration.access = .readOnly
      let reader = try Store(path: temporary.path, configuration: configuration)
      let bytes = export(line("1", "a", at: 1))
      #expect(await storeFailure { try await reader.take(bytes) }?.code == .readOnly)
      var options = ImportOptions()
      options.isDryRun = true
      #expect(try await reader.take(bytes, options).imported == 1)
      try await reader.close()
    }
  }
}
