#if CommandLine
  import OriginServer
  import Synchronization
  import Testing

  /// Copies and the credentials they answer, and sources in a pause.
  @Suite(.serialized, .timeLimit(.minutes(2))) struct SourcePauseTests {
    // MARK: Credentials

    /// Repeats the credentials of the request.
    private func startMirror(_ control: String = "max-age=3600") async throws -> OriginServer {
      try await OriginServer.start { request in
        .init(
          200, ["Cache-Control": control, "ETag": "\"\(request["Authorization"] ?? "-")\""],
          body: request["Authorization"] ?? "nobody")
      }
    }

    @Test func `A get is not served a copy fetched with other credentials`() async throws {
      let origin = try await startMirror()
      let playground = try Playground()
      func get(_ arguments: String...) async throws -> String {
        try await playground.run(
          ["get", "--db", playground.database, "--online", origin.url("/me")] + arguments
        ).text
      }
      #expect(try await get("--header", "Authorization: first") == "first")
      #expect(try await get("--header", "Authorization: first") == "first")
      #expect(origin.requests.count == 1)
      #expect(try await get("--header", "Authorization: second") == "second")
      #expect(try await get() == "nobody")
      #expect(try await get("--header", "Authorization: first") == "first")
      #expect(origin.requests.map { $0["If-None-Match"] } == [nil, nil, nil, nil])
      #expect(try await get("--shared") == "first")
      #expect(origin.requests.count == 4)
      await origin.stop()
    }

    @Test func `A command is not served a copy fetched with credentials`() async throws {
      let origin = try await startMirror()
      let playground = try Playground()
      let url = origin.url("/me")
      _ = try await playground.run("get", url, "--header", "Authorization: first")
      #expect(try await playground.run("get", url, "--", "printf", "own").text == "own")
      await origin.stop()
    }

    @Test func `A command is served a copy that its source declares public`() async throws {
      let origin = try await startMirror("public, max-age=3600")
      let playground = try Playground()
      let url = origin.url("/")
      _ = try await playground.run("get", url, "--header", "Authorization: first")
      #expect(try await playground.run("get", url, "--", "printf", "own").text == "first")
      await origin.stop()
    }

    @Test func `A source that names a zero pause is paused by the breaker all the same`()
      async throws
    {
      let origin = try await OriginServer.start { _ in .init(503, ["Retry-After": "0"]) }
      let playground = try Playground()
      for path in 1...12 { _ = try await playground.run("get", origin.url("/\(path)")) }
      // Five, as without a named pause; on a slow machine the pause may end meanwhile.
      #expect((5..<12).contains(origin.requests.count))
      await origin.stop()
    }

    @Test func `An origin that redirects to an unreachable address is not paused`() async throws {
      let origin = try await OriginServer.start { request in
        request.path == "/fine"
          ? .init(body: "fine") : .init(302, ["Location": "http://127.0.0.1:9/"])
      }
      let playground = try Playground()
      for path in 1...7 {
        #expect(try await playground.run("get", origin.url("/\(path)")).status == 5)
      }
      #expect(try await playground.run("get", origin.url("/fine")).text == "fine")
      await origin.stop()
    }

    @Test func `A copy that its source declares public is served with any credentials`()
      async throws
    {
      let origin = try await startMirror("public, max-age=3600")
      let playground = try Playground()
      for credentials in ["first", "second"] {
        let run = try await playground.run(
          "get", origin.url("/"), "--header", "Authorization: \(credentials)")
        #expect(run.text == "first")
      }
      await origin.stop()
    }

    @Test func `An absence without credentials does not hold for requests with credentials`()
      async throws
    {
      let origin = try await OriginServer.start { request in
        request["Authorization"] == nil ? .init(404) : .init(200, body: "there")
      }
      let playground = try Playground()
      #expect(try await playground.run("get", origin.url("/")).status == 8)
      let run = try await playground.run("get", origin.url("/"), "--header", "Authorization: a")
      #expect(run.text == "there")
      await origin.stop()
    }

    // MARK: Redirects

    @Test(arguments: ["Cache-Control: no-store", "X-Nothing: stated"])
    func `The target of a redirect that does not hold is requested again`(field: String)
      async throws
    {
      let (name, value) = (
        String(field.prefix { $0 != ":" }), String(field.drop { $0 != ":" }.dropFirst(2))
      )
      let target = Mutex("/1")
      let origin = try await OriginServer.start { request in
        request.path == "/latest"
          ? .init(302, ["Location": target.withLock { $0 }, name: value])
          : .init(200, ["Cache-Control": "max-age=31536000"], body: request.path)
      }
      let playground = try Playground()
      #expect(try await playground.run("get", origin.url("/latest")).text == "/1")
      target.withLock { $0 = "/2" }
      #expect(try await playground.run("get", origin.url("/latest")).text == "/2")
      await origin.stop()
    }

    // MARK: Pauses

    @Test func `One broken path does not block its host`() async throws {
      let origin = try await OriginServer.start { request in
        request.path == "/a" ? .init(500) : .init(body: "fine")
      }
      let playground = try Playground()
      for _ in 1...7 {
        #expect(try await playground.run("get", origin.url("/a"), "--refresh").status == 5)
      }
      #expect(try await playground.run("get", origin.url("/b")).text == "fine")
      #expect(origin.requests.filter { $0.path == "/a" }.count == 7)
      await origin.stop()
    }

    @Test
    func `A failing origin is asked by --refresh and after retry, and explain knows its state`()
      async throws
    {
      let isUp = Mutex(false)
      let origin = try await OriginServer.start { _ in
        isUp.withLock { $0 } ? .init(body: "up") : .init(503)
      }
      let playground = try Playground()
      let url = origin.url("/")
      for _ in 1...5 { _ = try await playground.run("get", url, "--refresh") }
      let paused = try await playground.run("get", url)
      #expect(paused.error.contains("--refresh"))
      #expect(origin.requests.count == 5)
      let explained = try await playground.run("explain", url, "--online")
      #expect(explained.text.contains("a get would: fail at once"))
      #expect(explained.text.contains("its source is not asked: "))
      let byHand = try await playground.run("explain", url, "--online", "--refresh")
      #expect(byHand.text.contains("a get would: fetch it and wait"))
      _ = try await playground.run("get", url, "--refresh")
      #expect(origin.requests.count == 6)
      isUp.withLock { $0 = true }
      #expect(try await playground.run("get", url).status == 5)
      let retry = try await playground.run("retry", url)
      #expect(retry.status == 0 && retry.output.isEmpty && retry.error == "")
      #expect(try await playground.run("get", url).text == "up")
      #expect(origin.requests.count == 7)
      await origin.stop()
    }

    @Test func `A pause that the source has named is respected without a copy, until retry`()
      async throws
    {
      let isUp = Mutex(false)
      let origin = try await OriginServer.start { _ in
        isUp.withLock { $0 } ? .init(body: "up") : .init(429, ["Retry-After": "600"])
      }
      let playground = try Playground()
      let url = origin.url("/")
      #expect(try await playground.run("get", url).status == 5)
      isUp.withLock { $0 = true }
      let refused = try await playground.run("get", url)
      #expect(refused.status == 5)
      #expect(refused.error.contains("the source asked to be left alone until 2"))
      #expect(origin.requests.count == 1)
      #expect(try await playground.run("retry").status == 0)
      #expect(try await playground.run("get", url).text == "up")
      await origin.stop()
    }

    @Test func `retry without keys applies to everything, and not to one collection`() async throws
    {
      let playground = try Playground()
      #expect(try await playground.run("retry", "--collection", "x").status == 64)
      #expect(try await playground.run("retry", "unknown").status == 0)
    }

    // MARK: Proxies

    @Test func `An http URL is requested through the proxy in absolute form`() async throws {
      let proxy = try await OriginServer.start { _ in .init(body: "seen") }
      let playground = try Playground()
      let run = try await playground.run(
        ["get", "--db", playground.database, "--online", "http://news.example/a"],
        environment: ["http_proxy": "http://127.0.0.1:\(proxy.port)"])
      #expect(run.text == "seen")
      #expect(proxy.requests.map(\.target) == ["http://news.example/a"])
      await proxy.stop()
      let refused = try await playground.run(
        ["get", "--db", playground.database, "--online", "http://news.example/b"],
        environment: ["http_proxy": "http://127.0.0.1:\(proxy.port)"])
      #expect(refused.status == 5)
      #expect(refused.error.contains("through the proxy 127.0.0.1:\(proxy.port)"))
    }
  }
#endif
