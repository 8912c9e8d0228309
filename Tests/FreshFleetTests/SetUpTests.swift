#if Fleet
  import FreshFleet
  import FreshStore
  import PostgreSQLServer
  import Testing

  @Suite(.needsPostgreSQL) struct SetUpTests {
    @Test func `a new fleet has one mark and nothing else`() async throws {
      let fleet = try await TestFleet.make()
      let status = try await fleet.administration.status()
      #expect(status.version == 1)
      #expect(status.newestMark == 1 && status.oldestMark == 1)
      #expect(status.records == 0 && status.leases == 0 && status.pausedOrigins == 0)
    }

    @Test func `to set up again changes nothing`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      try await host.fetch(SharedKey("notes", "1"), SharedRecord(value: [1]))
      _ = try await host.mark([.tag([1])], reason: "", since: nil)
      let before = try await fleet.administration.status()
      #expect(try await fleet.administration.setUp() == before)
      #expect(before.records == 1 && before.newestMark == 2)
    }

    @Test func `one that is set up anew is another one to its hosts`() async throws {
      let fleet = try await TestFleet.make()
      let seen = try await fleet.host().position()
      try await fleet.sql("DROP SCHEMA freshstore CASCADE")
      _ = try await fleet.administration.setUp()
      guard case .suspect(.new, let position) = try await fleet.host().news(since: seen) else {
        Issue.record("known")
        return
      }
      #expect(position.number == seen.number && position.generation != seen.generation)
    }

    @Test func `several that set up at once make one fleet`() async throws {
      let fleet = try await TestFleet.make(isSetUp: false)
      let generations = try await withThrowingTaskGroup(of: Int64.self) { group in
        for _ in 0..<4 {
          group.addTask { try await fleet.administration.setUp().generation }
        }
        return try await group.reduce(into: Set<Int64>()) { $0.insert($1) }
      }
      #expect(generations.count == 1)
    }

    @Test func `a database without a fleet says so`() async throws {
      let fleet = try await TestFleet.make(isSetUp: false)
      let host = try fleet.host()
      let error = await failure { () async throws(SharedTierError) in _ = try await host.position()
      }
      #expect(error?.code == .noSchema)
      #expect(host.reach == .outOfReach(try #require(error)))
    }

    @Test func `another application's tables are refused and left`() async throws {
      let fleet = try await TestFleet.make(isSetUp: false)
      try await fleet.sql("CREATE SCHEMA freshstore; CREATE TABLE freshstore.lease (a int)")
      let administration = try fleet.administration
      let error = await failure { () async throws(SharedTierError) in
        _ = try await administration.setUp()
      }
      #expect(error?.code == .foreignTables)
      let host = try fleet.host()
      let other = await failure { () async throws(SharedTierError) in _ = try await host.position()
      }
      #expect(other?.code == .foreignTables)
      #expect(try await fleet.sql("SELECT count(*) FROM freshstore.lease") == ["0"])
    }

    @Test(arguments: [
      "CREATE TABLE freshstore.fleet (a int)",
      """
      CREATE TABLE freshstore.fleet (id int, application text, version int, generation bigint);
      INSERT INTO freshstore.fleet VALUES (0, 'logistics', 1, 1)
      """,
      "CREATE TABLE freshstore.fleet (id text, application text, version int, generation bigint)",
      "CREATE VIEW freshstore.fleet AS SELECT 'trucks' AS name",
    ])
    func `a table that is named as ours is refused`(_ table: String) async throws {
      let fleet = try await TestFleet.make(isSetUp: false)
      try await fleet.sql("CREATE SCHEMA freshstore; \(table)")
      let administration = try fleet.administration
      let error = await failure { () async throws(SharedTierError) in
        _ = try await administration.setUp()
      }
      #expect(error?.code == .foreignTables)
    }

    @Test func `an empty schema of that name is used`() async throws {
      let fleet = try await TestFleet.make(isSetUp: false)
      try await fleet.sql("CREATE SCHEMA freshstore")
      #expect(try await fleet.administration.setUp().version == 1)
    }

    @Test func `a newer schema is refused by all, and left`() async throws {
      let fleet = try await TestFleet.make()
      try await fleet.sql("UPDATE freshstore.fleet SET version = 99")
      let administration = try fleet.administration
      let expected = SharedTierError.Code.newerSchema(found: 99, supported: 1)
      let error = await failure { () async throws(SharedTierError) in
        _ = try await administration.setUp()
      }
      #expect(error?.code == expected)
      let host = try fleet.host()
      let other = await failure { () async throws(SharedTierError) in _ = try await host.position()
      }
      #expect(other?.code == expected)
      #expect(try await fleet.sql("SELECT version FROM freshstore.fleet") == ["99"])
    }

    @Test func `a user without rights is told so`() async throws {
      let fleet = try await TestFleet.make()
      let name = "u" + fleet.database
      try await fleet.sql("CREATE ROLE \(name) LOGIN")
      let address = fleet.server.address(user: name, database: fleet.database)
      let host = try fleet.host(address: address)
      let error = await failure { () async throws(SharedTierError) in _ = try await host.position()
      }
      #expect(error?.code == .noRights)
      try await fleet.sql(
        """
        GRANT USAGE ON SCHEMA freshstore TO \(name);
        GRANT SELECT ON ALL TABLES IN SCHEMA freshstore TO \(name)
        """)
      let reader = try fleet.host(address: address)
      _ = try await reader.position()
      let other = await failure { () async throws(SharedTierError) in
        _ = try await reader.mark([.all], reason: "", since: nil)
      }
      #expect(other?.code == .noRights)
      #expect(other?.isUncertain == false)
    }

    @Test func `a server that can only be read is told from one that is gone`() async throws {
      let fleet = try await TestFleet.make()
      try await fleet.sql(
        "ALTER DATABASE \(fleet.database) SET default_transaction_read_only = on")
      for attributes in ["", " target_session_attrs=any"] {
        let host = try fleet.host(address: fleet.address + attributes)
        let error = await failure { () async throws(SharedTierError) in
          _ = try await host.position()
        }
        #expect(error?.code == .readOnly)
      }
    }

    @Test func `records and leases may be partitioned by hash`() async throws {
      let fleet = try await TestFleet.make()
      let view = try await fleet.sql("SELECT pg_get_viewdef('freshstore.fresh')")
      try await fleet.sql("DROP VIEW freshstore.fresh")
      for table in ["record", "lease"] {
        try await fleet.sql(
          """
          ALTER TABLE freshstore.\(table) RENAME TO \(table)_whole;
          CREATE TABLE freshstore.\(table) (LIKE freshstore.\(table)_whole,
            PRIMARY KEY (collection, key)) PARTITION BY HASH (collection, key);
          DROP TABLE freshstore.\(table)_whole
          """)
        for part in 0..<4 {
          try await fleet.sql(
            """
            CREATE UNLOGGED TABLE freshstore.\(table)_\(part) PARTITION OF freshstore.\(table)
              FOR VALUES WITH (MODULUS 4, REMAINDER \(part))
            """)
        }
      }
      try await fleet.sql("CREATE VIEW freshstore.fresh AS " + view.joined(separator: "\n"))
      let host = try fleet.host()
      let keys = (0..<40).map { SharedKey("notes", "\($0)") }
      for key in keys { try await host.fetch(key, SharedRecord(value: key.key)) }
      _ = try await host.mark([.key(keys[7])], reason: "", since: nil)
      for key in keys { #expect(try await (host.found(key) == nil) == (key == keys[7])) }
      #expect(try await fleet.administration.trim(olderThan: .zero).records == 1)
      #expect(try await host.found(keys[8]) != nil)
    }
  }
#endif
