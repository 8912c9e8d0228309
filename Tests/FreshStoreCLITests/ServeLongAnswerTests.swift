#if CommandLine
  import ChildProcess
  import Foundation
  import Glibc
  import OriginServer
  import Testing

  /// A gateway that keeps answers longer than memory should hold.
  @Suite(.serialized, .timeLimit(.minutes(3)), .needsCurl) struct ServeLongAnswerTests {
    /// Content in which no two places look the same.
    private static func content(_ size: Int) -> [UInt8] {
      let pattern = (0..<65_521).map { UInt8(truncatingIfNeeded: ($0 >> 8) &* 31 &+ $0) }
      var content: [UInt8] = []
      content.reserveCapacity(size)
      while content.count < size { content += pattern.prefix(size - content.count) }
      return content
    }

    /// Asks until the answer is a copy.
    private func askUntilHit(_ gateway: RunningGateway, _ playground: Playground) async throws {
      while true {
        let run = try await playground.runShell("curl -sf -D - -o /dev/null \(gateway.base)/a")
        if run.text.lowercased().contains("cache-status: freshstore; hit") { return }
      }
    }

    /// A number in a file that the kernel keeps about a process.
    private func figure(_ name: String, _ file: String, of gateway: RunningGateway) throws -> Int {
      let text = try String(
        contentsOfFile: "/proc/\(gateway.identifier)/\(file)", encoding: .utf8)
      let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("\(name):") })
      return try #require(
        line.split(whereSeparator: { " \t:".contains($0) }).dropFirst().first.flatMap { Int($0) })
    }

    /// Clients, and what each reads; `FRESHSTORE_SECONDS` of 60 and more has as many as are promised.
    private static let crowds: [(Int, Int)] =
      ProcessInfo.processInfo.environment["FRESHSTORE_SECONDS"].flatMap { Int($0) } ?? 0 < 60
      ? [(40, 20_000_000)] : [(40, 20_000_000), (200, 50_000_000)]

    @Test(arguments: ServeLongAnswerTests.crowds)
    func `clients that read a long copy slowly take little memory`(
      count: Int, size: Int
    ) async throws {
      let (playground, content) = (try Playground(), Self.content(size))
      let origin = try await OriginServer.start { _ in
        .init(200, ["Cache-Control": "max-age=36000"], body: content)
      }
      let gateway = try await RunningGateway(playground, ["--origin", origin.url("")])
      try await askUntilHit(gateway, playground)
      let before = try figure("RssAnon", "status", of: gateway)
      let written = try figure("wchar", "io", of: gateway)
      let clients = try ChildProcess(
        "/bin/sh",
        [
          "-c",
          """
          for client in $(seq \(count)); do
            curl -s --limit-rate 100k -o /dev/null \(gateway.base)/a & pids="$pids $!"
          done
          read line; kill $pids; wait
          """,
        ])
      // All of them have begun to read by then, and none is at its end.
      var peak = 0
      while try figure("wchar", "io", of: gateway) < written + count * 400_000 {
        peak = max(peak, try figure("RssAnon", "status", of: gateway))
        await Task.yield()
      }
      for _ in 1...100 {
        peak = max(peak, try figure("RssAnon", "status", of: gateway))
        await Task.yield()
      }
      try clients.say("end")
      _ = await clients.end()
      // As many copies of it would take 800 MB and more, in kB.
      #expect(peak - before < 100_000, "\(before) kB, and then \(peak) kB")
      if count == 200 { #expect(peak < 150_000, "\(peak) kB") }
      #expect(await gateway.stop() == 0)
      await origin.stop()
      #expect(try await playground.run("check").status == 0)
    }

    @Test func `killed while an answer arrives it leaves a sound file, and keeps none of it`()
      async throws
    {
      let (playground, gate) = (try Playground(), Gate())
      let content = Self.content(3_500_000)
      let origin = try await OriginServer.start { _ in
        .init(
          200, ["Cache-Control": "max-age=36000", "Content-Length": "3500000"],
          steps: [
            .send(Array(content[..<2_000_000])), .wait(gate), .send(Array(content[2_000_000...])),
          ])
      }
      for _ in 1...3 {
        let gateway = try await RunningGateway(playground, ["--origin", origin.url("")])
        let client = try ChildProcess(
          "/bin/sh",
          ["-c", "curl -s \(gateway.base)/a | head -c 1900000 | wc -c; echo; exec cat"])
        // So much of it has come, and most of that lies in the file.
        #expect(await client.line().contains("1900000"))
        gateway.signal(SIGKILL)
        #expect(await gateway.end() == 128 + SIGKILL)
        client.signal(SIGKILL)
        _ = await client.end()
        let check = try await playground.run("check")
        #expect(check.status == 0, "\(check.text)\(check.error)")
        #expect(try await playground.run("get", origin.url("/a"), "--offline").status != 0)
      }
      gate.open()
      let gateway = try await RunningGateway(playground, ["--origin", origin.url("")])
      try await askUntilHit(gateway, playground)
      let run = try await playground.runShell("curl -sf \(gateway.base)/a")
      #expect(run.output == content)
      #expect(await gateway.stop() == 0)
      await origin.stop()
      // The command has the same bytes.
      #expect(try await playground.run("get", origin.url("/a"), "--offline").output == content)
      #expect(try await playground.run("check").status == 0)
    }
  }
#endif
