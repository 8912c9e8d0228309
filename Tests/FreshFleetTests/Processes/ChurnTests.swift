#if Fleet
  import ChildProcess
  import Foundation
  import PostgreSQLServer
  import Testing

  /// Hosts that get and mark at random, while their database is killed, or a replica takes its place.
  @Suite(.needsPostgreSQL, .serialized) struct ChurnTests {
    private let hosts = 3
    private let keys = 30

    /// How often the database dies.
    private static let rounds =
      ProcessInfo.processInfo.environment["FRESHSTORE_ROUNDS"].flatMap { Int($0) } ?? 3

    private func start(_ fleet: WorkerFleet) async throws -> [WorkerFleet.Worker] {
      var workers: [WorkerFleet.Worker] = []
      for host in 0..<hosts {
        workers.append(
          try await fleet.start(host, "lease=1000", "limit=500"))
      }
      for worker in workers { #expect(try await worker.ask("take") == "done") }
      return workers
    }

    /// Lets the hosts work while something happens; the sums of what they have done.
    private func churn(
      _ workers: [WorkerFleet.Worker], while event: () async throws -> Void
    ) async throws -> [Int] {
      for (number, worker) in workers.enumerated() {
        try worker.process.say("churn \(keys) \(number) \(workers.count)")
      }
      try await event()
      for worker in workers { try worker.process.say("stop") }
      var sums = [0, 0, 0]
      for worker in workers {
        let answer = await worker.process.line()
        let counts = answer.split(separator: " ").compactMap { Int($0) }
        guard answer.hasPrefix("stopped"), counts.count == 3 else {
          Issue.record("\(answer)")
          continue
        }
        sums = zip(sums, counts).map { $0 + $1 }
      }
      return sums
    }

    /// No host gets anything older than an acknowledged mark, once all know of all marks.
    private func audit(_ workers: [WorkerFleet.Worker]) async throws {
      // Of those that were lost the hosts tell one another.
      for _ in 0..<2 {
        for worker in workers { #expect(try await worker.ask("take") == "done") }
      }
      for worker in workers { #expect(try await worker.ask("audit \(keys)") == "sound") }
    }

    /// Waits until the hosts have done something since.
    private func untilMarked(_ fleet: TestFleet, on server: PostgreSQLServer) async throws {
      let count = "SELECT number FROM freshstore.counter"
      let before = try await server.sql(count, database: fleet.database)
      while try await server.sql(count, database: fleet.database) == before {}
    }

    @Test func `no acknowledged mark is lost when the database is killed under load`()
      async throws
    {
      let server = try await PostgreSQLServer()
      let fleet = try await TestFleet.make(on: server)
      let hosts = try WorkerFleet(fleet)
      let workers = try await start(hosts)
      let sums = try await churn(workers) {
        for _ in 0..<Self.rounds {
          try await untilMarked(fleet, on: server)
          await server.killAll()
          try await server.start()
        }
        try await untilMarked(fleet, on: server)
      }
      print("\(sums[0]) gets, \(sums[1]) marks, \(sums[2]) marks refused")
      #expect(sums[1] > 0)
      try await audit(workers)
      try await hosts.end(workers)
    }

    @Test func `no acknowledged mark is lost when hosts are killed under load`() async throws {
      let fleet = try await TestFleet.make(on: PostgreSQLServer())
      let hosts = try WorkerFleet(fleet)
      var workers = try await start(hosts)
      for round in 0..<Self.rounds {
        let dying = round % workers.count
        for (number, worker) in workers.enumerated() {
          try worker.process.say("churn \(keys) \(number) \(workers.count)")
        }
        try await untilMarked(fleet, on: fleet.server)
        await workers[dying].kill()
        try await untilMarked(fleet, on: fleet.server)
        for (number, worker) in workers.enumerated() where number != dying {
          #expect(try await worker.ask("stop").hasPrefix("stopped"))
        }
        workers[dying] = try await hosts.start(dying, "lease=1000", "limit=500")
      }
      try await audit(workers)
      try await hosts.end(workers)
    }

    /// Two servers, the second a streaming replica, and the address of both.
    private func pair() async throws -> (TestFleet, PostgreSQLServer, String) {
      let first = try await PostgreSQLServer()
      let fleet = try await TestFleet.make(on: first)
      let second = try await PostgreSQLServer(replicaOf: first)
      let address =
        "host=\(first.folder),\(second.folder) port=\(first.port),\(second.port) user=postgres "
        + "dbname=\(fleet.database)"
      return (fleet, second, address)
    }

    @Test func `a synchronous replica that takes over under load has every acknowledged mark`()
      async throws
    {
      let (fleet, replica, address) = try await pair()
      let first = fleet.server
      try await first.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
      try await first.sql("SELECT pg_reload_conf()")
      let waited = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
      while try await first.sql(waited) != ["1"] {}
      let hosts = try WorkerFleet(fleet, address: address, keeping: replica)
      let workers = try await start(hosts)
      let sums = try await churn(workers) {
        try await untilMarked(fleet, on: first)
        await first.killAll()
        try await replica.promote()
        try await untilMarked(fleet, on: replica)
      }
      print("\(sums[0]) gets, \(sums[1]) marks, \(sums[2]) marks refused")
      try await audit(workers)
      try await hosts.end(workers)
    }

    @Test func `what a lagging replica has lost is noticed, and nothing marked is served`()
      async throws
    {
      let (fleet, replica, address) = try await pair()
      let first = fleet.server
      let hosts = try WorkerFleet(fleet, address: address, keeping: replica)
      let workers = try await start(hosts)
      let sums = try await churn(workers) {
        try await untilMarked(fleet, on: first)
        // It hears of nothing any more.
        await replica.stop()
        try await untilMarked(fleet, on: first)
        await first.killAll()
        try await replica.start()
        try await replica.promote()
        try await untilMarked(fleet, on: replica)
      }
      print("\(sums[0]) gets, \(sums[1]) marks, \(sums[2]) marks refused")
      try await audit(workers)
      try await hosts.end(workers)
    }
  }
#endif
