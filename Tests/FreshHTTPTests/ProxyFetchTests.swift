#if HTTP
  internal import FreshStore
  internal import OriginServer
  internal import Testing

  @testable import FreshHTTP

  @Suite struct ProxyFetchTests {
    private func fetch(
      _ url: String, through proxy: OriginServer, credentials: String = ""
    ) async throws -> Result<Fetched<[UInt8]>, HTTPFetchError> {
      let address = "http://\(credentials)127.0.0.1:\(proxy.port)"
      let settings = try ProxySettings(environment: ["all_proxy": address])
      let source = try HTTPSource(HTTPConfiguration(timeout: .seconds(600), proxies: settings))
      let result: Result<Fetched<[UInt8]>, HTTPFetchError>
      do throws(HTTPFetchError) {
        result = .success(try await source.fetch(url))
      } catch {
        result = .failure(error)
      }
      await source.close()
      await proxy.stop()
      return result
    }

    @Test func `RFC 9112 3.2.2: a request for an http origin goes to a proxy in absolute form`()
      async throws
    {
      let proxy = try await OriginServer.start { _ in .init(200, ["ETag": "\"1\""], body: "x") }
      let fetched = try await fetch(
        "http://news.example:8080/a?b=c", through: proxy, credentials: "me:pass@"
      ).get()
      #expect(fetched.text == "x")
      #expect(fetched.details.validators.entityTag == "\"1\"")
      #expect(proxy.requests.map(\.method) == ["GET"])
      #expect(proxy.requests.map(\.target) == ["http://news.example:8080/a?b=c"])
      #expect(proxy.requests.first?["Host"] == "news.example:8080")
      #expect(proxy.requests.first?["Proxy-Authorization"] == "Basic bWU6cGFzcw==")
    }

    @Test(arguments: [false, true])
    func `RFC 9112 9.6: an answer that arrives before the end of a write counts`(
      isProxy: Bool
    ) async throws {
      let server = try await EarlyRefusal()
      let here = "http://127.0.0.1:\(server.port)"
      let settings =
        isProxy ? try ProxySettings(environment: ["http_proxy": here]) : ProxySettings.none
      let source = try HTTPSource(HTTPConfiguration(timeout: .seconds(600), proxies: settings))
      let pushed = try await source.push(
        PendingWrite(
          key: "1", kind: .replace, value: [UInt8](repeating: 1, count: 20_000_000),
          idempotencyKey: "k"),
        to: isProxy ? "http://news.example/a" : here)
      await source.close()
      try await server.stop()
      guard case .refused = pushed else {
        Issue.record("\(pushed)")
        return
      }
    }

    @Test func `RFC 9110 9.3.6: a request for an https origin goes through a tunnel of the proxy`()
      async throws
    {
      let proxy = try await OriginServer.start { _ in .init(403) }
      let error = try await fetch("https://news.example/a", through: proxy, credentials: "me:pass@")
      #expect(proxy.requests.map(\.method) == ["CONNECT"])
      #expect(proxy.requests.map(\.target) == ["news.example:443"])
      #expect(proxy.requests.first?["Proxy-Authorization"] == "Basic bWU6cGFzcw==")
      guard case .failure(.proxy("https://news.example/a", "127.0.0.1:\(proxy.port)", _)) = error
      else {
        Issue.record("\(error)")
        return
      }
    }

    @Test func `a redirect through a proxy is followed, each step in absolute form`() async throws {
      let proxy = try await OriginServer.start { request in
        request.target.hasSuffix("/a")
          ? .init(302, ["Location": "http://other.example/b"]) : .init(body: "there")
      }
      let fetched = try await fetch("http://news.example/a", through: proxy).get()
      #expect(fetched.text == "there")
      #expect(
        proxy.requests.map(\.target) == ["http://news.example/a", "http://other.example/b"])
      #expect(proxy.requests.map { $0["Host"] } == ["news.example", "other.example"])
    }

    @Test func `a compressed body from a proxy is decompressed`() async throws {
      let proxy = try await OriginServer.start { _ in
        .init(200, ["Content-Encoding": "gzip"], body: Gzip.stored(Array("long".utf8)))
      }
      #expect(try await fetch("http://news.example/a", through: proxy).get().text == "long")
    }

    @Test func `a write through a proxy is sent completely`() async throws {
      let proxy = try await OriginServer.start { _ in .init(204) }
      let settings = try ProxySettings(
        environment: ["http_proxy": "http://127.0.0.1:\(proxy.port)"])
      let source = try HTTPSource(HTTPConfiguration(proxies: settings))
      _ = try await source.push(
        PendingWrite(key: "1", kind: .replace, value: [1, 2], idempotencyKey: "key-1"),
        to: "http://news.example/a")
      await source.close()
      await proxy.stop()
      let request = try #require(proxy.requests.first)
      #expect(request.method == "PUT" && request.body == [1, 2])
    }

    @Test(arguments: [
      OriginServer.Response(raw: [.close]),
      .init(raw: [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"), .close]),
    ])
    func `a truncated answer is an error`(response: OriginServer.Response) async throws {
      let proxy = try await OriginServer.start { _ in response }
      let result = try await fetch("http://news.example/a", through: proxy)
      guard case .failure(.transport("http://news.example/a", _)) = result else {
        Issue.record("\(result)")
        return
      }
    }

    @Test func `a body that is too large is not read through a proxy either`() async throws {
      let proxy = try await OriginServer.start { _ in .init(body: "longer") }
      let settings = try ProxySettings(
        environment: ["http_proxy": "http://127.0.0.1:\(proxy.port)"])
      let source = try HTTPSource(HTTPConfiguration(maximumBodyBytes: 3, proxies: settings))
      #expect(
        await source.failure("http://news.example/a")
          == .tooLarge("http://news.example/a", limit: 3))
      await source.close()
      await proxy.stop()
    }

    @Test func `a fetch through a proxy that does not answer can be cancelled`() async throws {
      let gate = Gate()
      let proxy = try await OriginServer.start { _ in .init(raw: [.wait(gate)]) }
      let settings = try ProxySettings(
        environment: ["http_proxy": "http://127.0.0.1:\(proxy.port)"])
      let source = try HTTPSource(
        HTTPConfiguration(timeout: .seconds(600), proxies: settings))
      let running = Task { await source.failure("http://news.example/a") }
      while proxy.requests.isEmpty { await Task.yield() }
      running.cancel()
      #expect(await running.value == .cancelled("http://news.example/a"))
      gate.open()
      await source.close()
      await proxy.stop()
    }

    @Test func `a loopback origin bypasses the proxy`() async throws {
      let settings = try ProxySettings(environment: ["http_proxy": "http://proxy.invalid:1"])
      try await withOrigin(HTTPConfiguration(proxies: settings)) { _ in
        .init(body: "direct")
      } test: { origin, source in
        let fetched = try await source.fetch(origin.url("/a"))
        #expect(fetched.text == "direct")
      }
    }

    @Test func `a loopback origin is reached through the proxy on request`()
      async throws
    {
      let proxy = try await OriginServer.start { _ in .init(body: "seen") }
      let settings = try ProxySettings(
        environment: [
          "http_proxy": "http://127.0.0.1:\(proxy.port)", "no_proxy": "other.example,<-loopback>",
        ])
      let source = try HTTPSource(HTTPConfiguration(proxies: settings))
      let fetched = try await source.fetch("http://localhost:1/a")
      #expect(fetched.text == "seen")
      await source.close()
      await proxy.stop()
    }

    @Test(arguments: [
      ("http://news.example/a", 407, ""),
      ("http://news.example/a", 502, "squid; error=dns_error; details=\"no such host\""),
      ("https://news.example/a", 407, ""), ("https://news.example/a", 502, ""),
    ])
    func `a refusal by a proxy is reported as the proxy's, without its credentials`(
      url: String, status: Int, proxyStatus: String
    ) async throws {
      let proxy = try await OriginServer.start { _ in
        .init(status, ["Proxy-Status": proxyStatus])
      }
      let result = try await fetch(url, through: proxy, credentials: "me:secret@")
      guard case .failure(.proxy(url, "127.0.0.1:\(proxy.port)", let description)) = result else {
        Issue.record("\(result)")
        return
      }
      #expect(!description.contains("secret"))
    }

    @Test(arguments: ["http://news.example/a", "https://news.example/a"])
    func `an unreachable proxy is reported as the proxy`(url: String) async throws {
      let closed = try ClosedPort()
      let proxy = "127.0.0.1:\(closed.number)"
      let settings = try ProxySettings(environment: ["all_proxy": "http://\(proxy)"])
      let source = try HTTPSource(HTTPConfiguration(proxies: settings))
      let error = await source.failure(url)
      await source.close()
      guard case .proxy(url, proxy, let description) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(description.contains("refused"))
    }

    @Test func `the origin's answer through a proxy is reported as the origin's`() async throws {
      let proxy = try await OriginServer.start { _ in .init(503, ["Retry-After": "3"]) }
      let result = try await fetch("http://news.example/a", through: proxy)
      guard case .failure(.status(503, "http://news.example/a", _, .seconds(3))) = result else {
        Issue.record("\(result)")
        return
      }
    }
  }
#endif
