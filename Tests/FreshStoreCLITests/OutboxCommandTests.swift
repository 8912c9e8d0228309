#if CommandLine
  import Foundation
  import FreshStore
  import OriginServer
  import Synchronization
  import Testing

  @Suite(.serialized, .timeLimit(.minutes(2))) struct OutboxCommandTests {
    /// A store with three writes; the first of them is parked.
    private func playground() async throws -> Playground {
      let playground = try Playground()
      let store = try Store(path: playground.database)
      let values = try store.bytes("c")
      for key in ["1", "2", "3"] { try await values.write([1], for: key) }
      let due = try await store.dueWrites(limit: 1)
      _ = await values.push(due) { _ in .refused("it may not be") }
      try await store.close()
      return playground
    }

    private func outbox(
      _ playground: Playground, _ arguments: String...
    ) async throws -> Playground.Run {
      try await playground.runAlone(
        ["outbox", arguments[0], "--db", playground.database] + arguments.dropFirst())
    }

    @Test func `a list has a line for each write, in order`() async throws {
      let run = try await outbox(playground(), "list")
      #expect(
        run.text == """
          1\tparked\treplace\tc\t1\t1\t1\tit may not be
          2\twaiting\treplace\tc\t2\t1\t0\t-
          3\twaiting\treplace\tc\t3\t1\t0\t-

          """)
    }

    @Test(arguments: [
      (["--state", "parked"], ["1"]), (["--state", "waiting"], ["2", "3"]),
      (["--key", "3"], ["3"]), (["--collection", "other"], []),
    ])
    func `a list can be filtered`(arguments: [String], numbers: [String]) async throws {
      let playground = try await playground()
      let run = try await playground.runAlone(
        ["outbox", "list", "--db", playground.database] + arguments)
      #expect(run.status == 0)
      #expect(run.text.split(separator: "\n").map { String($0.prefix(1)) } == numbers)
    }

    @Test func `a list as JSON has every figure`() async throws {
      let entry = try await outbox(playground(), "list", "--json", "--state", "parked").object
      #expect(
        Set(entry.keys) == [
          "id", "collection", "key", "kind", "state", "idempotencyKey", "writtenAt", "bytes",
          "attempts", "failure", "refusal",
        ])
    }

    @Test func `a write is shown with what it was based on and what its source holds`() async throws
    {
      let origin = try await OriginServer.start { request in
        request.method == "GET"
          ? .init(200, ["ETag": "\"9\""], body: "theirs") : .init(412, ["ETag": "\"9\""])
      }
      let playground = try Playground()
      let url = origin.url("/n")
      _ = try await playground.run(
        "put", url, "-", "--expiry", "1h", input: Array("base".utf8))
      _ = try await playground.run(
        "write", url, "--content-type", "text/plain", input: Array("mine\n".utf8))
      let shown = try await outbox(playground, "show", "1", "--theirs")
      #expect(
        shown.text.hasSuffix(
          "to \(url)\n--- base, 4 bytes\nbase\n--- mine, 5 bytes\nmine\n--- theirs, 6 bytes\ntheirs\n"
        ),
        "\(shown.text)")
      for version in ["base", "mine\n", "theirs"] {
        let name = version.trimmingCharacters(in: .newlines)
        #expect(try await outbox(playground, "show", "1", "--only", name).text == version)
      }
      let json = try await outbox(playground, "show", "1", "--json").object
      #expect((json["base"] as? [String: Any])?["value"] as? String == "base")
      #expect(json["theirs"] == nil)
      #expect(json["address"] as? String == url)
      await origin.stop()
    }

    @Test func `a refused write is shown with its source's answer: status, fields and body`()
      async throws
    {
      let answer: KeyValuePairs = [
        "Content-Type": "application/problem+json", "X-Limit": "9",
        "Set-Cookie": "session=secret",
      ]
      let origin = try await OriginServer.start { _ in
        .init(422, answer, body: "{\"title\":\"too long\"}")
      }
      let playground = try Playground()
      let url = origin.url("/n")
      _ = try await playground.run("write", url, input: Array("mine".utf8))
      let sent = try await playground.runAlone(
        ["sync", "run", "--once", "--db", playground.database],
        environment: ["FRESHSTORE_REACHABILITY": "online"])
      await origin.stop()
      #expect(sent.status == 6)

      let shown = try await outbox(playground, "show", "1").text
      #expect(shown.hasPrefix("1\tparked\treplace\thttp\t\(url)\t4\t1\t"))
      #expect(
        shown.hasSuffix(
          """
          to \(url)
          --- refused with status 422, 20 bytes
          content-length: 20
          content-type: application/problem+json
          x-limit: 9
          {"title":"too long"}
          --- base: none, the source held nothing, or nobody knows
          --- mine, 4 bytes
          mine

          """), "\(shown)")
    }

    @Test func `a refusal without an answer is shown by its words`() async throws {
      let shown = try await outbox(playground(), "show", "1").text
      #expect(
        shown.hasPrefix("1\tparked\treplace\tc\t1\t1\t1\tit may not be\n--- refused, 0 bytes\n"),
        "\(shown)")
    }

    @Test(arguments: [["9"], ["1", "--only", "base"]])
    func `what is not there to show ends with 4`(arguments: [String]) async throws {
      let playground = try await playground()
      let run = try await playground.runAlone(
        ["outbox", "show", "--db", playground.database] + arguments)
      #expect(run.status == 4)
      #expect(run.output.isEmpty)
    }

    @Test(arguments: [["1"], ["--all-parked"]])
    func `a retried write waits again`(arguments: [String]) async throws {
      let playground = try await playground()
      let run = try await playground.runAlone(
        ["outbox", "retry", "--db", playground.database] + arguments)
      #expect(run.status == 0)
      #expect(run.text == "1\twaiting\treplace\tc\t1\t1\t1\tit may not be\n")
      #expect(try await outbox(playground, "list", "--state", "parked").text == "")
    }

    @Test func `a dropped write is gone, and is printed as it was`() async throws {
      let playground = try await playground()
      let run = try await outbox(playground, "drop", "1", "3")
      #expect(run.status == 0)
      #expect(run.text.split(separator: "\n").count == 2)
      #expect(try await outbox(playground, "list").text == "2\twaiting\treplace\tc\t2\t1\t0\t-\n")
      #expect(try await playground.run("check").status == 0)
    }

    @Test func `a parked write is corrected, and waits as a new request in its place`() async throws
    {
      let playground = try await playground()
      let before = try await outbox(playground, "show", "1", "--json").object
      try Data("right".utf8).write(to: URL(fileURLWithPath: playground.file("right")))

      let run = try await outbox(playground, "correct", "1", "--from", playground.file("right"))
      #expect(run.status == 0)
      #expect(run.text == "1\twaiting\treplace\tc\t1\t5\t0\t-\n")
      #expect(run.error.contains("correcting the parked local write 1, replace c"), "\(run.error)")
      #expect(try await outbox(playground, "show", "1", "--only", "mine").text == "right")
      let after = try await outbox(playground, "show", "1", "--json").object
      #expect(after["idempotencyKey"] as? String != before["idempotencyKey"] as? String)
      #expect(after["refusal"] == nil)
      #expect(try await playground.run("check").status == 0)
    }

    @Test func `a correction that breaks the rules changes nothing`() async throws {
      let playground = try await playground()
      let run = try await playground.run(
        ["outbox", "correct", "1", "--require", "json", "--db", playground.database],
        input: Array("{".utf8))
      #expect(run.status == 6)
      #expect(try await outbox(playground, "list", "--state", "parked").text.hasPrefix("1\t"))
    }

    @Test func `a patch takes its new document, and nothing else does`() async throws {
      let playground = try Playground()
      let store = try Store(path: playground.database)
      let values = try store.bytes("c")
      try await values.write(
        Array("whole".utf8), for: "1", as: .patch(Array("old".utf8), contentType: "a/b"))
      try await values.write(Array("whole".utf8), for: "2")
      try await store.close()
      try Data("new".utf8).write(to: URL(fileURLWithPath: playground.file("patch")))
      let patch = ["--patch-file", playground.file("patch")]

      for (number, words, status) in [("1", [], 64), ("1", patch, 0), ("2", patch, 64)]
        as [(String, [String], Int32)]
      {
        let run = try await playground.run(
          ["outbox", "correct", number, "--db", playground.database] + words,
          input: Array("become".utf8))
        #expect(run.status == status)
      }
      #expect(try await outbox(playground, "show", "1", "--only", "mine").text == "new")
    }

    @Test func `what a program wrote in a format of its own is left to it`() async throws {
      let playground = try Playground()
      let store = try Store(path: playground.database)
      try await store.collection("c", of: String.self).write("mine", for: "1")
      try await store.close()

      let run = try await playground.run(
        ["outbox", "correct", "1", "--db", playground.database], input: Array("other".utf8))
      #expect(run.status == 6)
      #expect(run.error.contains("a format of its own (json)"), "\(run.error)")
      #expect(try await outbox(playground, "show", "1", "--only", "mine").text == "\"mine\"")
    }

    @Test func `a number that is not in the outbox cannot be corrected`() async throws {
      let playground = try await playground()
      let run = try await playground.run(
        ["outbox", "correct", "9", "--db", playground.database], input: [1])
      #expect(run.status == 4)
      #expect(run.error.contains("no write 9"))
    }

    @Test func `a conflict is shown, corrected over what was shown, or sent over it`() async throws
    {
      let held = Mutex((value: "base", version: 1))
      let origin = try await OriginServer.start { request in
        held.withLock { held in
          let tag = "\"\(held.version)\""
          if request.method == "GET" { return .init(200, ["ETag": tag], body: held.value) }
          guard request["If-Match"] == tag else { return .init(412, [:], body: "") }
          held = (String(decoding: request.body, as: UTF8.self), held.version + 1)
          return .init(204, ["ETag": "\"\(held.version)\""], body: "")
        }
      }
      let playground = try Playground()
      let url = origin.url("/n")
      let online = ["FRESHSTORE_REACHABILITY": "online"]
      func send(_ arguments: String...) async throws -> Playground.Run {
        try await playground.runAlone(
          ["outbox", "send", "--db", playground.database] + arguments, environment: online)
      }
      _ = try await playground.run("get", url, "--expiry", "1h")
      _ = try await playground.run("write", url, input: Array("mine".utf8))
      held.withLock { $0 = ("theirs", 7) }
      let met = try await send("1")
      #expect(met.status == 6 && met.error.contains("outbox show 1"), "\(met.error)")
      for (version, text) in [("base", "base"), ("mine", "mine"), ("theirs", "theirs")] {
        #expect(try await outbox(playground, "show", "1", "--only", version).text == text)
      }
      let corrected = try await playground.run(
        ["outbox", "correct", "1", "--db", playground.database], input: Array("both".utf8))
      #expect(corrected.status == 0)
      #expect(try await send("1").text == "sent\n")
      #expect(held.withLock { $0.value } == "both")

      _ = try await playground.run("write", url, input: Array("mine again".utf8))
      _ = try await playground.run("write", origin.url("/other"), input: Array("other".utf8))
      held.withLock { $0 = ("theirs again", 20) }
      #expect(try await send("2").status == 6)
      #expect(try await send("2", "--over").text == "sent\n")
      #expect(held.withLock { $0.value } == "mine again")
      #expect(try await outbox(playground, "list").text.hasPrefix("3\twaiting"))
      #expect(try await send("9").status == 4)
      await origin.stop()
      #expect(try await playground.run("check").status == 0)
    }

    @Test func `a write that is sent by hand passes the pause of its origin`() async throws {
      let origin = try await OriginServer.start { request in
        .init(request.path == "/good" ? 204 : 503)
      }
      let playground = try Playground()
      let online = ["FRESHSTORE_REACHABILITY": "online"]
      for _ in 1...5 {
        #expect(try await playground.run("get", origin.url("/bad"), "--refresh").status == 5)
      }
      _ = try await playground.run("write", origin.url("/good"), input: Array("mine".utf8))
      let paused = try await playground.run("get", origin.url("/other"))
      #expect(paused.error.contains("left alone"))
      let sent = try await playground.runAlone(
        ["outbox", "send", "--db", playground.database, "1"], environment: online)
      #expect(sent.text == "sent\n", "\(sent.error)")
      await origin.stop()
    }

    @Test(arguments: ["retry", "drop"])
    func `a missing number ends with 4, and the other numbers are processed`(
      verb: String
    ) async throws {
      let run = try await outbox(playground(), verb, "2", "99")
      #expect(run.status == 4)
      #expect(run.text.hasPrefix("2\t"))
      #expect(run.error.contains("no write 99"))
    }

    @Test(arguments: [
      ["retry"], ["drop"], ["correct"], ["correct", "1", "--patch-file", "-"], ["retry", "x"],
      ["drop", "1", "--all-parked"],
      ["list", "--state", "lost"],
    ])
    func `invalid arguments are refused`(arguments: [String]) async throws {
      #expect(try await Playground().runAlone(["outbox"] + arguments).status == 64)
    }
  }
#endif
