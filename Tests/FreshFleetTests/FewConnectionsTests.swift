#if Fleet
  @testable import FreshFleet
  import FreshStore
  import PostgreSQLServer
  import Testing

  /// A database that grants its user few connections.
  @Suite(.needsPostgreSQL, .timeLimit(.minutes(2))) struct FewConnectionsTests {
    /// A user that may have so many connections, and its address.
    private func user(of fleet: TestFleet, connections: Int) async throws -> String {
      let name = "u" + fleet.database
      try await fleet.sql(
        """
        CREATE ROLE \(name) LOGIN CONNECTION LIMIT \(connections);
        GRANT USAGE ON SCHEMA freshstore TO \(name);
        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA freshstore TO \(name)
        """)
      return fleet.server.address(user: name, database: fleet.database)
    }

    /// Makes a host that listens for marks, and returns once it does.
    private func listeningHost(
      _ fleet: TestFleet, _ address: String
    ) async throws -> (host: FleetClient, following: Task<Void, Never>) {
      let host = try fleet.host(address: address)
      var news = host.announcements().makeAsyncIterator()
      // The first one tells nothing; the second comes once there is a connection.
      for _ in 0..<2 { await news.next() }
      let following = Task { for await _ in host.announcements() {} }
      return (host, following)
    }

    @Test(arguments: [(1, 1), (2, 1), (3, 1), (3, 2)])
    func `marks and questions share the connections that there are`(
      connections: Int, hosts: Int
    ) async throws {
      let fleet = try await TestFleet.make()
      let address = try await user(of: fleet, connections: connections)
      for number in 0..<hosts {
        let (host, following) = try await listeningHost(fleet, address)
        // The other host gives up what it does not need.
        while await failure({ () async throws(SharedTierError) in _ = try await host.position() })
          != nil
        {}
        let outages = host.outages
        // All at once, so that there is a wish for more connections than there are.
        try await withThrowingTaskGroup(of: Void.self) { group in
          for key in 0..<10 {
            group.addTask {
              try await host.fetch(SharedKey("notes", "\(number) \(key)"), SharedRecord(value: [1]))
            }
            group.addTask { _ = try await host.mark([.tag([UInt8(key)])], reason: "", since: nil) }
          }
          try await group.waitForAll()
        }
        #expect(host.reach == .reached && host.outages == outages)
        following.cancel()
        // The next one has to get its connection beside those of this one.
        if number + 1 == hosts { host.close() }
      }
      let marks = try await fleet.sql("SELECT count(*) FROM freshstore.mark WHERE scope = 1")
      #expect(marks == ["\(10 * hosts)"])
    }
  }
#endif
