#if CommandLine
  import ChildProcess
  import Foundation
  import Glibc
  import OriginServer
  import Testing

  /// A gateway under load, while its origin comes and goes, and while it is killed itself.
  @Suite(.serialized, .timeLimit(.minutes(5)), .needsCurl, .needsPython) struct ServeLoadTests {
    /// `FRESHSTORE_SECONDS` extends the load.
    private static let seconds =
      ProcessInfo.processInfo.environment["FRESHSTORE_SECONDS"].flatMap { Int($0) } ?? 4

    /// The pages that `serve_load.py` asks for.
    private static let pages: OriginServer.Handler = { request in
      let terms =
        switch request.path.split(separator: "/").first ?? "" {
        case "fresh": "max-age=36000"
        case "grace": "max-age=0, stale-if-error=36000"
        default: "no-store"
        }
      let fields: KeyValuePairs<String, String> = ["Cache-Control": terms, "ETag": "\"1\""]
      if request["If-None-Match"] == "\"1\"" { return .init(304, fields) }
      return .init(200, fields, body: String(repeating: request.path, count: 200))
    }

    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Support/ServeLoad/serve_load.py").path

    private func startLoad(_ gateway: RunningGateway, connections: Int) async throws -> ChildProcess
    {
      let python = try #require(ForeignProgram.python)
      let load = try ChildProcess(python, ["-u", Self.script, gateway.base, "\(connections)"])
      #expect(await load.line() == "warm")
      return load
    }

    /// An origin on a port that no connection of ours is ever given: one that goes nowhere would meet itself there.
    private func startOrigin() async throws -> OriginServer {
      while true {
        do throws(OriginStartError) {
          return try await OriginServer.start(port: .random(in: 20_000..<30_000), Self.pages)
        } catch {
          // Another process uses that port.
          continue
        }
      }
    }

    @Test func `nothing that could be answered is lost while the origin comes and goes`()
      async throws
    {
      let playground = try Playground()
      var origin = try await startOrigin()
      let gateway = try await RunningGateway(
        playground, ["--origin", origin.url(""), "--threads", "2"])
      let load = try await startLoad(gateway, connections: 16)
      let end = ContinuousClock.now + .seconds(Self.seconds)
      var (isThere, steps) = (true, 0)
      while ContinuousClock.now < end || isThere == false || steps < 6 {
        // The next number of answers, or something that is wrong.
        let line = try #require(await load.nextLine())
        #expect(Int(line) != nil, "\(line)")
        steps += 1
        if isThere {
          await origin.stop()
        } else {
          origin = try await OriginServer.start(port: origin.port, Self.pages)
        }
        isThere.toggle()
      }
      let rest = try await finish(load)
      #expect(rest.last?.hasPrefix("answers 200:") == true)
      for line in rest.dropLast() { #expect(Int(line) != nil, "\(line)") }
      // The gateway has backed off from the origin for longer and longer. The origin is back, and
      // an operator says so.
      while true {
        #expect(try await playground.run("retry", origin.url("/never/1")).status == 0)
        if try await playground.runShell("curl -sf \(gateway.base)/never/1").status == 0 { break }
      }
      #expect(await gateway.stop() == 0)
      await origin.stop()
      #expect(try await playground.run("check").status == 0)
    }

    /// Ends the load; the lines that are left.
    private func finish(_ load: ChildProcess) async throws -> [String] {
      try load.say("end")
      var lines: [String] = []
      while let line = await load.nextLine() { lines.append(line) }
      #expect(await load.end() == 0)
      return lines
    }

    @Test func `killed under a mixed load it leaves a sound file, and the next one its hits`()
      async throws
    {
      let playground = try Playground()
      let origin = try await startOrigin()
      for _ in 1...3 {
        let gateway = try await RunningGateway(playground, ["--origin", origin.url("")])
        let load = try await startLoad(gateway, connections: 8)
        let first = try #require(await load.nextLine())
        #expect(Int(first) != nil, "\(first)")
        gateway.signal(SIGKILL)
        #expect(await gateway.end() == 128 + SIGKILL)
        load.signal(SIGKILL)
        #expect(await load.end() == 128 + SIGKILL)
        let check = try await playground.run("check")
        #expect(check.status == 0, "\(check.text)\(check.error)")
      }
      let gateway = try await RunningGateway(playground, ["--origin", origin.url("")])
      await origin.stop()
      for number in 0..<20 {
        for kind in ["fresh", "grace"] {
          let run = try await playground.runShell("curl -sf \(gateway.base)/\(kind)/\(number)")
          #expect(run.text == String(repeating: "/\(kind)/\(number)", count: 200))
        }
      }
      #expect(await gateway.stop() == 0)
      // SQLite checks the file.
      let script = """
        import sqlite3, sys
        print(sqlite3.connect(sys.argv[1]).execute("PRAGMA integrity_check").fetchone()[0])
        """
      let run = try await playground.runShell("python3 -c '\(script)' \"$db\"")
      #expect(run.text == "ok\n")
    }
  }
#endif
