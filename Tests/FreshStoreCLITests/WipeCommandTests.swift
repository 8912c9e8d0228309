#if CommandLine
  import Foundation
  import FreshStore
  import Testing

  @Suite(.serialized, .timeLimit(.minutes(2))) struct WipeCommandTests {
    /// A store with two records.
    private func playground() async throws -> Playground {
      let playground = try Playground()
      for key in ["a", "b"] {
        _ = try await playground.run("put", key, "-", "--expiry", "1h", input: Array("old".utf8))
      }
      return playground
    }

    private func keys(_ playground: Playground) async throws -> [Substring] {
      try await playground.run("list").text.split(separator: "\n")
    }

    @Test func `all content goes, and the store can be used as before`() async throws {
      let playground = try await playground()
      let run = try await playground.run("wipe", "--yes")
      #expect(run.status == 0)
      #expect(run.text == "removed 2 records with 6 bytes\n")
      #expect(try await keys(playground).isEmpty)
      #expect(try await playground.run("put", "c", "-", input: [1]).status == 0)
      #expect(try await playground.run("check").status == 0)
    }

    @Test func `without a terminal and without --yes nothing is removed`() async throws {
      let playground = try await playground()
      let run = try await playground.run("wipe")
      #expect(run.status == 64)
      #expect(run.error.contains("--yes"))
      #expect(try await keys(playground).count == 2)
    }

    @Test(
      arguments: [("y", 0, 0), ("yes", 0, 0), ("n", 6, 2), ("", 6, 2)] as [(String, Int32, Int)])
    func `on a terminal it says what will be lost, and asks`(
      answer: String, status: Int32, left: Int
    ) async throws {
      let playground = try await playground()
      let run = try await playground.runShell(
        "printf '\(answer)\\n' | script -qec 'freshstore wipe --db $db' /dev/null")
      #expect(run.status == status, "\(run.text)")
      #expect(run.text.contains("this removes 2 records with 6 bytes from"), "\(run.text)")
      #expect(try await keys(playground).count == left)
    }

    @Test func `local writes that are not sent are kept until they are given up`() async throws {
      let playground = try await playground()
      _ = try await playground.run("write", "http://localhost:1/", input: Array("mine".utf8))

      let refused = try await playground.run("wipe", "--yes")
      #expect(refused.status == 6)
      #expect(refused.error.contains("1 local write has not reached"))
      #expect(try await keys(playground).count == 3)

      let run = try await playground.run("wipe", "--yes", "--drop-unsent")
      #expect(run.status == 0)
      #expect(run.text.hasSuffix(" and 1 local write that no source has\n"), "\(run.text)")
      #expect(try await keys(playground).isEmpty)
    }

    @Test(arguments: [false, true])
    func `files that were moved aside are named, or deleted`(deletes: Bool) async throws {
      let playground = try await playground()
      let aside = playground.database + ".damaged-1"
      try Data("old".utf8).write(to: URL(fileURLWithPath: aside))

      let run = try await playground.run(
        ["wipe", "--db", playground.database, "--yes", "--json"]
          + (deletes ? ["--damaged-files"] : []))
      #expect(run.status == 0)
      let object = try run.object
      #expect(object["records"] as? Int == 2 && object["bytes"] as? Int == 6)
      #expect(object["unsent"] as? Int == 0)
      #expect(object["damagedFiles"] as? [String] == (deletes ? [] : [aside]))
      #expect(object["removedFiles"] as? [String] == (deletes ? [aside] : []))
      #expect(run.error.contains("--damaged-files") == !deletes)
      #expect(FileManager.default.fileExists(atPath: aside) == !deletes)
    }

    @Test func `a store that does not exist is not made`() async throws {
      let playground = try Playground()
      #expect(try await playground.run("wipe", "--yes").status == 7)
      #expect(!FileManager.default.fileExists(atPath: playground.database))
    }
  }
#endif
