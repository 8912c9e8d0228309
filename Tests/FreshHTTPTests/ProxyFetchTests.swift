#if HTTP
  internal import FreshStore
  internal import OriginServer
  internal import Testing

  @testable import FreshHTTP

  @Suite struct ProxyFetchTests {
    @Test func `a request goes through the tunnel of its proxy, credentials to the proxy alone`()
      async throws
    {
      let proxy = try await OriginServer.start { request in
        request.method == "CONNECT"
          ? .init(raw: [.send("HTTP/1.1 200 OK\r\n\r\n")]) : .init(body: "x")
      }
      let settings = try ProxySettings(
        environment: ["http_proxy": "http://me:pass@127.0.0.1:\(proxy.port)"])
      let source = try HTTPSource(HTTPConfiguration(proxies: settings))
      let fetched = try await source.fetch("http://news.example/a")
      #expect(fetched.text == "x")
      #expect(proxy.requests.map(\.method) == ["CONNECT", "GET"])
      #expect(proxy.requests.map(\.target) == ["news.example:80", "/a"])
      #expect(proxy.requests.map { $0["Proxy-Authorization"] } == ["Basic bWU6cGFzcw==", nil])
      #expect(proxy.requests.last?["Host"] == "news.example")
      await source.close()
      await proxy.stop()
    }

    @Test func `a loopback origin is reached past the proxy`() async throws {
      let settings = try ProxySettings(environment: ["http_proxy": "http://proxy.invalid:1"])
      try await withOrigin(HTTPConfiguration(proxies: settings)) { _ in
        .init(body: "direct")
      } test: { origin, source in
        let fetched = try await source.fetch(origin.url("/a"))
        #expect(fetched.text == "direct")
      }
    }

    @Test func `a proxy that refuses is an error without its credentials`() async throws {
      let proxy = try await OriginServer.start { _ in .init(407) }
      let settings = try ProxySettings(
        environment: ["http_proxy": "http://me:secret@127.0.0.1:\(proxy.port)"])
      let source = try HTTPSource(HTTPConfiguration(proxies: settings))
      let error = await source.failure("http://news.example/a")
      guard case .transport("http://news.example/a", let description) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(!description.contains("secret"))
      await source.close()
      await proxy.stop()
    }
  }
#endif
