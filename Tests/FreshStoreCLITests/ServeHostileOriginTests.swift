#if CommandLine
  import OriginServer
  import Testing

  /// An origin may send anything, and the gateway lives on: what would end it takes a process of its own.
  @Suite(.serialized, .timeLimit(.minutes(2)), .needsCurl) struct ServeHostileOriginTests {
    @Test(arguments: [
      "HTTP/1.1 099 x\r\nContent-Length: 4\r\n\r\ngood",
      "HTTP/1.1 000 x\r\nTransfer-Encoding: chunked\r\n\r\n4\r\ngood\r\n0\r\n\r\n",
      "HTTP/1.1 001 x\r\n\r\n",
      "HTTP/1.1 100 x\r\n\r\nHTTP/1.1 050 x\r\nContent-Length: 4\r\n\r\ngood",
    ])
    func `a status that is none is no answer`(answer: String) async throws {
      let playground = try Playground()
      let origin = try await OriginServer.start { request in
        request.path == "/lie" ? .init(raw: [.send(answer)]) : .init(200, body: "true")
      }
      let gateway = try await RunningGateway(
        playground, ["--origin", origin.url(""), "--origin-timeout", "1s"])
      for method in ["GET", "HEAD"] {
        let head = method == "HEAD" ? "--head " : ""
        let refused = try await playground.curl("\(head)\(gateway.base)/lie")
        #expect([502, 504].contains(refused.status))
        #expect(try await playground.curl("\(gateway.base)/other").content == "true")
      }
      #expect(await gateway.stop() == 0)
      await origin.stop()
    }

    @Test func `an origin that never gets beyond informational answers is given up`() async throws {
      let playground = try Playground()
      let origin = try await OriginServer.start { request in
        guard request.path == "/lie" else { return .init(200, body: "true") }
        let hints = String(repeating: "HTTP/1.1 102 x\r\n\r\n", count: 1000)
        // The gate is never opened.
        return .init(raw: [.send(hints), .wait(Gate())])
      }
      let gateway = try await RunningGateway(
        playground, ["--origin", origin.url(""), "--origin-timeout", "300ms"])
      #expect(try await playground.curl("\(gateway.base)/lie").status == 504)
      #expect(try await playground.curl("\(gateway.base)/other").content == "true")
      #expect(await gateway.stop() == 0)
      await origin.stop()
    }
  }
#endif
