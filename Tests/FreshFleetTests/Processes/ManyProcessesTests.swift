#if Fleet
  import Foundation
  import PostgreSQLServer
  import Testing

  /// Five hosts, each with a file and several processes, that want the same keys at once.
  ///
  /// `FRESHSTORE_FLEET_KEYS=1000 FRESHSTORE_FLEET_PROCESSES=8` is the full size.
  @Suite(.needsPostgreSQL, .serialized) struct ManyProcessesTests {
    private static func number(_ name: String, or standard: Int) -> Int {
      ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
    }

    private let hosts = 5
    private let processes = Self.number("FRESHSTORE_FLEET_PROCESSES", or: 2)
    private let keys = Self.number("FRESHSTORE_FLEET_KEYS", or: 100)

    @Test(arguments: [0, 3600]) func `each key is fetched once, however wrong the clocks are`(
      _ skew: Int
    ) async throws {
      let fleet = try WorkerFleet(try await TestFleet.make(on: PostgreSQLServer()))
      var workers: [WorkerFleet.Worker] = []
      for host in 0..<hosts {
        for _ in 0..<processes {
          // From an hour behind to an hour ahead.
          workers.append(try await fleet.start(host, "skew=\((host - hosts / 2) * skew / 2)"))
        }
      }
      let answers = try await withThrowingTaskGroup(of: String.self) { group in
        for worker in workers {
          group.addTask { [keys] in try await worker.ask("crowd \(keys) 4") }
        }
        return try await group.reduce(into: [String]()) { $0.append($1) }
      }
      // Nobody went alone.
      #expect(answers == Array(repeating: "done 0", count: workers.count))
      let fetches = try fleet.fetches
      #expect(fetches.count == keys)
      let repeated = fetches.filter { $0.value.count > 1 }
      #expect(repeated.isEmpty, "\(repeated.count) keys were fetched more than once")
      try await fleet.end(workers)
    }
  }
#endif
