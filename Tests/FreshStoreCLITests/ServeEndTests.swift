#if CommandLine
  import ChildProcess
  import Foundation
  import Glibc
  import OriginServer
  import Testing

  /// How a gateway ends, and what does not let it begin.
  @Suite(.serialized, .timeLimit(.minutes(2))) struct ServeEndTests {
    private static let page: OriginServer.Handler = { request in
      .init(200, ["Cache-Control": "max-age=600"], body: "page \(request.path)")
    }

    @Test(.needsCurl, arguments: [SIGTERM, SIGINT])
    func `a signal lets it answer what is under way, and takes nothing new`(
      signal: Int32
    ) async throws {
      let (playground, gate) = (try Playground(), Gate())
      let origin = try await OriginServer.start { request in
        await gate.wait()
        return await Self.page(request)
      }
      let gateway = try await RunningGateway(playground, ["--origin", origin.url("")])
      async let answer = playground.curl("\(gateway.base)/a")
      while origin.requests.isEmpty { await Task.yield() }
      gateway.signal(signal)
      // Once nobody listens any longer, curl says so with 7.
      while try await playground.runShell("curl -s -m 1 \(gateway.base)/b").status != 7 {}
      gate.open()
      #expect(try await answer.content == "page /a")
      #expect(await gateway.end() == 0)
      await origin.stop()
      #expect(try await playground.run("show", origin.url("/a")).text == "page /a")
    }

    @Test(.needsCurl) func `a second signal ends it at once, and what is lost by that is named`()
      async throws
    {
      let (playground, gate) = (try Playground(), Gate())
      let origin = try await OriginServer.start { request in
        if request.path == "/wait" { await gate.wait() }
        return await Self.page(request)
      }
      let gateway = try await RunningGateway(
        playground, hasAdmin: true, ["--origin", origin.url("")])
      try await playground.curlUntilHit("\(gateway.base)/a")
      let log = unsafe open(playground.database + "-shm", O_RDWR)
      var lock = flock()
      (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
      // The lock of SQLite's writers (SQLite, "WAL-mode File Format", section 2.3).
      (lock.l_start, lock.l_len) = (120, 1)
      while unsafe fcntl(log, F_SETLK, &lock) != 0 { await Task.yield() }
      #expect(try await playground.curl("-X POST \(gateway.base)/a").status == 200)
      async let answer = playground.curl("\(gateway.base)/wait")
      while !origin.requests.contains(where: { $0.path == "/wait" }) { await Task.yield() }
      gateway.signal(SIGTERM)
      while try await playground.runShell("curl -s -m 1 \(gateway.base)/b").status != 7 {}
      gateway.signal(SIGTERM)
      let told = await gateway.rest()
      #expect(await gateway.end() == 143)
      close(log)
      let place = "--db '\(playground.database)' --collection http"
      #expect(told.contains("mark it by hand: freshstore mark \(place) '\(origin.url("/a"))'"))
      #expect(try await answer.code != 0)
      gate.open()
      await origin.stop()
      #expect(try await playground.run("check").status == 0)
    }

    @Test(.needsCurl) func `what takes longer than its grace is cut off`() async throws {
      let playground = try Playground()
      let origin = try await OriginServer.start { request in
        // It is never opened: the gateway goes away.
        await Gate().wait()
        return await Self.page(request)
      }
      let gateway = try await RunningGateway(
        playground, ["--origin", origin.url(""), "--grace", "100ms"])
      async let answer = playground.curl("\(gateway.base)/a")
      while origin.requests.isEmpty { await Task.yield() }
      #expect(await gateway.stop() == 0)
      // It is told so, where there is time for that.
      let end = try await answer
      #expect(end.code != 0 || end.status == 504)
      await origin.stop()
      #expect(try await playground.run("check").status == 0)
    }

    @Test func `two cannot listen at one place, and the second says so`() async throws {
      let playground = try Playground()
      let gateway = try await RunningGateway(playground, [])
      let run = try await playground.run("serve", "--listen", "127.0.0.1:\(gateway.port)")
      #expect(run.status == 74)
      #expect(run.error.contains("cannot be listened on"))
      #expect(run.output.isEmpty)
      #expect(await gateway.stop() == 0)
    }
  }
#endif
