#if CommandLine
  import Foundation
  import OriginServer
  import Synchronization
  import Testing

  /// Each option that bounds what a gateway gives is heeded.
  @Suite(.serialized, .timeLimit(.minutes(2)), .needsCurl) struct ServeLimitTests {
    private func withGateways(
      _ options: [String], _ handler: @escaping OriginServer.Handler,
      _ test: (Playground, RunningGateway, _ unbounded: RunningGateway, OriginServer) async throws
        -> Void
    ) async throws {
      let playground = try Playground()
      let origin = try await OriginServer.start(handler)
      let gateway = try await RunningGateway(playground, ["--origin", origin.url("")] + options)
      let other = try await RunningGateway(playground, ["--origin", origin.url("")])
      try await test(playground, gateway, other, origin)
      for gateway in [gateway, other] { #expect(await gateway.stop() == 0) }
      await origin.stop()
    }

    @Test(
      arguments: [
        (["--max-head", "1k"], "?\(String(repeating: "x", count: 2000))", 414),
        (["--max-head", "1k"], " -H 'X: \(String(repeating: "x", count: 2000))'", 431),
        (["--max-fields", "6"], " -H 'A: 1' -H 'B: 2' -H 'C: 3' -H 'D: 4'", 431),
        (["--max-request", "10"], " -d 0123456789a", 413),
      ] as [([String], String, Int)])
    func `a request that is larger than is said is refused`(
      options: [String], words: String, status: Int
    ) async throws {
      try await withGateways(options) { _ in
        .init(200, body: "page")
      } _: { (playground, gateway, unbounded, _) async throws in
        #expect(try await playground.curl("\(gateway.base)/a\(words)").status == status)
        #expect(try await playground.curl("\(gateway.base)/a -d 0123456789").content == "page")
        #expect(try await playground.curl("\(unbounded.base)/a\(words)").content == "page")
      }
    }

    @Test(
      arguments: [
        ("--head-timeout", "GET /a HT", "HTTP/1.1 408 "),
        (
          "--stall-timeout", #"POST /a HTTP/1.1\r\nHost: g\r\nContent-Length: 10\r\n\r\nabc"#,
          "HTTP/1.1 408 "
        ),
        ("--idle-timeout", "", ""),
        ("--total-timeout", #"GET /a HTTP/1.1\r\nHost: g\r\n\r\n"#, "HTTP/1.1 504 "),
      ])
    func `a client is given as much time as is said`(
      option: String, sent: String, answer: String
    ) async throws {
      try await withGateways([option, "300ms"]) { _ in
        // It is never opened: the gateway goes away.
        await Gate().wait()
        return .init(200, body: "page")
      } _: { (playground, gateway, unbounded, _) async throws in
        func run(_ gateway: RunningGateway, _ seconds: Int) async throws -> Playground.Run {
          // The program that ends it says so with 124.
          try await playground.runShell(
            "exec bash -c 'exec 3<>/dev/tcp/127.0.0.1/\(gateway.port); printf \"\(sent)\" >&3; "
              + "exec timeout \(seconds) cat <&3'")
        }
        // All that is without a limit takes ten seconds at least.
        let ended = try await run(gateway, 9)
        #expect(ended.status == 0, "\(ended.error)")
        #expect(ended.text.hasPrefix(answer))
        #expect(ended.text.isEmpty == answer.isEmpty)
        #expect(try await run(unbounded, 1).status == 124)
      }
    }

    @Test(arguments: ["--max-size", "--max-store"])
    func `what is larger than what is kept is passed on each time`(option: String) async throws {
      let long = String(repeating: "x", count: 2000)
      try await withGateways([option, "1k"]) { request in
        .init(
          200, ["Cache-Control": "max-age=600"], body: request.path == "/long" ? long : "short")
      } _: { playground, gateway, unbounded, origin in
        try await playground.curlUntilHit("\(gateway.base)/short")
        for _ in 1...2 {
          let answer = try await playground.curl("\(gateway.base)/long")
          #expect(answer.content == long)
          #expect(answer.decision.hasPrefix("fwd=uri-miss"))
          #expect(!answer.decision.contains("stored"))
        }
        #expect(origin.requests.filter { $0.path == "/long" }.count == 2)
        #expect(try await playground.curlUntilHit("\(unbounded.base)/long").content == long)
      }
    }

    @Test(arguments: ["--max-connections", "--max-connections-per-peer"])
    func `one connection more than is said is told so`(option: String) async throws {
      let gate = Gate()
      try await withGateways([option, "1"]) { _ in
        await gate.wait()
        return .init(200, body: "page")
      } _: { (playground, gateway, _, origin) async throws in
        async let first = playground.curl("\(gateway.base)/a")
        while origin.requests.isEmpty { await Task.yield() }
        #expect(try await playground.curl("\(gateway.base)/b").status == 503)
        gate.open()
        #expect(try await first.content == "page")
      }
    }

    @Test func `an origin has no more connections than is said`() async throws {
      let active = Mutex(0)
      let most = Mutex(0)
      try await withGateways(["--origin-connections", "1"]) { _ in
        let count = active.withLock { active in
          active += 1
          return active
        }
        most.withLock { $0 = max($0, count) }
        for _ in 1...200 { await Task.yield() }
        active.withLock { $0 -= 1 }
        return .init(200, body: "page")
      } _: { playground, gateway, _, _ in
        let run = try await playground.runShell(
          "curl -sS --parallel --parallel-max 8 -o /dev/null -w '%{response_code}\\n' "
            + "'\(gateway.base)/[1-16]'")
        #expect(run.text.split(separator: "\n").filter { $0 == "200" }.count == 16)
        let peak = most.withLock { $0 }
        #expect(peak == 1)
      }
    }

    private static let seconds =
      ProcessInfo.processInfo.environment["FRESHSTORE_SECONDS"].flatMap { Int($0) } ?? 0

    @Test(
      .enabled(
        if: ServeLimitTests.seconds >= 60, "it takes more than a minute (FRESHSTORE_SECONDS=60)"))
    func `what takes more room than is said goes by itself, and the last that came stays`()
      async throws
    {
      let content = String(repeating: "x", count: 20_000)
      try await withGateways(["--max-store", "300k"]) { _ in
        .init(200, ["Cache-Control": "max-age=3600"], body: content)
      } _: { playground, gateway, _, _ in
        for number in 1...30 { try await playground.curlUntilHit("\(gateway.base)/\(number)") }
        var keys = 30
        while keys > 15 {
          keys = try await playground.run("list").text.split(separator: "\n").count
        }
        #expect((5...15).contains(keys))
        #expect(try await playground.curl("\(gateway.base)/30").decision.hasPrefix("hit"))
        #expect(try await playground.curl("\(gateway.base)/1").decision.hasPrefix("fwd=uri-miss"))
        #expect(try await playground.run("check").status == 0)
      }
    }

    @Test func `what takes much more room than is said goes at once, not only each minute`()
      async throws
    {
      let content = String(repeating: "x", count: 100_000)
      try await withGateways(["--max-store", "2M"]) { _ in
        .init(200, ["Cache-Control": "max-age=3600"], body: content)
      } _: { playground, gateway, _, _ in
        for number in 1...40 { try await playground.curlUntilHit("\(gateway.base)/\(number)") }
        let start = ContinuousClock.now
        var keys = 40
        // Of the last look there may be 1 MiB more.
        while keys > 31 {
          keys = try await playground.run("list").text.split(separator: "\n").count
        }
        #expect(ContinuousClock.now - start < .seconds(20))
        #expect(keys >= 10)
        #expect(try await playground.curl("\(gateway.base)/40").decision.hasPrefix("hit"))
        #expect(try await playground.curl("\(gateway.base)/1").decision.hasPrefix("fwd=uri-miss"))
        #expect(try await playground.run("check").status == 0)
      }
    }

    @Test func `it serves as well with several threads, and without memory for copies`()
      async throws
    {
      try await withGateways(["--threads", "3", "--memory", "0"]) { request in
        .init(200, ["Cache-Control": "max-age=600"], body: request.path)
      } _: { (playground, gateway, _, origin) async throws in
        for path in ["/a", "/b", "/c"] {
          for _ in 1...2 {
            #expect(try await playground.curlUntilHit("\(gateway.base)\(path)").content == path)
          }
        }
        #expect(origin.requests.count == 3)
      }
    }
  }
#endif
