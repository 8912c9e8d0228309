#if Fleet
  import FreshFleet
  import FreshStore
  import PostgreSQLServer
  import Testing

  @Suite(.needsPostgreSQL) struct RightsTests {
    @Test func `the owner of the tables lacks no right`() async throws {
      #expect(try await TestFleet.make().host().missingRights().isEmpty)
    }

    /// A user that may only read.
    private func reader(of fleet: TestFleet) async throws -> (name: String, host: FleetClient) {
      let name = "reader" + fleet.database
      try await fleet.sql(
        """
        CREATE ROLE \(name) LOGIN;
        GRANT USAGE ON SCHEMA freshstore TO \(name);
        GRANT SELECT ON ALL TABLES IN SCHEMA freshstore TO \(name)
        """)
      let address = fleet.server.address(user: name, database: fleet.database)
      return (name, try fleet.host(address: address))
    }

    @Test func `a user that may only read is told what it lacks, and all once it has them`()
      async throws
    {
      let fleet = try await TestFleet.make()
      let (name, host) = try await reader(of: fleet)
      let missing = try await host.missingRights()
      #expect(missing.first == "UPDATE ON freshstore.counter")
      #expect(missing.contains("INSERT ON freshstore.mark"))
      #expect(!missing.contains { $0.hasPrefix("SELECT") })
      try await fleet.sql(
        "GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA freshstore TO \(name)")
      #expect(try await host.missingRights().isEmpty)
    }

    @Test func `a user that may only read looks at what there is`() async throws {
      let fleet = try await TestFleet.make()
      let key = SharedKey("notes", "1")
      try await fleet.host().fetch(key, SharedRecord(value: [1]))
      let (_, host) = try await reader(of: fleet)

      let answer = try await host.claim(
        [SharedClaim(key, takesLease: false)], owner: "", for: .zero, since: nil)

      guard case .found(let finding) = answer.value[key] else {
        Issue.record("not found")
        return
      }
      #expect(finding.record.value == [1])
    }
  }
#endif
