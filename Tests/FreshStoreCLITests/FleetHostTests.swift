#if CommandLine
  import Foundation
  import Glibc
  import OriginServer
  import PostgreSQLServer
  import Testing

  /// Two hosts of one fleet that use the command, on a real database.
  @Suite(.serialized, .timeLimit(.minutes(3)), .needsPostgreSQL) struct FleetHostTests {
    @Test func `one fetch serves both hosts, and says where it came from`() async throws {
      let fleet = try await CommandFleet.make()
      let first = try await fleet.get(on: "a.db", ["--json"])
      #expect(first.status == 0)
      #expect(first.error.isEmpty, "\(first.error)")
      let fetched = try #require(try first.object["fleet"] as? [String: Any])
      #expect(fetched["isReached"] as? Bool == true)
      #expect(fetched["from"] == nil)
      let second = try await fleet.get(on: "b.db", ["--json", "--verbose"])
      #expect(try second.object["value"] as? String == "value\n")
      let found = try #require(try second.object["fleet"] as? [String: Any])
      #expect((found["from"] as? String)?.isEmpty == false)
      #expect(second.error.contains("found in the fleet, from "), "\(second.error)")
      #expect(try fleet.runs == 1)
    }

    @Test func `a mark of one host is seen by the other's next get, and fetched once`()
      async throws
    {
      let fleet = try await CommandFleet.make()
      for host in ["a.db", "b.db"] { #expect(try await fleet.get(on: host).status == 0) }
      #expect(try fleet.runs == 1)
      let mark = try await fleet.run(on: "a.db", ["mark", "--tag", "t"])
      #expect(mark.status == 0)
      #expect(mark.text == "marked for all hosts of the fleet, 1 record here\n")
      #expect(try await fleet.get(on: "b.db").status == 0)
      #expect(try fleet.runs == 2)
      #expect(try await fleet.get(on: "a.db").status == 0)
      #expect(try fleet.runs == 2)
    }

    @Test func `what is marked need not be here`() async throws {
      let fleet = try await CommandFleet.make()
      #expect(try await fleet.get(on: "a.db").status == 0)
      for selection in [["k"], ["--tag", "t"], ["--prefix", "k", "--collection", "default"]] {
        let mark = try await fleet.run(on: "b.db", ["mark", "--json"] + selection)
        #expect(mark.status == 0)
        #expect(try mark.object["marked"] as? Int == 0)
        #expect((try mark.object["fleet"] as? [String: Any])?["isMarked"] as? Bool == true)
        let key = try await fleet.run(on: "a.db", ["get", "k"])
        #expect(key.status == 4)
        #expect(key.error.contains("marked by"), "\(key.error)")
        #expect(try await fleet.get(on: "a.db").status == 0)
      }
      #expect(try fleet.runs == 4)
      #expect(try await fleet.run(on: "b.db", ["mark", "--prefix", "k"]).status == 4)
    }

    @Test func `a mark of an address counts what a gateway keeps of it here`() async throws {
      let fleet = try await CommandFleet.make()
      let (address, file) = ("http://a.example/page", fleet.playground.file("copies"))
      let lines = [
        #"{"format":"freshstore-export","version":1}"#,
        #"{"collection":"http-private","key":""# + address
          + ##"#0123456789abcdef0123456789abcdef","text":"own"}"##,
      ]
      try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: file))
      let store = fleet.playground.file("a.db")
      #expect(try await fleet.playground.runAlone(["import", file, "--db", store]).status == 0)
      let mark = try await fleet.run(on: "a.db", ["mark", address])
      #expect(mark.text == "marked for all hosts of the fleet, 1 record here\n")
    }

    @Test func `a mark that was kept is delivered by the next verb that reaches the fleet`()
      async throws
    {
      let fleet = try await CommandFleet.make()
      for host in ["a.db", "b.db"] { #expect(try await fleet.get(on: host).status == 0) }
      let refused = try await fleet.run(
        on: "a.db", ["mark", "--tag", "t"], fleet: CommandFleet.nowhere)
      #expect(refused.status == 7)
      #expect(refused.error.contains("that mark is not made"), "\(refused.error)")
      #expect(refused.error.contains("--fleet-alone keep"), "\(refused.error)")
      #expect(try await fleet.run(on: "a.db", ["get", "k"]).text == "value\n")

      let kept = try await fleet.run(
        on: "a.db", ["mark", "--tag", "t", "--fleet-alone", "keep"], fleet: CommandFleet.nowhere)
      #expect(kept.status == 0)
      #expect(kept.text.contains("kept for the other hosts"), "\(kept.text)")
      #expect(
        try await fleet.run(on: "a.db", ["get", "k"], fleet: CommandFleet.nowhere).status == 4)
      let status = try await fleet.run(on: "a.db", ["fleet", "status", "--json"]).object
      #expect((status["host"] as? [String: Any])?["keptMarks"] as? Int == 1)

      #expect(try await fleet.run(on: "a.db", ["sweep", "--quiet"]).status == 0)
      #expect(try await fleet.get(on: "b.db").status == 0)
      #expect(try fleet.runs == 2)
    }

    private func keptMarks(on host: String, of fleet: CommandFleet) async throws -> Int? {
      let status = try await fleet.run(on: host, ["fleet", "status", "--json"]).object
      return (status["host"] as? [String: Any])?["keptMarks"] as? Int
    }

    @Test(arguments: [["mark", "--tag", "second"], ["remove", "--tag", "second", "--mark"]])
    func `a mark that was kept is delivered before the next one is made`(
      verb: [String]
    ) async throws {
      let fleet = try await CommandFleet.make()
      try await fleet.keepMark(of: "first", on: "a.db")
      #expect(try await keptMarks(on: "a.db", of: fleet) == 1)
      let next = try await fleet.run(on: "a.db", verb)
      #expect(next.status == 0)
      #expect(next.error.isEmpty, "\(next.error)")
      let tags =
        "SELECT convert_from(name, 'UTF8') FROM freshstore.mark WHERE scope = 1 ORDER BY number"
      #expect(try await fleet.sql(tags) == ["first", "second"])
      #expect(try await keptMarks(on: "a.db", of: fleet) == 0)
    }

    @Test func `a mark that was made is not told as kept for one that is left from before`()
      async throws
    {
      let fleet = try await CommandFleet.make()
      try await fleet.sql("ALTER TABLE freshstore.mark ADD CHECK (name <> 'first'::bytea)")
      try await fleet.keepMark(of: "first", on: "a.db")
      let next = try await fleet.run(
        on: "a.db", ["mark", "--tag", "second", "--fleet-alone", "keep"])
      #expect(next.status == 0)
      #expect(next.text == "marked for all hosts of the fleet, 0 records here\n")
      #expect(next.error.isEmpty, "\(next.error)")
      #expect(try await keptMarks(on: "a.db", of: fleet) == 1)
    }

    @Test func `a get does not wait for all that a long absence has left`() async throws {
      let fleet = try await CommandFleet.make()
      #expect(try await fleet.get(on: "a.db").status == 0)
      // More than can be taken in while a get waits.
      try await fleet.sql(
        """
        INSERT INTO freshstore.mark (number, token, scope, collection, name, reason)
        SELECT n, n, 1, '', convert_to(CASE n WHEN 500001 THEN 't' ELSE 'x' || n END, 'UTF8'), ''
        FROM generate_series(2, 500001) n;
        UPDATE freshstore.counter SET number = 500001, token = 500001
        """)
      func get() async throws -> Playground.Run {
        try await fleet.playground.run(
          ["get", "k", "--db", fleet.playground.file("a.db"), "--fleet-limit", "1s"],
          environment: fleet.environment)
      }
      var run = try await get()
      // A busy machine may not answer in time.
      while run.error.contains("going on without the fleet") { run = try await get() }
      #expect(
        run.error.contains("not all marks of the fleet were taken in within 2 s"), "\(run.error)")
      // The copy is not served as fresh.
      #expect(run.status == 4)
    }

    @Test func `retry ends the pauses of the fleet, and says so where none is named`() async throws
    {
      let fleet = try await CommandFleet.make()
      #expect(try await fleet.get(on: "a.db").status == 0)
      try await fleet.sql(
        "INSERT INTO freshstore.origin (name, paused_until, reason) "
          + "VALUES ('x', clock_timestamp() + interval '1 hour', 'it is down')")
      let count = "SELECT count(*) FROM freshstore.origin"

      let unnamed = try await fleet.run(on: "a.db", ["retry"], fleet: "")
      #expect(unnamed.status == 0)
      #expect(unnamed.error.contains("its pauses there go on"), "\(unnamed.error)")
      #expect(try await fleet.sql(count) == ["1"])

      let named = try await fleet.run(on: "a.db", ["retry"])
      #expect(named.status == 0 && named.error.isEmpty, "\(named.error)")
      #expect(try await fleet.sql(count) == ["0"])
    }

    @Test func `a removal is the host's own, unless it marks first`() async throws {
      let fleet = try await CommandFleet.make()
      for host in ["a.db", "b.db"] { #expect(try await fleet.get(on: host).status == 0) }
      #expect(try await fleet.run(on: "a.db", ["remove", "k"]).status == 0)
      #expect(try await fleet.get(on: "a.db").status == 0)
      #expect(try fleet.runs == 1)
      #expect(try await fleet.run(on: "a.db", ["remove", "k", "--mark"]).status == 0)
      #expect(try await fleet.run(on: "b.db", ["get", "k"]).status == 4)
      #expect(try await fleet.get(on: "a.db").status == 0)
      #expect(try fleet.runs == 2)
      let alone = try await fleet.run(on: "a.db", ["remove", "k", "--mark"], fleet: "")
      #expect(alone.status == 64)
    }

    @Test func `explain and doctor tell of a mark that was not taken in yet, and take nothing in`()
      async throws
    {
      let fleet = try await CommandFleet.make()
      for host in ["a.db", "b.db"] { #expect(try await fleet.get(on: host).status == 0) }
      let well = try await fleet.run(on: "b.db", ["doctor", "127.0.0.1"])
      #expect(well.text.contains("this host has taken in all of its marks"), "\(well.text)")
      #expect(try await fleet.run(on: "a.db", ["mark", "k"]).status == 0)
      for _ in 1...2 {
        let words = try await fleet.run(on: "b.db", ["explain", "k"])
        #expect(words.status == 0)
        #expect(words.text.contains("a mark of the fleet covers it"), "\(words.text)")
        let explained = try await fleet.run(on: "b.db", ["explain", "k", "--json"]).object
        #expect(explained["action"] as? String == "fetch")
        let fields = try #require(explained["fleet"] as? [String: Any])
        #expect(fields["isMarked"] as? Bool == true)
        #expect(try #require(fields["roundTripSeconds"] as? Double) > 0)
        #expect(fields["missingMarks"] as? Int == 1)
      }
      let doctor = try DoctorReport(
        await fleet.run(on: "b.db", ["doctor", "127.0.0.1", "--json"]))
      #expect(doctor.level("fleet") == "warning")
      #expect(doctor.message("fleet").contains("has not taken in 1 of its marks"))
      #expect((try doctor.run.object["fleet"] as? [String: Any])?["isReached"] as? Bool == true)
    }

    @Test func `a sweep fetches once for both hosts`() async throws {
      let fleet = try await CommandFleet.make()
      let origin = try await OriginServer.start { _ in
        .init(200, ["Cache-Control": "max-age=600"], body: "page")
      }
      let url = origin.url("/page")
      for host in ["a.db", "b.db"] {
        #expect(try await fleet.run(on: host, ["get", url]).text == "page")
      }
      #expect(origin.requests.count == 1)
      #expect(try await fleet.run(on: "a.db", ["mark", url]).status == 0)
      for host in ["b.db", "a.db"] {
        let sweep = try await fleet.run(on: host, ["sweep", "--refetch", "--json"])
        #expect(sweep.status == 0, "\(sweep.error)")
      }
      #expect(origin.requests.count == 2)
      await origin.stop()
    }

    @Test func `the daemon hears of marks, and says when the fleet goes and comes`() async throws {
      let server = try await PostgreSQLServer()
      let fleet = CommandFleet(
        server: server, database: try await server.database(), playground: try Playground())
      #expect(try await fleet.run(["fleet", "init"]).status == 0)
      let again = OneShotSignal()
      let origin = try await OriginServer.start { request in
        if request["if-none-match"] != nil { again.fire() }
        return .init(200, ["ETag": "\"1\"", "Cache-Control": "max-age=600"], body: "page")
      }
      let url = origin.url("/page")
      for host in ["a.db", "b.db"] {
        #expect(try await fleet.run(on: host, ["get", url]).status == 0)
      }
      @Sendable func said() throws -> String {
        try String(contentsOfFile: fleet.playground.file("said"), encoding: .utf8)
      }
      let daemon = try await fleet.playground.runShell(
        """
        exec freshstore sync run --db "$folder/b.db" --fleet-limit 20s --sweep-every 20ms 2> "$folder/said"
        """, environment: fleet.environment
      ) { process in
        #expect(try await fleet.run(on: "a.db", ["mark", url]).status == 0)
        await again.fired()
        await server.stop()
        while try !said().contains("going on without the fleet: ") { await Task.yield() }
        try await server.start()
        while try !said().contains("the fleet is in reach again") { await Task.yield() }
        kill(process, SIGTERM)
      }
      #expect(daemon.status == 0)
      await origin.stop()
    }
  }
#endif
