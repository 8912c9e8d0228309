internal import BenchmarkKit
internal import FreshFleet
internal import FreshStore
internal import Glibc

/// How many keys a second a database takes on: leases of new ones, and hits.
struct Claims {
  private let database: Database
  private let isQuick: Bool

  init(_ database: Database, isQuick: Bool) {
    (self.database, self.isQuick) = (database, isQuick)
  }

  /// The kinds of claims.
  private enum Kind: String, CaseIterable {
    case lease = "leases of new keys, one each"
    case leases = "leases of new keys, 100 each"
    case hit = "hits, one key each"

    var keys: Int { self == .leases ? 100 : 1 }
  }

  func measure() async throws -> Section {
    var section = Section(
      "Claims a second", columns: ["hosts", "tasks"] + Kind.allCases.map(\.rawValue))
    let filler = try database.client()
    let hot = (0..<100).map { SharedKey("hot", "\($0)") }
    for key in hot {
      let answer = try await filler.claim(
        [SharedClaim(key)], owner: "filler", for: .seconds(60), since: nil)
      guard case .granted(let lease) = answer.value[key] else { continue }
      _ = try await filler.land(
        [(lease, SharedRecord(value: Array(repeating: 1, count: 260)))], since: nil)
    }
    for hosts in isQuick ? [1, 2] : [1, 2, 5, 10, 20] {
      var row = ["\(hosts)", "\(hosts * Self.tasks)"]
      for kind in Kind.allCases {
        let rate = try await rate(kind, hosts: hosts, hot)
        row.append(rate.figures)
        section.add(Figure("\(hosts) hosts, \(kind.rawValue)", rate, "keys/s"))
      }
      section.add(row: row)
    }
    section.add(
      note:
        "\(Self.tasks) tasks for each host, which share its three connections; hosts, server and disk on one "
        + "machine")
    return section
  }

  private static let tasks = 4

  private func rate(_ kind: Kind, hosts: Int, _ hot: [SharedKey]) async throws -> Double {
    let clients = try (0..<hosts).map { _ in try database.client() }
    for client in clients { _ = try await client.news(since: nil) }
    let time = Duration.milliseconds(isQuick ? 50 : 3000)
    let start = ContinuousClock.now
    let count = try await withThrowingTaskGroup(of: Int.self) { group in
      for client in clients {
        for task in 0..<Self.tasks {
          group.addTask {
            try await Self.work(kind, client, hot, from: task, until: start + time)
          }
        }
      }
      return try await group.reduce(0, +)
    }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    for client in clients { client.close() }
    return Double(count) / seconds
  }

  private static func work(
    _ kind: Kind, _ client: FleetClient, _ hot: [SharedKey], from first: Int,
    until end: ContinuousClock.Instant
  ) async throws -> Int {
    let prefix = UInt64.random(in: 0...(.max))
    var count = 0
    while ContinuousClock.now < end {
      let keys =
        kind == .hit
        ? [hot[(first + count) % hot.count]]
        : (0..<kind.keys).map { SharedKey("new", "\(prefix)/\(count + $0)") }
      let answer = try await client.claim(
        keys.map { SharedClaim($0) }, owner: "host", for: .seconds(60), since: nil)
      for key in keys {
        switch (kind, answer.value[key]) {
        case (.hit, .found?), (.lease, .granted?), (.leases, .granted?): count += 1
        default: throw BenchmarkFailure(words: "a claim has come to something else")
        }
      }
    }
    return count
  }
}
