#if Fleet
  import FreshFleet
  import FreshStore
  import PostgreSQLServer
  import Testing

  /// Two servers, the second a streaming replica of the first, and hosts that know both.
  @Suite(.needsPostgreSQL, .serialized) struct FailoverTests {
    private func host(_ fleet: TestFleet, _ replica: PostgreSQLServer) throws -> FleetClient {
      let (first, second) = (fleet.server, replica)
      let address =
        "host=\(second.folder),\(first.folder) port=\(second.port),\(first.port) user=postgres "
        + "dbname=\(fleet.database)"
      return try fleet.host(address: address) {
        $0.firstProbePause = .milliseconds(20)
        $0.longestProbePause = .milliseconds(100)
      }
    }

    private func untilReached(_ host: FleetClient) async {
      for await _ in host.announcements() where host.reach == .reached { return }
    }

    @Test func `a replica is passed over, and taken once it was promoted`() async throws {
      let first = try await PostgreSQLServer()
      let fleet = try await TestFleet.make(on: first)
      let replica = try await PostgreSQLServer(replicaOf: first)
      // Durable on both when it is acknowledged.
      try await first.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
      try await first.sql("SELECT pg_reload_conf()")
      let waited = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
      while try await first.sql(waited) != ["1"] {}
      let host = try host(fleet, replica)
      let start = try await host.position()
      let key = SharedKey("notes", "1")
      let lease = try await host.lease(key)
      for number in 0..<20 {
        _ = try await host.mark([.tag(Array("\(number)".utf8))], reason: "", since: nil)
      }
      await first.killAll()
      try await replica.promote()
      await untilReached(host)
      #expect(try await host.news(since: start).marks?.count == 20)
      #expect(try await host.land([(lease, SharedRecord(value: [1]))], since: nil).value == [])
      _ = try await host.mark([.all], reason: "", since: nil)
    }

    @Test func `a standby that the address does not rule out is told as one that can only be read`()
      async throws
    {
      let first = try await PostgreSQLServer()
      let fleet = try await TestFleet.make(on: first)
      let replica = try await PostgreSQLServer(replicaOf: first)
      let address = replica.address(database: fleet.database) + " target_session_attrs=any"
      let host = try fleet.host(address: address)
      let administration = try FleetAdministration(address)
      let errors = [
        await failure { () async throws(SharedTierError) in _ = try await host.position() },
        await failure { () async throws(SharedTierError) in _ = try await administration.status() },
      ]
      for error in errors {
        #expect(error?.code == .readOnly)
        #expect(error?.message.contains("target_session_attrs=read-write") == true)
      }
    }

    @Test func `a server that was demoted while its connections stood is left`() async throws {
      let first = try await PostgreSQLServer()
      let fleet = try await TestFleet.make(on: first)
      let second = try await PostgreSQLServer(replicaOf: first)
      try await second.promote()
      let address =
        "host=\(first.folder),\(second.folder) port=\(first.port),\(second.port) user=postgres "
        + "dbname=\(fleet.database)"
      let host = try fleet.host(address: address)
      let key = SharedKey("notes", "1")
      _ = try await host.mark([.tag([1])], reason: "", since: nil)
      _ = try await host.lease(SharedKey("notes", "other"))
      try await first.sql("ALTER SYSTEM SET default_transaction_read_only = on")
      try await first.sql("SELECT pg_reload_conf()")
      while try await first.sql("SHOW default_transaction_read_only") != ["on"] {}

      // Each kind of call has a connection of its own.
      _ = try await host.mark([.tag([2])], reason: "", since: nil)
      _ = try await host.lease(key)

      let count = "SELECT count(*) FROM freshstore.mark WHERE name = '\\x02'"
      #expect(try await second.sql(count, database: fleet.database) == ["1"])
      #expect(host.reach == .reached)
    }

    @Test func `marks that a replica had not received are a lost history`() async throws {
      let first = try await PostgreSQLServer()
      let fleet = try await TestFleet.make(on: first)
      let replica = try await PostgreSQLServer(replicaOf: first)
      let host = try host(fleet, replica)
      let start = try await host.position()
      // The replica hears of nothing any more.
      await replica.stop()
      _ = try await host.mark([.tag([1])], reason: "", since: nil)
      let seen = try await host.position()
      await first.killAll()
      try await replica.start()
      try await replica.promote()
      await untilReached(host)
      guard case .suspect(.historyLost, start) = try await host.news(since: seen) else {
        Issue.record("known")
        return
      }
    }
  }
#endif
