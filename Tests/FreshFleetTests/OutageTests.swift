#if Fleet
  import FreshFleet
  import FreshStore
  import PostgreSQLServer
  import Testing

  /// Servers of their own, which are stopped, killed and put back.
  @Suite(.needsPostgreSQL, .serialized) struct OutageTests {
    private let key = SharedKey("notes", "1")

    /// Waits until the host's probe has found the tier.
    private func untilReached(_ host: FleetClient) async {
      for await _ in host.announcements() where host.reach == .reached { return }
    }

    private func quick(_ configuration: inout FleetConfiguration) {
      configuration.firstProbePause = .milliseconds(20)
      configuration.longestProbePause = .milliseconds(100)
    }

    @Test func `a host goes on after a restart of the server`() async throws {
      let server = try await PostgreSQLServer()
      let fleet = try await TestFleet.make(on: server)
      let host = try fleet.host(change: quick)
      try await host.fetch(key, SharedRecord(value: [1]))
      await server.stop()
      let error = await failure { () async throws(SharedTierError) in _ = try await host.position()
      }
      #expect(error?.code == .unreachable)
      try await server.start()
      await untilReached(host)
      #expect(try await host.found(key)?.record.value == [1])
    }

    @Test func `outages are counted, also those that no call has met`() async throws {
      let server = try await PostgreSQLServer()
      let fleet = try await TestFleet.make(on: server)
      let host = try fleet.host(change: quick)
      await untilReached(host)
      #expect(host.outages == 0)
      for count in 1...2 {
        await server.stop()
        while host.outages < count { await Task.yield() }
        #expect(host.reach != .reached)
        try await server.start()
        await untilReached(host)
        #expect(host.outages == count)
      }
    }

    @Test func `marks alone find out that a server does not answer`() async throws {
      let server = try await PostgreSQLServer()
      let fleet = try await TestFleet.make(on: server)
      let host = try fleet.host {
        quick(&$0)
        $0.limit = .milliseconds(200)
        $0.markLimit = .milliseconds(200)
        $0.failuresToOpen = 1
      }
      // The first ones open the connections, which may take longer.
      while await failure({ () async throws(SharedTierError) in
        _ = try await host.mark([.all], reason: "", since: nil)
      }) != nil {}
      server.freeze()
      while host.outages == 0 {
        _ = await failure { () async throws(SharedTierError) in
          _ = try await host.mark([.all], reason: "", since: nil)
        }
      }
      server.thaw()
    }

    @Test func `a landing that never left keeps nobody from fetching the key`() async throws {
      let server = try await PostgreSQLServer()
      let fleet = try await TestFleet.make(on: server)
      let other = try fleet.host(change: quick)
      let host = try fleet.host {
        quick(&$0)
        $0.limit = .seconds(5)
        $0.markLimit = .seconds(5)
        $0.connections = 1
        $0.failuresToOpen = 100
      }
      // The first ones open the connection, which may take longer.
      while await failure({ () async throws(SharedTierError) in _ = try await host.position() })
        != nil
      {}
      let lease = try await host.lease(key, for: .seconds(3600))
      // The only connection waits, and goes on waiting while the server is frozen.
      try await server.hold(
        fleet.database, "LOCK TABLE freshstore.origin", database: fleet.database)
      let first = Task {
        await failure { () async throws(SharedTierError) in
          _ = try await host.pauses(of: ["example"])
        }
      }
      try await fleet.untilBlocked()
      server.freeze()
      let error = await failure { () async throws(SharedTierError) in
        _ = try await host.land([(lease, SharedRecord(value: [1]))], since: nil)
      }
      #expect(error?.code == .slow)
      #expect(error?.isUncertain == false)
      #expect(await first.value?.code == .slow)
      server.thaw()
      try await server.release(fleet.database, database: fleet.database)
      while true {
        if case .granted = try await other.claim(key) { break }
      }
    }

    @Test func `an idle connection that ended in a restart costs no call`() async throws {
      let server = try await PostgreSQLServer()
      let fleet = try await TestFleet.make(on: server)
      let host = try fleet.host(change: quick)
      let position = try await host.position()
      try await fleet.sql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'freshstore'"
      )
      #expect(try await host.news(since: position).marks == [])
    }

    @Test func `what was acknowledged survives a kill of the server`() async throws {
      let server = try await PostgreSQLServer()
      let fleet = try await TestFleet.make(on: server)
      let host = try fleet.host(change: quick)
      let start = try await host.position()
      let lease = try await host.lease(key)
      for number in 0..<20 {
        _ = try await host.mark([.tag(Array("\(number)".utf8))], reason: "", since: nil)
      }
      await server.killAll()
      try await server.start()
      await untilReached(host)
      #expect(try await host.news(since: start).marks?.count == 20)
      // The leases are lost with the server, and with them the right to land.
      #expect(try await host.land([(lease, SharedRecord(value: [1]))], since: nil).value == [])
      _ = try await host.lease(key)
    }

    @Test func `a server that does not answer costs the limit, and then nothing`() async throws {
      let server = try await PostgreSQLServer()
      let fleet = try await TestFleet.make(on: server)
      let host = try fleet.host(change: quick)
      _ = try await host.position()
      let hurried = try FleetClient(fleet.address)
      let clock = ContinuousClock()
      // The first calls open the connections.
      while await failure({ () async throws(SharedTierError) in _ = try await hurried.position() })
        != nil
      {}
      server.freeze()
      var spent: [Duration] = []
      for _ in 0..<100 {
        spent.append(
          await clock.measure {
            let error = await failure { () async throws(SharedTierError) in
              _ = try await hurried.position()
            }
            #expect(error?.code == .slow)
          })
      }
      // Two calls open the breaker, and nobody waits again; a busy machine may hold up a few.
      #expect(spent[0] >= .milliseconds(50))
      #expect(spent[2...].sorted()[90] < .milliseconds(50))
      #expect(spent[2...].sorted()[49] < .milliseconds(5))
      server.thaw()
      await untilReached(hurried)
      _ = try await host.position()
    }

    @Test func `calls behind a connection that does not come about fail at once in the end`()
      async throws
    {
      let server = try await PostgreSQLServer()
      let fleet = try await TestFleet.make(on: server)
      // Connections are accepted, and never answered.
      server.freeze()
      defer { server.thaw() }
      let host = try fleet.host {
        $0.connections = 1
        $0.limit = .milliseconds(100)
        $0.connectLimit = .seconds(60)
        $0.failuresToOpen = 3
      }
      while host.outages == 0 {
        _ = await failure { () async throws(SharedTierError) in _ = try await host.position() }
      }
      guard case .outOfReach = host.reach else {
        Issue.record("it is in reach")
        return
      }
    }

    @Test func `a mark whose answer does not come is uncertain`() async throws {
      let server = try await PostgreSQLServer()
      let fleet = try await TestFleet.make(on: server)
      let host = try fleet.host {
        quick(&$0)
        $0.markLimit = .milliseconds(200)
      }
      // The first one opens a connection, which may take longer.
      while await failure({ () async throws(SharedTierError) in
        _ = try await host.mark([.all], reason: "", since: nil)
      }) != nil {}
      server.freeze()
      let error = await failure { () async throws(SharedTierError) in
        _ = try await host.mark([.all], reason: "", since: nil)
      }
      #expect(error?.code == .slow)
      #expect(error?.isUncertain == true)
      server.thaw()
    }

    @Test func `a lease that was granted to a caller who had left is free again`() async throws {
      let server = try await PostgreSQLServer()
      let fleet = try await TestFleet.make(on: server)
      let (host, other) = (
        try fleet.host {
          quick(&$0)
          $0.limit = .milliseconds(300)
          $0.failuresToOpen = 100
        }, try fleet.host(change: quick)
      )
      _ = try await host.position()
      server.freeze()
      let error = await failure { () async throws(SharedTierError) in _ = try await host.claim(key)
      }
      #expect(error?.code == .slow)
      server.thaw()
      while true {
        if case .granted = try await other.claim(key) { break }
      }
    }

    @Test func `an older copy of the data is a lost history, also at the same number`() async throws
    {
      let server = try await PostgreSQLServer()
      let fleet = try await TestFleet.make(on: server)
      let host = try fleet.host(change: quick)
      _ = try await host.mark([.all], reason: "", since: nil)
      let saved = try await host.position()
      await server.stop()
      try await server.copyData(to: "older")
      try await server.start()
      await untilReached(host)
      _ = try await host.mark([.tag([1])], reason: "", since: nil)
      let seen = try await host.position()
      let lease = try await host.lease(key)
      await server.stop()
      try await server.restoreData(from: "older")
      try await server.start()
      await untilReached(host)
      guard case .suspect(.historyLost, saved) = try await host.news(since: seen) else {
        Issue.record("known")
        return
      }
      #expect(try await host.land([(lease, SharedRecord(value: [1]))], since: nil).value == [])
      _ = try await host.mark([.tag([2])], reason: "", since: nil)
      #expect(try await host.position().number == seen.number)
      guard case .suspect(.historyLost, _) = try await host.news(since: seen) else {
        Issue.record("known")
        return
      }
      #expect(try await host.news(since: saved).marks?.count == 1)
    }

    @Test func `a closed fleet fails at once`() async throws {
      let fleet = try await TestFleet.make()
      let host = try fleet.host()
      _ = try await host.position()
      host.close()
      let error = await failure { () async throws(SharedTierError) in _ = try await host.position()
      }
      #expect(error?.code == .closed)
    }

    @Test func `a cancelled call ends at once`() async throws {
      let server = try await PostgreSQLServer()
      let fleet = try await TestFleet.make(on: server)
      let host = try fleet.host(change: quick)
      _ = try await host.position()
      server.freeze()
      let call = Task {
        await failure { () async throws(SharedTierError) in _ = try await host.position() }
      }
      call.cancel()
      #expect(await call.value?.code == .cancelled)
      server.thaw()
    }
  }
#endif
