#if CommandLine
  import Foundation
  import FreshStore
  import Testing

  /// The command reports a damaged state below a local write.
  @Suite(.serialized, .timeLimit(.minutes(2))) struct DamagedBaseTests {
    /// A store with a local write. The known state of its source is damaged on the disk.
    private func playground() async throws -> Playground {
      let playground = try Playground()
      let store = try Store(path: playground.database)
      let values = try store.bytes("c")
      try await values.put(Array("<known to be held>".utf8), for: "1")
      try await values.write(Array("mine".utf8), for: "1")
      try await store.close()
      let url = URL(fileURLWithPath: playground.database)
      var bytes = try Data(contentsOf: url)
      while let range = bytes.range(of: Data("<known to be held>".utf8)) {
        bytes[range.lowerBound] = 0
      }
      try bytes.write(to: url)
      return playground
    }

    @Test func `the check names the record, in words and as JSON`() async throws {
      let playground = try await playground()
      let problem =
        "the known state of its source below a local write: its value does not match its checksum"
      let text = try await playground.run("check")
      #expect(text.status == 7)
      #expect(text.text.contains("damaged record: c/1: \(problem)\n"))
      let json = try await playground.run("check", "--json")
      #expect(json.status == 7)
      let damaged = try #require(try json.object["damagedRecords"] as? [[String: String]])
      #expect(damaged == [["collection": "c", "key": "1", "problem": problem]])
    }

    @Test func `a drop says that the record has no value until it is fetched`() async throws {
      let playground = try await playground()
      let run = try await playground.runAlone(["outbox", "drop", "--db", playground.database, "1"])
      #expect(run.status == 0)
      #expect(run.error.contains("\"1\" of c: what its source was known to hold is damaged"))
      #expect(try await playground.run("check").status == 0)
    }
  }
#endif
