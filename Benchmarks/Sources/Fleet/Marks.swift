internal import BenchmarkKit
internal import FreshFleet
internal import FreshStore
internal import Strategies
internal import Workload

/// The time from the beginning of a mark on one host to its application on the last of twenty.
struct Marks {
  private static let hosts = 20

  private let database: Database
  private let place: Place
  private let isQuick: Bool

  init(_ database: Database, _ place: Place, isQuick: Bool) {
    (self.database, self.place, self.isQuick) = (database, place, isQuick)
  }

  func measure() async throws -> Section {
    var section = Section(
      "A mark, until the last of \(Self.hosts) hosts has applied it",
      columns: ["hosts are told", "marks", "p50 ms", "p99 ms", "slowest ms", "the call p50 ms"])
    for listens in [true, false] {
      let (times, calls) = try await times(listens: listens)
      let (all, call) = (Samples(times), Samples(calls))
      let name = listens ? "by LISTEN" : "when they ask, once a second"
      section.add(row: [
        name, "\(all.count)", all.median.figures, all.percentile(99).figures,
        all.maximum.figures, call.median.figures,
      ])
      section.add(Figure("mark to the last host, \(name): p50", all.median, "ms"))
      section.add(Figure("mark to the last host, \(name): p99", all.percentile(99), "ms"))
      section.judge(
        "p99 \(name)", all.percentile(99), atMost: listens ? 20 : 1200, "ms")
    }
    section.add(
      note: "all hosts are in one process, each with its own file, client and connections")
    return section
  }

  /// In milliseconds: until the last host, and until the call has returned.
  private func times(listens: Bool) async throws -> (last: [Double], calls: [Double]) {
    let count = isQuick ? 3 : listens ? 500 : 50
    let keys = (0..<count).map { "user:\($0)" }
    let arrivals = Arrivals(hosts: Self.hosts)
    var (stores, watching): ([Store], [Task<Void, Never>]) = ([], [])
    for host in 0..<Self.hosts {
      var configuration = Configuration.withThreeStrategies()
      configuration.sharedTier = try database.client { $0.listens = listens }
      configuration.fleet.host = "host \(host)"
      let store = try Store(
        path: try place.copy("marks-\(listens)-\(host)"), configuration: configuration)
      try await store.takeInFleetMarks()
      let people = try store.collection("people", of: Person.self)
      try await people.put(
        Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, Person($0)) }),
        details: FetchDetails(expiry: .never), durability: .normal)
      let changes = people.changes()
      watching.append(
        Task {
          for await change in changes where change.kind == .marked {
            if let key = change.key { arrivals.note(key, on: host) }
          }
        })
      stores.append(store)
    }
    let people = try stores[0].collection("people", of: Person.self)
    var (last, calls): ([Double], [Double]) = ([], [])
    for key in keys {
      let start = Moment.now
      try await people.markStale(key)
      calls.append(Double(Moment.now - start) / 1e6)
      last.append(Double(await arrivals.last(of: key) - start) / 1e6)
    }
    for task in watching { task.cancel() }
    for store in stores { try await store.close() }
    return (last, calls)
  }
}
