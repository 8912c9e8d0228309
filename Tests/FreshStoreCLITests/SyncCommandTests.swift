#if CommandLine
  import Foundation
  import FreshStore
  import FreshStoreTesting
  import Glibc
  import OriginServer
  import Testing

  @Suite(.serialized, .timeLimit(.minutes(2))) struct SyncCommandTests {
    private let online = ["FRESHSTORE_REACHABILITY": "online"]

    /// Accepts every write and answers every read with the written value, or the path.
    private func origin(
      _ note: @escaping @Sendable (OriginServer.Request) async -> OriginServer.Response? = { _ in
        nil
      }
    ) async throws -> OriginServer {
      try await OriginServer.start { request in
        if let answer = await note(request) { return answer }
        return request.method == "GET" ? .init(200, [:], body: "new") : .init(204, [:], body: "")
      }
    }

    private func once(
      _ playground: Playground, _ arguments: String...
    ) async throws -> Playground.Run {
      try await playground.runAlone(
        ["sync", "run", "--once", "--db", playground.database] + arguments, environment: online)
    }

    @Test func `once sends waiting writes, then fetches due records`() async throws {
      let playground = try Playground()
      let origin = try await origin()
      _ = try await playground.run("get", origin.url("/due"), "--expiry", "0")
      _ = try await playground.run("write", origin.url("/mine"), input: Array("v".utf8))
      let run = try await once(playground, "--concurrency", "1")
      #expect(run.text == "1 fetched, 1 sent\n")
      #expect(run.status == 0)
      // The origin returns no tag with its answer, so the write is read back.
      #expect(origin.requests.map(\.path) == ["/due", "/mine", "/mine", "/due"])
      let again = try await once(playground)
      #expect(again.status == 0, "\(again), \(origin.requests.map(\.path))")
      #expect(again.output.isEmpty && again.error.isEmpty, "\(again)")
      await origin.stop()
      #expect(try await playground.run("check").status == 0)
    }

    @Test(arguments: [[], ["--delete"]])
    func `RFC 9111 4.4: a write makes the copies of its address stale`(
      options: [String]
    ) async throws {
      let playground = try Playground()
      let origin = try await origin { request in
        request.method == "GET" ? .init(200, ["Cache-Control": "max-age=1000"], body: "x") : nil
      }
      let url = origin.url("/note")
      for place in [[], ["--collection", "mine"]] {
        _ = try await playground.run(["get", "--db", playground.database, url] + place)
      }
      let input = options.isEmpty ? Array("v".utf8) : []
      _ = try await playground.run(
        ["write", "--db", playground.database, "note", "--to", url] + options, input: input)
      #expect(try await once(playground).status == 0)
      for place in [[], ["--collection", "mine"]] {
        let run = try await playground.run(
          ["explain", "--db", playground.database, "--json", url] + place)
        let decision = try run.object["decision"] as? [String: Any]
        #expect(decision?["outcome"] as? String == "stale", "\(run.text)")
      }
      await origin.stop()
    }

    @Test func `repeated fetches and writes use the same address, including its query`()
      async throws
    {
      let playground = try Playground()
      let origin = try await origin()
      _ = try await playground.run("get", origin.url("/due?x=1&y=2"), "--expiry", "0")
      _ = try await playground.run("write", origin.url("/mine?x=3"), input: Array("v".utf8))
      for verb in ["mark", "mark"] {
        #expect(try await once(playground).status == 0)
        _ = try await playground.run(verb, origin.url("/due?x=1&y=2"))
        _ = try await playground.run(verb, origin.url("/mine?x=3"))
      }
      let sweep = try await playground.run(
        ["sweep", "--refetch", "--db", playground.database], environment: online)
      #expect(sweep.status == 0)
      #expect(Set(origin.requests.map(\.target)) == ["/due?x=1&y=2", "/mine?x=3"])
      // A get, a write and its read-back, and three rounds of refetches, the first of one record.
      #expect(origin.requests.count == 8)
      await origin.stop()
    }

    @Test func `a record without a URL as its source is left alone`() async throws {
      let playground = try Playground()
      _ = try await playground.run("get", "key", "--expiry", "0", "--", "echo", "value")
      let run = try await once(playground, "--json")
      #expect(run.status == 0)
      #expect(try run.object["fetched"] as? Int == 0)
      #expect(try run.object["deferred"] as? Int == 0)
    }

    @Test func `a fetch that fails ends with 5`() async throws {
      let playground = try Playground()
      let origin = try await origin()
      _ = try await playground.run("get", origin.url("/"), "--expiry", "0")
      await origin.stop()
      let run = try await once(playground, "--json")
      #expect(run.status == 5)
      #expect(try run.object["failed"] as? Int == 1)
      #expect(run.error.contains("1 failed, to be tried again later"))
    }

    @Test func `a failed push ends with 5, and waits for another time`() async throws {
      let playground = try Playground()
      let origin = try await origin { request in
        request.method == "PUT" ? .init(503, [:], body: "later") : nil
      }
      _ = try await playground.run("write", origin.url("/"), input: Array("v".utf8))
      let run = try await once(playground)
      #expect(run.status == 5)
      #expect(run.text == "1 failed\n")
      #expect(run.error.contains("1 failed, to be tried again later"))
      #expect(run.error.contains(origin.url("/")) && run.error.contains("503"), "\(run.error)")
      let entries = try await playground.runAlone(
        ["outbox", "list", "--db", playground.database])
      #expect(entries.text.contains("waiting"))
      await origin.stop()
    }

    @Test func `a write in its pause is deferred, and ends with 4`() async throws {
      let playground = try Playground()
      let origin = try await origin { request in
        request.method == "PUT" ? .init(503, ["Retry-After": "3600"]) : nil
      }
      for _ in 1...2 {
        _ = try await playground.run("write", origin.url("/"), input: Array("v".utf8))
      }
      #expect(try await once(playground).status == 5)
      let run = try await once(playground)
      #expect(run.status == 4)
      #expect(run.text == "1 put off\n")
      #expect(origin.requests.count == 1)
      await origin.stop()
    }

    @Test func `a write whose bytes changed on the disk is parked and reported, and ends with 6`()
      async throws
    {
      let playground = try Playground()
      let origin = try await origin()
      let value = Array("<a local write>".utf8)
      _ = try await playground.run("write", origin.url("/"), input: value)
      let file = try #require(FileHandle(forUpdatingAtPath: playground.database))
      var rest = try #require(try file.readToEnd())[...]
      while let place = rest.range(of: Data(value)) {
        try file.seek(toOffset: UInt64(place.lowerBound))
        try file.write(contentsOf: Data("<A".utf8))
        rest = rest[place.upperBound...]
      }
      try file.close()
      let run = try await once(playground)
      await origin.stop()
      #expect(run.status == 6)
      #expect(run.text == "1 parked\n")
      #expect(run.error.contains("is parked: the checksum"))
      #expect(origin.requests.isEmpty)
    }

    @Test func `a write behind a parked one is blocked, and ends with 6`() async throws {
      let playground = try Playground()
      let origin = try await origin { request in request.method == "PUT" ? .init(422) : nil }
      _ = try await playground.run("write", origin.url("/"), input: Array("v".utf8))
      #expect(try await once(playground).text == "1 parked\n")
      _ = try await playground.run("write", origin.url("/"), input: Array("w".utf8))
      let run = try await once(playground)
      #expect(run.status == 6)
      #expect(run.text == "1 held up\n")
      #expect(run.error.contains("1 held up by a parked write"))
      await origin.stop()
    }

    @Test func `the most severe remaining problem determines the exit code`() async throws {
      let playground = try Playground()
      let origin = try await origin { request in
        switch request.target {
        case "/refused": .init(422)
        case "/failing": .init(503)
        default: nil
        }
      }
      for path in ["/failing", "/refused", "/fine"] {
        _ = try await playground.run("write", origin.url(path), input: Array("v".utf8))
      }
      let run = try await once(playground)
      let quiet = try await once(playground, "--quiet")
      #expect(quiet.status != 0 && quiet.output.isEmpty && !quiet.error.isEmpty)
      await origin.stop()
      #expect(run.status == 6)
      #expect(run.text == "1 sent, 1 parked, 1 failed\n")
      #expect(run.error.contains("freshstore outbox list; 1 failed"))
    }

    @Test func `a write that a source refuses is parked and reported, and ends with 6`()
      async throws
    {
      let playground = try Playground()
      let origin = try await origin { request in
        request.method == "PUT" ? .init(422, [:], body: "not so") : nil
      }
      _ = try await playground.run("write", origin.url("/"), input: Array("v".utf8))
      let run = try await once(playground)
      #expect(run.status == 6)
      #expect(run.text == "1 parked\n")
      #expect(run.error.contains("is parked"))
      #expect(run.error.contains("answered 422"))
      #expect(try await playground.run("get", origin.url("/"), "--offline").text == "v")
      await origin.stop()
    }

    @Test(arguments: [("park", 6, "mine"), ("server", 0, "new"), ("client", 0, "mine")])
    func `a conflict ends according to its option`(
      choice: String, status: Int32, value: String
    ) async throws {
      let playground = try Playground()
      let origin = try await origin { request in
        switch request.method {
        case "PUT" where request["if-match"] == "\"1\"": .init(412, [:], body: "")
        case "PUT": .init(204, ["ETag": "\"3\""], body: "")
        case "GET":
          request.target == "/" && request["if-none-match"] == nil
            ? .init(200, ["ETag": "\"2\""], body: "new") : nil
        default: nil
        }
      }
      // The record is of the first version, under the address of the origin that has the second.
      let store = try Store(path: playground.database)
      try await store.bytes("http").put(
        Array("old".utf8), for: origin.url("/"),
        details: FetchDetails(
          validators: Validators(entityTag: "\"1\""), source: origin.url("/")))
      try await store.close()
      _ = try await playground.run("write", origin.url("/"), input: Array("mine".utf8))
      let run = try await once(playground, "--conflicts", choice)
      #expect(run.status == status)
      #expect(run.error.contains("was given up for what the source holds") == (choice == "server"))
      #expect(run.error.contains("is sent over it") == (choice == "client"))
      #expect(try await playground.run("get", origin.url("/"), "--offline").text == value)
      await origin.stop()
    }

    @Test func `the daemon notices a write at once, reports its status, and stops in order`()
      async throws
    {
      let playground = try Playground()
      let put = OneShotSignal()
      let origin = try await origin { request in
        if request.method == "PUT" { put.fire() }
        return nil
      }
      let (url, database) = (origin.url("/mine"), playground.database)
      let daemon = try await playground.run(
        ["sync", "run", "--db", database, "--sweep-every", "0", "--json"], environment: online
      ) { process in
        _ = try await playground.run("write", url, input: Array("v".utf8))
        await put.fired()
        let second = try await playground.runAlone(["sync", "run", "--db", database])
        #expect(second.status == 75)
        #expect(second.error.contains("process \(process)"))
        let status = try await playground.runAlone(["sync", "status", "--db", database, "--json"])
        #expect(status.status == 0)
        let answer = try #require(try status.object["daemon"] as? [String: Any])
        #expect(answer["process"] as? Int32 == process)
        #expect((answer["work"] as? [String: Any])?["phase"] is String)
        kill(process, SIGTERM)
      }
      #expect(daemon.status == 0)
      #expect(daemon.error.contains("stopped: 1 sent"))
      #expect(daemon.text.contains("\"phase\":\"stopped\""))
      let status = try await playground.runAlone(["sync", "status", "--db", database])
      #expect(status.status == 4)
      #expect(status.text.hasPrefix("no daemon is running on the store\nto fetch: 0"))
      #expect(status.text.contains("\nlocal writes: 0 waiting, 0 parked"), "\(status.text)")
      await origin.stop()
      #expect(try await playground.run("check").status == 0)
    }

    @Test func `the daemon fetches expired records of a new collection`() async throws {
      let playground = try Playground()
      let again = OneShotSignal()
      let origin = try await origin { request in
        if request["if-none-match"] != nil { again.fire() }
        return .init(200, ["ETag": "\"1\"", "Cache-Control": "max-age=0"], body: "new")
      }
      let url = origin.url("/")
      let daemon = try await playground.run(
        ["sync", "run", "--db", playground.database, "--sweep-every", "20ms"], environment: online
      ) { process in
        _ = try await playground.run("get", url, "--collection", "other")
        await again.fired()
        kill(process, SIGINT)
      }
      #expect(daemon.status == 0)
      await origin.stop()
    }

    @Test func `while the source is out of reach nothing is sent, and nothing is lost`()
      async throws
    {
      let playground = try Playground()
      let origin = try await origin()
      _ = try await playground.run("get", origin.url("/due"), "--expiry", "0")
      _ = try await playground.run("write", origin.url("/"), input: Array("v".utf8))
      let run = try await playground.runAlone(
        ["sync", "run", "--once", "--db", playground.database],
        environment: ["FRESHSTORE_REACHABILITY": "offline"])
      #expect(run.status == 4)
      #expect(run.text == "2 put off\n")
      #expect(run.error.contains("2 put off: the source is out of reach"))
      #expect(origin.requests.map(\.method) == ["GET"])
      let status = try await playground.runAlone(
        ["sync", "status", "--db", playground.database, "--json"])
      #expect(try status.object["waitingWrites"] as? Int == 1)
      await origin.stop()
    }

    @Test(arguments: [
      ["--concurrency", "0"], ["--concurrency", "257"], ["--per-origin", "0"], ["--rate", "0"],
      ["--rate", "inf"], ["--conflicts", "me"], ["--sweep-every", "x"], ["extra"],
    ])
    func `invalid input is refused before any change`(arguments: [String]) async throws {
      let playground = try Playground()
      let run = try await playground.runAlone(
        ["sync", "run", "--db", playground.database] + arguments)
      #expect(run.status == 64)
      #expect(unsafe access(playground.database, F_OK) != 0)
    }
  }
#endif
