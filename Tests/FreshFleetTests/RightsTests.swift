#if Fleet
  import FreshFleet
  import FreshStore
  import PostgreSQLServer
  import Testing

  @Suite(.needsPostgreSQL) struct RightsTests {
    @Test func `the owner of the tables lacks no right`() async throws {
      #expect(try await TestFleet.make().host().missingRights().isEmpty)
    }

    @Test func `a user that may only read is told what it lacks, and all once it has them`()
      async throws
    {
      let fleet = try await TestFleet.make()
      let name = "reader" + fleet.database
      try await fleet.sql(
        """
        CREATE ROLE \(name) LOGIN;
        GRANT USAGE ON SCHEMA freshstore TO \(name);
        GRANT SELECT ON ALL TABLES IN SCHEMA freshstore TO \(name)
        """)
      let host = try fleet.host(
        address: fleet.server.address(user: name, database: fleet.database))
      let missing = try await host.missingRights()
      #expect(missing.first == "UPDATE ON freshstore.counter")
      #expect(missing.contains("INSERT ON freshstore.mark"))
      #expect(!missing.contains { $0.hasPrefix("SELECT") })
      try await fleet.sql(
        "GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA freshstore TO \(name)")
      #expect(try await host.missingRights().isEmpty)
    }
  }
#endif
