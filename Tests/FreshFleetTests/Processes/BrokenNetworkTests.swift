#if Fleet
  import PostgreSQLServer
  import Testing

  /// Hosts whose way to their database breaks, whole or in one direction.
  @Suite(
    .needsPostgreSQL, .serialized,
    .enabled("namespaces need root, ip and nsenter") { await FleetNetwork.isPossible.value })
  struct BrokenNetworkTests {
    /// A fleet of two hosts that have met it, each in a network of its own.
    private func start() async throws -> (
      network: FleetNetwork, fleet: WorkerFleet, workers: [WorkerFleet.Worker]
    ) {
      let network = try await FleetNetwork(hosts: 2)
      let server = try await PostgreSQLServer(inNetworkOf: network.database)
      try await server.admit("10.77.0.0/16")
      let shared = try await TestFleet.make(on: server)
      let fleet = try WorkerFleet(shared, keeping: network)
      var workers: [WorkerFleet.Worker] = []
      for host in 0..<2 {
        workers.append(
          try await fleet.start(
            host, "limit=500", "lease=1000", address: network.address(shared, for: host),
            inNetworkOf: network.network(of: host)))
      }
      for worker in workers { #expect(try await worker.ask("take") == "done") }
      return (network, fleet, workers)
    }

    @Test(arguments: FleetNetwork.Cut.allCases)
    func `a host that is cut off goes on alone, and knows all marks once it is back`(
      _ cut: FleetNetwork.Cut
    ) async throws {
      let (network, fleet, workers) = try await start()
      let (here, there) = (workers[0], workers[1])
      #expect(try await here.ask("get k one").hasPrefix("one fetched together"))
      #expect(try await there.ask("get k one").hasPrefix("one found together"))

      try await network.cut(1, cut)
      #expect(try await there.ask("get alone own").hasPrefix("own fetched alone"))
      #expect(try await there.ask("mark alone").hasPrefix("failed"))
      #expect(try await there.ask("read k") == "fresh one")
      // The other one does not notice.
      #expect(try await here.ask("mark k") == "done")
      #expect(try await here.ask("get other one").hasPrefix("one fetched together"))

      try await network.mend(1, cut)
      #expect(try await there.ask("take") == "done")
      #expect(try await there.ask("read k") == "stale one")
      // On a loaded machine a call of either may be late once more.
      var number = 1
      while number < 20 {
        let isFetched = try await there.ask("get k\(number) two").hasPrefix("two fetched together")
        if isFetched,
          try await here.ask("get k\(number) three").hasPrefix("two found together")
        {
          break
        }
        number += 1
      }
      #expect(number < 20)
      try await fleet.end(workers)
    }

    @Test func `a database that is cut off stops nobody`() async throws {
      let (network, fleet, workers) = try await start()
      for worker in workers { #expect(try await worker.ask("get k one").hasPrefix("one")) }
      for host in 0..<2 { try await network.cut(host, .cable) }

      // Each fetches by itself.
      for worker in workers {
        #expect(try await worker.ask("get alone own").hasPrefix("own fetched alone"))
        #expect(try await worker.ask("read k") == "fresh one")
      }
      for host in 0..<2 { try await network.mend(host, .cable) }
      for worker in workers { #expect(try await worker.ask("take") == "done") }
      #expect(try await workers[0].ask("mark k") == "done")
      #expect(try await workers[1].ask("take") == "done")
      #expect(try await workers[1].ask("get k two").hasPrefix("two fetched together"))
      try await fleet.end(workers)
    }

    @Test func `a host whose lease ends while it is cut off lands nothing`() async throws {
      let (network, fleet, workers) = try await start()
      let (late, other) = (workers[0], workers[1])
      #expect(try await late.ask("hold k one") == "fetching")
      try await network.cut(0, .cable)
      #expect(try await other.ask("get k two").hasPrefix("two fetched together"))
      #expect(try await late.ask("go on").hasPrefix("one fetched"))
      try await network.mend(0, .cable)
      #expect(try await late.ask("take") == "done")
      #expect(try await other.ask("get k three").hasPrefix("two found together"))
      try await fleet.end(workers)
    }
  }
#endif
