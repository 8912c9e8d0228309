#if CommandLine
  import Foundation
  import Testing

  /// The command accepts or refuses addresses of fleets, without any database.
  @Suite(.serialized, .timeLimit(.minutes(2)), .needsLibpq) struct FleetAddressTests {
    private static let nowhere = "postgresql://u@127.0.0.1:1/d"

    // MARK: Passwords

    @Test(arguments: [
      "postgresql://u:hunter2@127.0.0.1:1/d", "host=127.0.0.1 port=1 user=u password=hunter2",
    ])
    func `a password in the environment is shown nowhere`(address: String) async throws {
      let playground = try Playground()
      let verbs = [
        ["get", "k", "--verbose", "--json", "--", "printf", "v"], ["explain", "k", "--verbose"],
        ["mark", "k", "--verbose"], ["remove", "k", "--mark"], ["sweep", "--verbose"],
        ["sync", "run", "--once", "--verbose"], ["doctor", "127.0.0.1", "--verbose"],
        ["fleet", "status", "--verbose"],
      ]
      for verb in verbs {
        let end = verb.firstIndex(of: "--") ?? verb.endIndex
        let run = try await playground.runAlone(
          Array(verb[..<end]) + ["--db", playground.database, "--fleet-limit", "20s"]
            + verb[end...],
          environment: ["FRESHSTORE_FLEET": address, "FRESHSTORE_REACHABILITY": "online"])
        #expect(!(run.text + run.error).contains("hunter2"), "\(verb): \(run.text)\(run.error)")
        #expect((run.text + run.error).contains("127.0.0.1"), "\(verb): \(run.text)\(run.error)")
      }
    }

    @Test(arguments: [(0o600, 0), (0o644, 64)] as [(Int, Int32)])
    func `a file with a password in the address must not be open to other users`(
      mode: Int, status: Int32
    ) async throws {
      let playground = try Playground()
      let file = playground.file("config")
      try Data("fleet = postgresql://u:hunter2@127.0.0.1:1/d\n".utf8).write(
        to: URL(fileURLWithPath: file))
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
      let run = try await playground.runAlone(
        ["get", "k", "--db", playground.database, "--", "printf", "v"],
        environment: ["FRESHSTORE_CONFIG": file])
      #expect(run.status == status, "\(run.error)")
      #expect(run.error.contains("chmod 600") == (status == 64))
      #expect(run.error.contains("going on without the fleet") == (status == 0), "\(run.error)")
      #expect(!run.error.contains("hunter2"))
    }

    // MARK: Wrong addresses

    @Test(arguments: [
      "postgresql://h:99999/d", "postgresql://[::1/d", "nonsense", "host=a,b port=1,2,3x",
      "postgresql://h/d?colour=blue",
    ])
    func `a wrong address is refused before anything is done`(address: String) async throws {
      let playground = try Playground()
      let verbs = [
        ["get", "k", "--fleet", address, "--", "touch", playground.file("ran")],
        ["mark", "k", "--fleet", address], ["sweep", "--fleet", address],
        ["sync", "run", "--once", "--fleet", address], ["fleet", "init", address],
      ]
      for verb in verbs {
        let run = try await playground.runAlone(verb)
        #expect(run.status == 64, "\(verb): \(run.error)")
        #expect(run.error.contains("address of the fleet"), "\(verb): \(run.error)")
      }
      #expect(!FileManager.default.fileExists(atPath: playground.file("ran")))
    }

    @Test func `a NUL byte in the address is refused`() async throws {
      let playground = try Playground()
      try Data("fleet = postgresql://u@127.0.0.1:1/d\0\n".utf8).write(
        to: URL(fileURLWithPath: playground.file("config")))
      let run = try await playground.runAlone(
        ["mark", "k", "--db", playground.database],
        environment: ["FRESHSTORE_CONFIG": playground.file("config")])
      #expect(run.status == 64)
      #expect(run.error.contains("NUL"), "\(run.error)")
    }

    @Test(arguments: [["fleet", "init"], ["fleet", "status"], ["fleet", "trim"]])
    func `without an address it says how to name one`(verb: [String]) async throws {
      let run = try await Playground().runAlone(verb)
      #expect(run.status == 64)
      #expect(run.error.contains("FRESHSTORE_FLEET"), "\(run.error)")
    }

    // MARK: Nobody there

    @Test func `where nothing listens a host goes on alone, and says so once`() async throws {
      let playground = try Playground()
      let run = try await playground.run(
        "get", "k", "--fleet", Self.nowhere, "--fleet-limit", "20s", "--json", "--", "printf", "v")
      #expect(run.status == 0)
      #expect(try run.object["value"] as? String == "v")
      #expect(try run.object["freshness"] as? String == "fetched")
      #expect(try run.object["storeError"] == nil)
      let fleet = try #require(try run.object["fleet"] as? [String: Any])
      #expect(fleet["isReached"] as? Bool == false)
      #expect((fleet["error"] as? [String: Any])?["code"] as? String == "unreachable")
      let told = run.error.split(separator: "\n")
      #expect(told.count == 1, "\(run.error)")
      #expect(told[0].hasPrefix("freshstore: going on without the fleet: "), "\(run.error)")

      // A copy that is stored and fresh is served as well.
      let again = try await playground.run(
        "get", "k", "--fleet", Self.nowhere, "--fleet-limit", "20s", "--", "printf", "other")
      #expect(again.status == 0)
      #expect(again.text == "v")
      #expect(again.error.contains("going on without the fleet"), "\(again.error)")
    }

    @Test func `every verb goes on alone, and those without anything to do but the fleet fail`()
      async throws
    {
      let playground = try Playground()
      _ = try await playground.run("get", "k", "--expiry", "1h", "--", "printf", "v")
      let expected: [([String], Int32)] = [
        (["get", "k"], 0), (["explain", "k"], 0), (["sweep"], 0), (["sync", "run", "--once"], 0),
        (["doctor", "127.0.0.1"], 0), (["mark", "k"], 7),
        (["mark", "k", "--fleet-alone", "keep"], 0), (["fleet", "status"], 7),
        (["fleet", "init"], 7), (["fleet", "trim"], 7),
      ]
      for (verb, status) in expected {
        let place = verb[0] == "fleet" && verb[1] != "status" ? [] : ["--db", playground.database]
        let run = try await playground.runAlone(
          verb + ["--fleet", Self.nowhere, "--fleet-limit", "20s"] + place)
        #expect(run.status == status, "\(verb): \(run.error)")
        #expect((run.error + run.text).contains("127.0.0.1"), "\(verb): \(run.error)\(run.text)")
      }
      #expect(try await playground.run("check").status == 0)
    }

    @Test func `a host that may not be alone for long finds its copies stale`() async throws {
      let playground = try Playground()
      _ = try await playground.run("get", "k", "--expiry", "1h", "--", "printf", "v")
      let run = try await playground.run(
        "get", "k", "--fleet", Self.nowhere, "--fleet-longest-alone", "1m", "--", "printf", "new")
      #expect(run.text == "new")
      #expect(try await playground.run("explain", "k").status == 0)
    }

    @Test(arguments: [["--fleet", ""], []])
    func `an empty address names none`(arguments: [String]) async throws {
      let playground = try Playground()
      let run = try await playground.runAlone(
        ["get", "k", "--db", playground.database] + arguments + ["--json", "--", "printf", "v"],
        environment: ["FRESHSTORE_FLEET": arguments.isEmpty ? "" : Self.nowhere])
      #expect(run.status == 0)
      #expect(run.error.isEmpty, "\(run.error)")
      #expect(try run.object["fleet"] == nil)
    }

    @Test func `the help says how long each verb waits`() async throws {
      let help = try await Playground().runAlone(["mark", "--help"])
      let words = help.text.split { $0.isWhitespace }.joined(separator: " ")
      #expect(
        words.contains(
          "(default: get, explain, sweep, sync run --once: 250ms; sync run, serve: 50ms; mark, remove "
            + "--mark, retry, fleet marks: 5s; doctor: 5s; fleet: 30s)"), "\(words)")
    }

    @Test(arguments: [["mark", "k"], ["remove", "k", "--mark"]])
    func `a mark waits long for a server that does not answer`(verb: [String]) async throws {
      let playground = try Playground()
      let silent = try SilentPort()
      let start = ContinuousClock.now
      let run = try await playground.runAlone(
        verb + [
          "--db", playground.database, "--fleet",
          "host=127.0.0.1 port=\(silent.number) user=u dbname=d",
        ])
      #expect(run.status == 7, "\(run.error)")
      #expect(ContinuousClock.now - start > .seconds(4))
    }

    @Test(arguments: [
      (["fleet", "status", nowhere, "--fleet", "host=b dbname=d"], "two fleets"),
      (["fleet", "status", "https://example.org/d"], "web server"),
      (
        ["get", "k", "--tag", CommandFleet.longTag, "--fleet", nowhere, "--", "printf", "v"],
        "a --tag has at most 1024 bytes"
      ),
    ])
    func `arguments that do not fit a fleet are refused`(
      arguments: [String], words: String
    ) async throws {
      let run = try await Playground().runAlone(arguments)
      #expect(run.status == 64)
      #expect(run.error.contains(words), "\(run.error)")
    }

    @Test func `an error of the fleet stands on one line`() async throws {
      let playground = try Playground()
      let run = try await playground.run(
        "get", "k", "--fleet", Self.nowhere, "--fleet-limit", "20s", "--json", "--", "printf", "v")
      let part = try #require(try run.object["fleet"] as? [String: Any])
      let message = try #require((part["error"] as? [String: Any])?["message"] as? String)
      #expect(message.contains("127.0.0.1"))
      #expect(!message.contains { $0 == "\t" || $0.isNewline })
    }

    @Test func `a fleet that does not answer is not waited for`() async throws {
      let playground = try Playground()
      let silent = try SilentPort()
      let start = ContinuousClock.now
      let run = try await playground.run(
        "get", "k", "--fleet", "host=127.0.0.1 port=\(silent.number) user=u dbname=d",
        "--fleet-limit", "50ms", "--", "printf", "v")
      #expect(run.text == "v")
      #expect(run.error.contains("did not answer within"), "\(run.error)")
      #expect(run.error.contains("--fleet-limit"), "\(run.error)")
      // Far less than a connection may take.
      #expect(ContinuousClock.now - start < .seconds(30))
    }
  }
#endif
