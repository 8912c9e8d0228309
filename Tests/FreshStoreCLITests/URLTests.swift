#if CommandLine
  import Glibc
  import OriginServer
  import Testing

  @Suite(.serialized, .timeLimit(.minutes(2))) struct URLTests {
    @Test func `A URL is fetched, served from its copy, and asked conditionally`() async throws {
      let origin = try await OriginServer.start { request in
        request["If-None-Match"] == "\"1\""
          ? .init(304, ["ETag": "\"1\"", "Cache-Control": "max-age=3600"])
          : .init(200, ["ETag": "\"1\"", "Cache-Control": "max-age=3600"], body: "value")
      }
      let playground = try Playground()
      let url = origin.url("/x?y=z")
      let first = try await playground.run("get", url, "--json").object
      #expect(first["freshness"] as? String == "fetched")
      #expect(first["expirySeconds"] as? Double == 3600)
      let second = try await playground.run("get", url)
      #expect(second.text == "value")
      #expect(origin.requests.count == 1)
      _ = try await playground.run("mark", url)
      let third = try await playground.run("get", url, "--json").object
      #expect(third["freshness"] as? String == "revalidated")
      #expect(third["value"] as? String == "value")
      #expect(origin.requests.count == 2)
      #expect(try await playground.run("show", url).text == "value")
      await origin.stop()
    }

    @Test func `A combining mark after a slash is a part of the address`() async throws {
      let origin = try await OriginServer.start { request in .init(body: request.target) }
      let playground = try Playground()
      let run = try await playground.run("get", origin.url("/\u{301}"))
      #expect(run.text == "/%CC%81")
      #expect(try await playground.run("list").text.contains("/\u{301}"))
      await origin.stop()
    }

    @Test(arguments: ["http:/\u{2F}\u{301}h/", "HTTP://\u{301}/"])
    func `Text that begins as a URL by its bytes is a URL`(text: String) async throws {
      let run = try await Playground().run("get", text)
      #expect(run.status == 64)
      #expect(run.error.contains("its host must be"))
    }

    @Test func `An answer that is not HTTP is reported as such`() async throws {
      let origin = try await OriginServer.start { _ in
        .init(raw: [.send("220 smtp.example ESMTP\r\n"), .close])
      }
      let run = try await Playground().run("get", origin.url("/"))
      #expect(run.status == 5)
      #expect(run.error.contains("is no valid HTTP"))
      await origin.stop()
    }

    @Test(arguments: ["HTTP://LOCALHOST:80/news", "http://LocalHost/ne", "HTTP://LOCAL"])
    func `A prefix of URLs is normalised like the keys`(prefix: String) async throws {
      let playground = try Playground()
      _ = try await playground.run(
        "put", "http://localhost/news/1", "-", "--expiry", "1h", input: [1])
      #expect(try await playground.run("mark", "--prefix", prefix).status == 0)
      let explanation = try await playground.run("explain", "http://localhost/news/1", "--json")
      let decision = try #require(try explanation.object["decision"] as? [String: Any])
      #expect(decision["outcome"] as? String == "stale")
      #expect(try await playground.run("list", prefix).text.contains("localhost/news/1"))
    }

    @Test func `A copy replaces the answer of a failing origin only within its grace`() async throws
    {
      let origin = try await OriginServer.start { _ in
        .init(200, ["Cache-Control": "max-age=0"], body: "value")
      }
      let playground = try Playground()
      let url = origin.url("/")
      _ = try await playground.run("get", url)
      await origin.stop()
      let without = try await playground.run("get", url)
      #expect(without.status == 5)
      #expect(without.error.contains("could not be reached"))
      let within = try await playground.run("get", url, "--stale-if-error", "1d")
      #expect(within.status == 0)
      #expect(within.text == "value")
      #expect(within.error.contains("serving a stale copy"))
      let offline = try await playground.run("get", url, "--offline")
      #expect(offline.text == "value")
    }

    @Test func `A missing object exits with 8, and is remembered`() async throws {
      let origin = try await OriginServer.start { _ in .init(404) }
      let playground = try Playground()
      for number in 1...2 {
        let run = try await playground.run("get", origin.url("/none"))
        #expect(run.status == 8)
        #expect(run.error.contains("does not exist"))
        // The second answer is from the store.
        #expect(run.error.contains("ago; --refresh asks again") == (number == 2))
      }
      #expect(origin.requests.count == 1)
      await origin.stop()
    }

    @Test func `An answer without a value exits with 5 and repeats no secret`() async throws {
      let origin = try await OriginServer.start { _ in .init(503) }
      let run = try await Playground().run(
        "get", origin.url("/x?token=secret"), "--header", "Authorization: Bearer secret",
        "--header", "X-Other: 1", "--verbose")
      #expect(run.status == 5)
      #expect(!run.error.contains("secret"))
      #expect(origin.requests.map { $0["Authorization"] } == ["Bearer secret"])
      #expect(origin.requests.map { $0["X-Other"] } == ["1"])
      await origin.stop()
    }

    @Test func `--expiry applies where the response states no lifetime`() async throws {
      let origin = try await OriginServer.start { _ in .init(200, body: "value") }
      let playground = try Playground()
      let answer = try await playground.run(
        "get", origin.url("/"), "--expiry", "2h", "--json"
      ).object
      #expect(answer["expirySeconds"] as? Double == 7200)
      await origin.stop()
    }

    @Test func `Two spellings of a URL name one record`() async throws {
      let origin = try await OriginServer.start { _ in
        .init(200, ["Cache-Control": "max-age=60"], body: "value")
      }
      let playground = try Playground()
      _ = try await playground.run("get", "HTTP://127.0.0.1:\(origin.port)#part")
      _ = try await playground.run("get", origin.url("/"))
      #expect(origin.requests.count == 1)
      #expect(try await playground.run("list", "--collection", "http").text.contains("/\tfresh"))
      await origin.stop()
    }

    @Test func `A copy for another language does not answer the request`() async throws {
      let origin = try await OriginServer.start { request in
        .init(
          200, ["Cache-Control": "max-age=60", "Vary": "Accept-Language"],
          body: request["Accept-Language"] ?? "none")
      }
      let playground = try Playground()
      for language in ["de", "fr"] {
        let run = try await playground.run(
          "get", origin.url("/"), "--header", "Accept-Language: \(language)")
        #expect(run.text == language)
      }
      await origin.stop()
    }

    @Test func `A body larger than --max-size is refused with 6`() async throws {
      let origin = try await OriginServer.start { _ in .init(200, body: "four") }
      let run = try await Playground().run("get", origin.url("/"), "--max-size", "3")
      #expect(run.status == 6)
      await origin.stop()
    }

    @Test func `A fetch without an answer is given up after --timeout`() async throws {
      let gate = Gate()
      let origin = try await OriginServer.start { _ in
        .init(200, ["Content-Length": "5"], steps: [.wait(gate)])
      }
      let run = try await Playground().run("get", origin.url("/"), "--timeout", "100ms")
      #expect(run.status == 5)
      #expect(run.error.contains("did not answer within"))
      gate.open()
      await origin.stop()
    }

    @Test func `A signal ends a get whose origin does not answer`() async throws {
      let (asked, gate) = (Gate(), Gate())
      let origin = try await OriginServer.start { _ in
        asked.open()
        return .init(200, ["Content-Length": "5"], steps: [.wait(gate)])
      }
      let playground = try Playground()
      let run = try await playground.run("get", origin.url("/")) { process in
        await asked.wait()
        kill(process, SIGINT)
      }
      #expect(run.status == 130)
      #expect(run.error == "")
      #expect(try await playground.run("stats", "--json").object["leases"] as? Int == 0)
      gate.open()
      await origin.stop()
    }

    @Test func `An unusable proxy is refused for URLs and ignored for commands`()
      async throws
    {
      let playground = try Playground()
      let proxy = ["http_proxy": "ftp://proxy.example.org"]
      let url = try await playground.runAlone(
        ["get", "http://example.org/", "--db", playground.database], environment: proxy)
      #expect(url.status == 64)
      #expect(url.error.contains("http_proxy"))
      let command = try await playground.runAlone(
        ["get", "k", "--online", "--db", playground.database, "--", "printf", "v"],
        environment: proxy)
      #expect(command.text == "v")
    }

    @Test func `A failing origin is left alone after a few failures`() async throws {
      let origin = try await OriginServer.start { _ in .init(503) }
      let playground = try Playground()
      for _ in 1...5 { _ = try await playground.run("get", origin.url("/"), "--refresh") }
      let run = try await playground.run("get", origin.url("/other"))
      #expect(origin.requests.count == 5)
      #expect(run.status == 5)
      #expect(run.error.contains("left alone"))
      await origin.stop()
    }
  }
#endif
