import Foundation
import FreshStoreTesting
import StoreSupport
import Strategies
import Testing

@testable import FreshStore
@testable import FreshStoreTools

/// Records that are exported from one store and imported into another.
@Suite(.timeLimit(.minutes(2))) struct ExportTests {
  private func text(_ store: Store, collection: String? = nil) async throws -> String {
    try await String(decoding: store.exported(collection), as: UTF8.self)
  }

  @Test func `a record is one line with everything that determines its freshness`() async throws {
    try await TemporaryStore.run { temporary in
      let moment = Timestamp(millisecondsSinceEpoch: 1_700_000_000_123)
      try await temporary.store.bytes("b").put(
        Array("a \"text\"\n".utf8), for: "k/1",
        details: FetchDetails(
          lastUpdate: moment, expiry: .after(.seconds(60)),
          graceWhileRevalidating: .seconds(1), graceOnError: .seconds(2), hardEnd: .seconds(3),
          mustRevalidate: true, validators: Validators(entityTag: "\"e\"", lastModified: "then"),
          tags: ["z", "a"], source: "s", address: "s?q", contentType: "text/plain", variant: "v",
          metadata: "m"),
        isPinned: true)
      #expect(
        try await text(temporary.store) == """
          {"format":"freshstore-export","version":1}
          {"collection":"b","key":"k/1","text":"a \\"text\\"\\n","lastUpdate":1700000000123,\
          "expiry":60000,"entityTag":"\\"e\\"","lastModified":"then","source":"s",\
          "address":"s?q","contentType":"text/plain","codec":"bytes","variant":"v","metadata":"m","hardEnd":3000,\
          "graceWhileRevalidating":1000,"graceOnError":2000,"mustRevalidate":true,\
          "tags":["a","z"],"pinned":true}

          """)
    }
  }

  @Test(arguments: [
    ("line\n\ttab\r", #""text":"line\n\ttab\r""#), ("\u{1B}[1m", #""text":"\u001b[1m""#),
    ("a\u{0}b", #""base64":"YQBi""#), ("\u{1}", #""base64":"AQ==""#), ("é\u{7F}", "\"text\""),
  ])
  func `text is text, and a value with other control characters is base64`(
    value: String, field: String
  ) async throws {
    try await TemporaryStore.run { temporary in
      try await temporary.store.bytes("b").put(Array(value.utf8), for: "1")
      #expect(try await text(temporary.store).contains(field))
    }
  }

  @Test func `binary values are base64, and absences are stated`() async throws {
    try await TemporaryStore.run { temporary in
      let bytes = try temporary.store.bytes("b")
      let details = FetchDetails(
        lastUpdate: Timestamp(millisecondsSinceEpoch: 5), expiry: .never)
      try await bytes.put([0xFF, 0], for: "1", details: details)
      try await bytes.forget("2", details)
      try await bytes.put([], for: "3", details: details)
      let common = #""lastUpdate":5,"expiry":"never""#
      let lines = try await text(temporary.store).split(separator: "\n").dropFirst()
      #expect(lines.count == 3)
      #expect(
        lines.first == #"{"collection":"b","key":"1","base64":"/wA=",\#(common),"codec":"bytes"}"#)
      #expect(
        lines.dropFirst().first?.hasPrefix(
          #"{"collection":"b","key":"2","absent":true,"lastUpdate":"#) == true)
      #expect(
        lines.last == #"{"collection":"b","key":"3","text":"",\#(common),"codec":"bytes"}"#)
    }
  }

  @Test func `marks of every kind are exported as the record's own`() async throws {
    let clock = ManualClock()
    try await TemporaryStore.run(clock: clock) { temporary in
      let bytes = try temporary.store.bytes("b")
      let details = FetchDetails(expiry: .never, tags: ["t"])
      for key in ["by key", "by tag", "prefix 1", "fresh"] {
        try await bytes.put(
          [1], for: key, details: key == "by tag" ? details : FetchDetails(expiry: .never))
      }
      clock.advance(by: .seconds(1))
      try await bytes.markStale("by key", reason: "one")
      try await temporary.store.markStale(tag: "t", reason: "two")
      try await bytes.markStale(prefix: "prefix", reason: "three")
      let at = clock.reading().wall.millisecondsSinceEpoch
      for (key, reason) in [("by key", "one"), ("by tag", "two"), ("prefix 1", "three")] {
        let line = try #require(
          try await text(temporary.store).split(separator: "\n").first { $0.contains(key) })
        #expect(
          line.contains(#""stale":{"at":\#(at),"reason":"\#(reason)","explicit":true}"#))
      }
      let fresh = try await text(temporary.store).split(separator: "\n").first {
        $0.contains("fresh\",")
      }
      #expect(fresh?.contains("stale") == false)
    }
  }

  @Test func `a record with local writes is exported with its source's last known value`()
    async throws
  {
    try await TemporaryStore.run { temporary in
      let bytes = try temporary.store.bytes("b")
      try await bytes.put(Array("old".utf8), for: "1", details: FetchDetails(tags: ["t"]))
      let before = try await text(temporary.store)
      try await bytes.write(Array("new".utf8), for: "1")
      try await bytes.write(Array("new".utf8), for: "unknown to its source")
      #expect(try await text(temporary.store) == before)
      #expect(try temporary.store.localWrites() == 2)
      #expect(try temporary.store.localWrites(collection: "others") == 0)
      try await temporary.store.markStale(tag: "t", reason: "r")
      #expect(try await text(temporary.store).contains(#""reason":"r","explicit":true"#))
      // The pin belongs to the local user, not to the source.
      try await bytes.setPinned(true, for: "1")
      #expect(try await text(temporary.store).contains(#""pinned":true"#))
    }
  }

  @Test(arguments: ["value = x'02'", "flags = 2"])
  func `a damaged record is left out and named`(damage: String) async throws {
    try await TemporaryStore.run { temporary in
      let bytes = try temporary.store.bytes("b")
      for key in ["1", "2"] { try await bytes.put([1], for: key) }
      try RawDatabase(temporary.path).execute("UPDATE record SET \(damage) WHERE key = '1'")
      var (records, damaged) = (0, [String]())
      for try await part in temporary.store.exporting() {
        records += part.records
        damaged += part.damagedRecords
      }
      #expect(records == 1 && damaged == ["b/1"])
      try await bytes.remove("1")
    }
  }

  @Test func `one collection is exported alone, and parts join without a gap`() async throws {
    try await TemporaryStore.run { temporary in
      for name in ["a", "b", "c"] {
        let bytes = try temporary.store.bytes(name)
        for start in stride(from: 0, to: 600, by: 100) {
          try await bytes.put(
            Dictionary(
              uniqueKeysWithValues: (start..<start + 100).map { ("\($0)", [UInt8]("\($0)".utf8)) }),
            durability: .normal)
        }
        for number in 0..<3 {
          try await bytes.put(
            .init(repeating: 0x61, count: 1 << 20), for: "big \(number)", durability: .normal)
        }
      }
      #expect(try await text(temporary.store).split(separator: "\n").count == 3 * 603 + 1)
      let one = try await text(temporary.store, collection: "b").split(separator: "\n").dropFirst()
      #expect(one.count == 603)
      #expect(one.allSatisfy { $0.hasPrefix(#"{"collection":"b","#) })
      #expect(try await text(temporary.store, collection: "none").split(separator: "\n").count == 1)
    }
  }

  @Test func `only the last update moves with a wall clock that was set`()
    async throws
  {
    let clock = ManualClock()
    try await TemporaryStore.run(clock: clock) { temporary in
      try await temporary.store.bytes("b").put([1], for: "1")
      let before = try await text(temporary.store)
      clock.advance(by: .seconds(100))
      #expect(try await text(temporary.store) == before)
      clock.stepWall(by: .milliseconds(3))
      #expect(try await text(temporary.store) == before)
      clock.stepWall(by: .seconds(3600))
      let moved = clock.reading().wall.advanced(by: .seconds(-100)).millisecondsSinceEpoch
      #expect(try await text(temporary.store).contains("\"lastUpdate\":\(moved),"))
    }
  }

  @Test func `a cancelled export fails, so that it is not taken for complete`() async throws {
    try await TemporaryStore.run { temporary in
      let store = temporary.store
      let (gate, keeping) = AsyncStream.makeStream(of: Void.self)
      let task = Task {
        // Ends when the task is cancelled.
        for await _ in gate {}
        return try await store.exported()
      }
      task.cancel()
      let result = await task.result
      #expect(await storeFailure { _ = try result.get() }?.code == .cancelled)
      keeping.finish()
    }
  }
}
