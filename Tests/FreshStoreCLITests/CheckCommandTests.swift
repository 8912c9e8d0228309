#if CommandLine
  import Foundation
  import FreshStore
  import FreshStoreTesting
  import Testing

  /// The output of `check` about a file with unreadable parts.
  @Suite(.serialized, .timeLimit(.minutes(2))) struct CheckCommandTests {
    private static let count = 1000
    private static let pageSize = 4096

    /// A store with many records, some of them to a page.
    private func makeStore(_ playground: Playground) async throws {
      let store = try Store(path: playground.database)
      let records = try store.bytes("default")
      let padding = [UInt8](repeating: 0x2E, count: 700)
      try await records.put(
        Dictionary(
          uniqueKeysWithValues: (1...Self.count).map { number in
            ("k\(number)", Array("<value of \(number)>".utf8) + padding)
          }))
      try await store.close()
    }

    /// Overwrites the first page that contains each text, and a value if one is given.
    private func overwrite(
      _ texts: [String], withValues: Bool = true, in playground: Playground
    ) throws {
      let file = try #require(FileHandle(forUpdatingAtPath: playground.database))
      let bytes = try #require(try file.readToEnd())
      for text in texts {
        let page = try #require(
          stride(from: 0, to: bytes.count, by: Self.pageSize).first { start in
            let page = bytes[start..<start + Self.pageSize]
            return page.range(of: Data(text.utf8)) != nil
              && (page.range(of: Data("<value".utf8)) != nil) == withValues
          })
        try file.seek(toOffset: UInt64(page))
        try file.write(contentsOf: Data(repeating: 0xEE, count: Self.pageSize))
      }
      try file.close()
    }

    private func damaged(_ run: Playground.Run) throws -> [String: String] {
      let records = try #require(try run.object["damagedRecords"] as? [[String: String]])
      return Dictionary(
        records.map { ($0["key"] ?? "", $0["problem"] ?? "") },
        uniquingKeysWith: { first, _ in first })
    }

    @Test func `Every record on an unreadable page is listed, and no other`() async throws {
      let playground = try Playground()
      try await makeStore(playground)
      try overwrite(["<value of 50>", "<value of 150>"], in: playground)
      let run = try await playground.run("check", "--json")
      #expect(run.status == 7)
      #expect(try run.object["records"] as? Int == Self.count)
      let damaged = try damaged(run)
      #expect(damaged.keys.contains("k50") && damaged.keys.contains("k150"))
      #expect((2...20).contains(damaged.count))
      #expect(damaged.values.allSatisfy { $0.hasPrefix("its row cannot be read: ") })
      let text = try await playground.run("check").text
      for key in damaged.keys {
        #expect(text.contains("damaged record: default/\(key): its row cannot be read: "))
      }
      #expect(text.hasSuffix("\(Self.count) records looked at, damage found\n"))
      #expect(!text.contains("SELECT"))
      #expect(!run.error.contains("SELECT"))
    }

    @Test func `A record missing from the index of names is reported as a problem`() async throws {
      let playground = try Playground()
      try await makeStore(playground)
      try overwrite(["<value of 50>"], in: playground)
      try overwrite(["defaultk520"], withValues: false, in: playground)
      let run = try await playground.run("check", "--json")
      #expect(run.status == 7)
      let problems = try #require(try run.object["problems"] as? [String])
      #expect(problems.contains { $0.contains("cannot be followed from the first") })
      #expect(problems.contains { $0.contains("cannot be followed from the last") })
      // Nearly all of them are found by reading from both ends.
      #expect(try #require(try run.object["records"] as? Int) > Self.count / 4)
    }

    @Test func `A damaged file stays where it is unless check is told to heal it`() async throws {
      let playground = try Playground()
      try await makeStore(playground)
      let file = try #require(FileHandle(forUpdatingAtPath: playground.database))
      try file.seek(toOffset: 100)
      try file.write(contentsOf: Data(repeating: 0xEE, count: 6000))
      try file.close()
      let aside = playground.database + ".damaged-1"
      #expect(try await playground.run("check").status == 7)
      #expect(!FileManager.default.fileExists(atPath: aside))
      #expect(try await playground.run("check", "--heal").status == 7)
      #expect(FileManager.default.fileExists(atPath: aside))
    }

    @Test func `A local write whose bytes changed is listed`() async throws {
      let playground = try Playground()
      let store = try Store(path: playground.database)
      try await store.bytes("default").write(Array("<a local write>".utf8), for: "k")
      try await store.close()
      let file = try #require(FileHandle(forUpdatingAtPath: playground.database))
      let bytes = try #require(try file.readToEnd())
      var rest = bytes[...]
      while let place = rest.range(of: Data("<a local".utf8)) {
        try file.seek(toOffset: UInt64(place.lowerBound))
        try file.write(contentsOf: Data("<A".utf8))
        rest = rest[place.upperBound...]
      }
      try file.close()
      let run = try await playground.run("check")
      #expect(run.status == 7)
      #expect(run.text.contains("damaged record: default/k: its value does not match its checksum"))
      #expect(
        run.text.contains("damaged record: default/k: local write 1: the checksum of the entry"))
    }
  }
#endif
