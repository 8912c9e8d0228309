#if CommandLine
  import FreshStore
  import FreshStoreTesting
  import PostgreSQLServer
  import Strategies
  import Testing

  /// The verbs of `freshstore fleet`, on a real database.
  @Suite(.serialized, .timeLimit(.minutes(3)), .needsPostgreSQL) struct FleetCommandTests {
    @Test func `init makes the tables, and changes nothing when it is run again`() async throws {
      let fleet = try await CommandFleet.make(isSetUp: false)
      let before = try await fleet.run(["fleet", "status"])
      #expect(before.status == 7)
      #expect(before.error.contains("freshstore fleet init"), "\(before.error)")
      let made = try await fleet.run(["fleet", "init", "--json"])
      #expect(made.status == 0)
      #expect(try made.object["version"] as? Int == 1)
      #expect(try made.object["newestMark"] as? Int == 1)
      #expect(try await fleet.run(["fleet", "init", "--json"]).output == made.output)
    }

    @Test func `an address among the arguments goes first`() async throws {
      let fleet = try await CommandFleet.make()
      for arguments in [
        ["fleet", "status", fleet.address], ["fleet", "status", "--fleet", fleet.address],
      ] {
        let run = try await fleet.run(arguments, fleet: CommandFleet.nowhere)
        #expect(run.status == 0, "\(run.error)")
        #expect(run.text.contains("marks: the newest is 1, the journal begins at 1"))
      }
    }

    @Test func `status shows this host's place, and how far it is behind`() async throws {
      let fleet = try await CommandFleet.make()
      for host in ["a.db", "b.db"] { #expect(try await fleet.get(on: host).status == 0) }
      #expect(try await fleet.run(on: "a.db", ["mark", "--tag", "t"]).status == 0)
      let status = try await fleet.run(on: "b.db", ["fleet", "status", "--json"]).object
      #expect(status["newestMark"] as? Int == 2)
      #expect(status["records"] as? Int == 1)
      let host = try #require(status["host"] as? [String: Any])
      #expect(host["path"] as? String == fleet.playground.file("b.db"))
      #expect(host["isReached"] as? Bool == true)
      #expect(host["mark"] as? Int == 1)
      #expect(host["missingMarks"] as? Int == 1)
      #expect(host["isSuspect"] as? Bool == false)
      #expect(host["keptMarks"] as? Int == 0)
      #expect(host["lastWord"] is String)
      let words = try await fleet.run(on: "a.db", ["fleet", "status"])
      #expect(words.text.contains("a.db: this host has taken in all of its marks"), "\(words.text)")
    }

    @Test func `status counts marks, and no numbers that were lost before them`() async throws {
      let fleet = try await CommandFleet.make()
      #expect(try await fleet.get(on: "a.db").status == 0)
      try await fleet.sql(
        """
        UPDATE freshstore.counter SET number = 51, token = 7;
        INSERT INTO freshstore.mark (number, token, scope, collection, name, reason)
        VALUES (51, 7, 4, '', '', 'its history was lost')
        """)
      let status = try await fleet.run(on: "a.db", ["fleet", "status", "--json"]).object
      #expect(status["newestMark"] as? Int == 51)
      #expect((status["host"] as? [String: Any])?["missingMarks"] as? Int == 1)
    }

    @Test func `without a store there is no place to show`() async throws {
      let fleet = try await CommandFleet.make()
      let status = try await fleet.run(on: "none.db", ["fleet", "status", "--json"])
      #expect(status.status == 0)
      #expect(try status.object["host"] == nil)
    }

    @Test func `trim removes old marks, and what was away longer is told so`() async throws {
      let fleet = try await CommandFleet.make()
      #expect(try await fleet.get(on: "a.db").status == 0)
      for tag in ["x", "y"] {
        #expect(try await fleet.run(on: "b.db", ["mark", "--tag", tag]).status == 0)
      }
      #expect(try await fleet.run(["fleet", "trim", "--json"]).object["marks"] as? Int == 0)
      let trimmed = try await fleet.run(["fleet", "trim", "--older-than", "0", "--json"])
      #expect(trimmed.status == 0)
      #expect(try trimmed.object["marks"] as? Int == 2)
      #expect(try trimmed.object["records"] as? Int == 0)
      let status = try await fleet.run(on: "a.db", ["fleet", "status"])
      #expect(status.text.contains("makes all copies here stale"), "\(status.text)")
      // The fleet keeps a record that no mark covers.
      let found = try await fleet.get(on: "a.db", ["--json"])
      #expect((try found.object["fleet"] as? [String: Any])?["from"] is String)
      #expect(try fleet.runs == 1)
    }

    @Test func `trim says what would go, and how far it is`() async throws {
      let fleet = try await CommandFleet.make()
      for tag in ["x", "y"] {
        #expect(try await fleet.run(on: "a.db", ["mark", "--tag", tag]).status == 0)
      }
      let trim = ["fleet", "trim", "--older-than", "0", "--progress-every", "0"]
      let words = "marks: 2, records: 0, leases: 0"
      let dry = try await fleet.run(trim + ["--dry-run"])
      #expect(dry.status == 0)
      #expect(dry.text == "would remove \(words)\n")
      #expect(dry.error.isEmpty, "\(dry.error)")
      let told = try await fleet.run(trim + ["--dry-run", "--json"]).object
      #expect(told["marks"] as? Int == 2)
      #expect(told["isDryRun"] as? Bool == true)
      let loud = try await fleet.run(trim)
      #expect(loud.text == "removed \(words)\n")
      #expect(loud.error.hasPrefix("freshstore: removed \(words)\n"), "\(loud.error)")
      let quiet = try await fleet.run(trim + ["--quiet"])
      #expect(quiet.status == 0)
      #expect(quiet.text.isEmpty && quiet.error.isEmpty, "\(quiet.error)")
    }

    @Test(arguments: [
      ("CREATE SCHEMA freshstore; CREATE TABLE freshstore.lease (a int)", "another application"),
      ("", "newer one"),
    ])
    func `tables of others, or of a newer version, are refused and left`(
      sql: String, words: String
    ) async throws {
      let fleet = try await CommandFleet.make(isSetUp: sql.isEmpty)
      try await fleet.sql(sql.isEmpty ? "UPDATE freshstore.fleet SET version = 99" : sql)
      let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'freshstore'"
      let before = try await fleet.sql(tables)
      for verb in ["init", "status", "trim"] {
        let run = try await fleet.run(["fleet", verb])
        #expect(run.status == 7)
        #expect(run.output.isEmpty)
        #expect(run.error.contains(words), "\(run.error)")
      }
      #expect(try await fleet.sql(tables) == before)
      // A host goes on without it.
      let get = try await fleet.get(on: "a.db")
      #expect(get.status == 0)
      #expect(get.text == "value\n")
      #expect(get.error.contains("going on without the fleet"), "\(get.error)")
    }

    @Test func `a user without rights is told which it needs`() async throws {
      let fleet = try await CommandFleet.make(isSetUp: false)
      let user = "u" + fleet.database
      try await fleet.sql("CREATE ROLE \(user) LOGIN")
      let run = try await fleet.run(
        ["fleet", "init"], fleet: fleet.server.address(user: user, database: fleet.database))
      #expect(run.status == 7)
      #expect(run.error.contains("CREATE ON DATABASE"), "\(run.error)")
    }

    @Test func `the right password is taken, and a wrong one is refused and not shown`()
      async throws
    {
      let fleet = try await CommandFleet.make()
      #expect(try await fleet.run(["fleet", "status"], fleet: fleet.uri()).status == 0)
      for verb in [["fleet", "status"], ["fleet", "init"], ["doctor", "-v", "127.0.0.1"]] {
        let run = try await fleet.run(verb, fleet: fleet.uri(password: "hunter2"))
        #expect(run.status == 7)
        #expect((run.error + run.text).contains("authentication failed"), "\(run.error)\(run.text)")
        #expect(!(run.error + run.text).contains("hunter2"))
      }
    }

    // MARK: Refused marks

    /// Leaves a mark in a host's store that was kept for another fleet, which this one therefore did not get.
    private func refuse(_ tag: String, on host: String, of fleet: CommandFleet) async throws {
      let tier = InMemorySharedTier(address: "elsewhere", now: { .zero })
      var configuration = Configuration(reachability: .fixed(.online))
      configuration.sharedTier = tier
      configuration.fleet.outOfReach = .keepMarks
      let store = try Store(path: fleet.playground.file(host), configuration: configuration)
      try await store.takeInFleetMarks()
      tier.fail(with: SharedTierError(.unreachable, "there is no way to it"))
      try await store.markStale(tag: tag)
      try await store.close()
      #expect(try await fleet.run(on: host, ["sweep"]).status == 0)
    }

    @Test func `a mark that was refused is listed, and delivered once more`() async throws {
      let fleet = try await CommandFleet.make()
      #expect(try await fleet.run(on: "a.db", ["fleet", "marks"]).status == 0)
      try await refuse("t", on: "a.db", of: fleet)
      let list = try await fleet.run(on: "a.db", ["fleet", "marks", "--json"]).object
      #expect((list["covers"] as? [String: Any])?["tag"] as? String == "t")
      #expect(list["refusal"] as? String == "it was made for another fleet")
      let doctor = try await fleet.run(on: "a.db", ["doctor", "127.0.0.1"])
      #expect(doctor.text.contains("freshstore fleet marks"), "\(doctor.text)")
      #expect(try await fleet.run(on: "a.db", ["fleet", "marks", "--retry"]).status == 0)
      #expect(try await fleet.run(on: "a.db", ["fleet", "marks"]).text.isEmpty)
      let delivered = try await fleet.sql("SELECT count(*) FROM freshstore.mark WHERE scope = 1")
      #expect(delivered != ["0"])
    }

    @Test func `a mark that the fleet does not take is no success, and is delivered later`()
      async throws
    {
      let fleet = try await CommandFleet.make()
      try await refuse("t", on: "a.db", of: fleet)
      try await fleet.sql(
        "ALTER TABLE freshstore.mark ADD CONSTRAINT t CHECK (name <> 't'::bytea) NOT VALID")
      // The second time it is kept, and not refused any more.
      for _ in 1...2 {
        let retried = try await fleet.run(on: "a.db", ["fleet", "marks", "--retry"])
        #expect(retried.status == 7)
        #expect(retried.error.contains("marks that the fleet has not taken: 1"), "\(retried.error)")
        #expect(retried.error.contains("--retry once more"), "\(retried.error)")
      }
      try await fleet.sql("ALTER TABLE freshstore.mark DROP CONSTRAINT t")
      #expect(try await fleet.run(on: "a.db", ["fleet", "marks", "--retry"]).status == 0)
      let delivered = try await fleet.sql("SELECT count(*) FROM freshstore.mark WHERE scope = 1")
      #expect(delivered != ["0"])
    }

    @Test func `a mark that is refused again stays, until it is dropped`() async throws {
      let fleet = try await CommandFleet.make()
      try await refuse(CommandFleet.longTag, on: "a.db", of: fleet)
      let retried = try await fleet.run(on: "a.db", ["fleet", "marks", "--retry", "--json"])
      #expect(retried.status == 6)
      let number = try #require(try retried.object["number"] as? Int)
      #expect(try await fleet.run(on: "a.db", ["fleet", "marks", "--drop", "99"]).status == 4)
      let dropped = try await fleet.run(on: "a.db", ["fleet", "marks", "--drop", "\(number)"])
      #expect(dropped.status == 0)
      #expect(dropped.text.hasPrefix("\(number)\t"))
      #expect(try await fleet.run(on: "a.db", ["fleet", "marks"]).text.isEmpty)
      let direct = try await fleet.run(on: "a.db", ["mark", "--tag", CommandFleet.longTag])
      #expect(direct.status == 64)
      #expect(direct.error.contains("at most 1024 bytes"), "\(direct.error)")
    }

    @Test(arguments: [
      ["fleet", "marks", "--retry", "--drop"], ["fleet", "marks", "7"],
    ])
    func `words that do not fit are refused`(arguments: [String]) async throws {
      #expect(try await CommandFleet.make(isSetUp: false).run(arguments).status == 64)
    }
  }
#endif
