#if HTTP
  internal import FreshHTTP
  internal import OriginServer
  internal import Rules
  internal import Testing

  @Suite struct RemoteRuleTests {
    private func withServer(
      _ handler: @escaping OriginServer.Handler,
      test: (OriginServer, HTTPRuleTransport) async throws -> Void
    ) async throws {
      let origin = try await OriginServer.start(handler)
      let transport = try HTTPRuleTransport(origin.url("/check"))
      do {
        try await test(origin, transport)
      } catch {
        await transport.close()
        await origin.stop()
        throw error
      }
      await transport.close()
      await origin.stop()
    }

    @Test func `A-23: the question is posted as JSON, and true means kept`() async throws {
      try await withServer { _ in
        .init(body: "true")
      } test: { origin, transport in
        let rule = RemoteRule<String>(via: transport, extra: ["locale": "nl"])
        #expect(await rule.check("Ada") == .valid)
        let request = try #require(origin.requests.first)
        #expect(request.method == "POST")
        #expect(request.target == "/check")
        #expect(request["Content-Type"] == "application/json")
        #expect(request["Accept"] == "application/json")
        #expect(
          String(decoding: request.body, as: UTF8.self)
            == #"{"extra":{"locale":"nl"},"instance":"Ada"}"#)
      }
    }

    @Test(arguments: [(200, "false"), (200, "true\n"), (201, "no")])
    func `A-23: another body means broken`(status: Int, body: String) async throws {
      try await withServer { _ in
        .init(status, body: body)
      } test: { _, transport in
        let report = await RemoteRule<String>(via: transport).check("Ada")
        #expect(report.issues.map(\.code) == ["remote"])
      }
    }

    @Test func `A-23: numbers are sent as numbers`() async throws {
      try await withServer { request in
        .init(body: request.body == Array(#"{"instance":5}"#.utf8) ? "true" : "false")
      } test: { _, transport in
        #expect(await RemoteRule<Int>(via: transport).check(5).outcome == .passed)
        #expect(await RemoteRule<Int>(via: transport).check(6).outcome == .failed)
      }
    }

    @Test(arguments: [301, 307, 404, 500, 503])
    func `an error status is no answer, and a redirect is not followed`(
      status: Int
    ) async throws {
      try await withServer { _ in
        .init(status, ["Location": "/other"], body: "true")
      } test: { origin, transport in
        let report = await RemoteRule<String>(via: transport).check("Ada")
        #expect(report.verdict == .undecided("the server answered with status \(status)"))
        #expect(origin.requests.count == 1)
      }
    }

    @Test func `a missing server is no answer`() async throws {
      try await withServer { _ in
        .init(body: "true")
      } test: { origin, transport in
        await origin.stop()
        #expect(await RemoteRule<String>(via: transport).check("Ada").outcome == .undecided)
      }
    }

    @Test func `a broken connection is no answer`() async throws {
      try await withServer { _ in
        .init(200, ["Content-Length": "4"], steps: [.send("tr"), .close])
      } test: { _, transport in
        #expect(await RemoteRule<String>(via: transport).check("Ada").outcome == .undecided)
      }
    }

    @Test func `a silent server is no answer`() async throws {
      let gate = Gate()
      try await withServer { _ in
        .init(raw: [.wait(gate)])
      } test: { _, transport in
        let rule = RemoteRule<String>(via: transport, timeout: .milliseconds(50))
        #expect(
          await rule.check("Ada").verdict
            == .undecided("the server did not answer within 0.05 seconds"))
      }
      gate.open()
    }

    @Test func `the latest input wins over a slow answer to an earlier one`() async throws {
      struct Entry: Sendable {
        var name = ""
      }
      let (gate, arrivals) = (Gate(), AsyncStream<Void>.makeStream())
      try await withServer { request in
        guard request.body == Array(#"{"instance":"old"}"#.utf8) else { return .init(body: "true") }
        arrivals.continuation.yield()
        return .init(
          200, ["Content-Length": "5"], steps: [.wait(gate), .send("false")])
      } test: { _, transport in
        let rule = RemoteRule<String>(via: transport)
        let form = Form(Entry(), fields: [FormField(\.name, "name", asking: rule.async)])
        form.name = "old"
        for await _ in arrivals.stream { break }
        form.name = "new"
        #expect(await form.settled()["name"]?.phase == .valid)
        gate.open()
        form.name = "newer"
        #expect(await form.settled()["name"]?.phase == .valid)
      }
    }

    @Test(arguments: ["ftp://example.org/", "example.org", "http://"])
    func `an invalid address is refused at once`(url: String) {
      #expect(throws: HTTPFetchError.self) { try HTTPRuleTransport(url) }
    }
  }
#endif
