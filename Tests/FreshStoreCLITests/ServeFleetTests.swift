#if CommandLine
  import ChildProcess
  import FreshHTTP
  import FreshStore
  import Glibc
  import OriginServer
  import PostgreSQLServer
  import Testing

  /// Gateways of several hosts as programs, on a real database.
  @Suite(.serialized, .timeLimit(.minutes(3)), .needsPostgreSQL) struct ServeFleetTests {
    /// A gateway on a host's store, and where it listens.
    private func start(
      _ fleet: CommandFleet, _ origin: OriginServer, on host: String
    ) async throws -> (process: ChildProcess, base: String) {
      let process = try ChildProcess(
        beside: "freshstore",
        [
          "serve", "--origin", origin.url(""), "--listen", "127.0.0.1:0", "--db",
          fleet.playground.file(host), "--fleet", fleet.address, "--fleet-limit", "20s",
        ])
      let line = await process.line()
      try #require(line.hasPrefix("listening on http://127.0.0.1:"))
      return (process, String(line.dropFirst("listening on ".count)))
    }

    private func text(_ source: HTTPSource, _ url: String) async throws -> String? {
      guard case .value(let bytes, _) = try await source.fetch(url) else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `what one gateway has fetched all have, and what is marked all ask for again`()
      async throws
    {
      let fleet = try await CommandFleet.make()
      let origin = try await OriginServer.start { _ in
        .init(200, ["Cache-Control": "max-age=600"], body: "hello")
      }
      let source = try HTTPSource()
      let (first, second) = try await (
        start(fleet, origin, on: "a.db"), start(fleet, origin, on: "b.db")
      )
      for gateway in [first, second, first, second] {
        #expect(try await text(source, gateway.base + "/a") == "hello")
      }
      #expect(origin.requests.count == 1)
      let mark = try await fleet.run(
        on: "c.db", ["mark", "--prefix", origin.url("/"), "--collection", "http"])
      #expect(mark.status == 0, "\(mark.error)")
      // They hear of it a moment later.
      while origin.requests.count < 2 {
        for gateway in [first, second] {
          #expect(try await text(source, gateway.base + "/a") == "hello")
        }
      }
      for gateway in [first, second] {
        gateway.process.signal(SIGTERM)
        #expect(await gateway.process.end() == 0)
      }
      await source.close()
      await origin.stop()
    }
  }
#endif
