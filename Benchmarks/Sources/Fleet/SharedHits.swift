internal import BenchmarkKit
internal import Foundation
internal import FreshFleet
internal import FreshStore
internal import Glibc
internal import Strategies
internal import Workload

/// Measures hits of values that another host has fetched, beside the same bytes from a table and
/// from Redis. The requests go one after the other over loopback.
struct SharedHits {
  private let database: Database
  private let place: Place
  private let keys: [String]
  private let values: [[UInt8]]

  init(_ database: Database, _ place: Place, isQuick: Bool) throws {
    (self.database, self.place) = (database, place)
    let count = isQuick ? 50 : 5000
    keys = (0..<count).map { "user:\($0)" }
    values = try People(count: count).bytes
  }

  private struct Times {
    var hits: [String: [Double]] = [:]
    var misses: [String: [Double]] = [:]
  }

  func measure() async throws -> Section {
    let client = try database.client()
    let table = try database.connection()
    try table.begin()
    try table.copy(zip(keys, values).map { (key: $0, value: $1) })
    try await fill()
    let redis = try await RedisCache.start(in: database.folder, keys, values)
    let host = try await host("reader")
    let people = try host.collection("people", of: Person.self)
    let position = try await client.news(since: nil).position
    var times = Times()
    for (index, key) in keys.enumerated() {
      let shared = SharedKey("people", key)
      try await Self.note(&times.hits[Self.table, default: []]) {
        guard try table.length(of: key) == values[index].count else { throw Self.wrong }
      }
      try await Self.note(&times.hits[Self.claim, default: []]) {
        let answer = try await client.claim(
          [SharedClaim(shared)], owner: "benchmark", for: .seconds(60), since: position)
        guard case .found = answer.value[shared] else { throw Self.wrong }
      }
      try await Self.note(&times.hits[Self.get, default: []]) {
        let answer = try await people.get(key) { _ in throw Self.wrong }
        guard answer.value.id == index else { throw Self.wrong }
      }
      if let redis {
        try await Self.note(&times.hits[Self.redis, default: []]) {
          guard try redis.cache.length(of: key) == values[index].count else { throw Self.wrong }
        }
      }
      try await miss(index, client, table, redis?.cache, &times)
    }
    try await host.close()
    try redis?.server.end()
    return section(times)
  }

  private static let table = "libpq alone: SELECT by key"
  private static let claim = "the shared tier"
  private static let get = "get of a host, stored in its file"
  private static let redis = "Redis: GET"
  private static let wrong = BenchmarkFailure(words: "another value than was stored")

  /// A key that nobody has: it is asked for, and stored.
  private func miss(
    _ index: Int, _ client: FleetClient, _ table: PostgreSQLConnection, _ redis: RedisCache?,
    _ times: inout Times
  ) async throws {
    let (key, value) = ("new:\(index)", values[index])
    let shared = SharedKey("people", key)
    try await Self.note(&times.misses[Self.table, default: []]) {
      guard try table.length(of: key) == nil else { throw Self.wrong }
      try table.put(key, value)
    }
    try await Self.note(&times.misses[Self.claim, default: []]) {
      let answer = try await client.claim(
        [SharedClaim(shared)], owner: "benchmark", for: .seconds(60), since: nil)
      guard case .granted(let lease) = answer.value[shared] else { throw Self.wrong }
      let landed = try await client.land([(lease, SharedRecord(value: value))], since: nil)
      guard landed.value.count == 1 else { throw Self.wrong }
    }
    if let redis {
      try await Self.note(&times.misses[Self.redis, default: []]) {
        guard try redis.length(of: key) == nil else { throw Self.wrong }
        try redis.set(key, value)
      }
    }
  }

  /// Another host fetches all of it.
  private func fill() async throws {
    let host = try await host("writer")
    let people = try host.collection("people", of: Person.self)
    for first in stride(from: 0, to: keys.count, by: 100) {
      let part = Array(keys[first..<min(first + 100, keys.count)])
      let results = await people.get(part) { missing in
        Dictionary(
          uniqueKeysWithValues: missing.map { previous in
            let number = Int(previous.key.dropFirst("user:".count)) ?? 0
            return (
              previous.key,
              .value(Person(number), FetchDetails(expiry: .after(.seconds(86_400))))
            )
          })
      }
      for result in results.values { _ = try result.get() }
    }
    // Waits until it is handed on.
    try await host.close()
  }

  private func host(_ name: String) async throws -> Store {
    var configuration = Configuration.withThreeStrategies()
    configuration.sharedTier = try database.client()
    configuration.fleet.host = name
    let store = try Store(path: try place.copy(name), configuration: configuration)
    try await store.takeInFleetMarks()
    return store
  }

  private static func note(
    _ times: inout [Double], _ body: () async throws -> Void
  ) async throws {
    let start = ContinuousClock.now
    try await body()
    times.append((ContinuousClock.now - start).microseconds)
  }

  private func section(_ times: Times) -> Section {
    var section = Section(
      "A key that another host has fetched, and one that nobody has",
      columns: ["who", "hit p50 µs", "hit p99 µs", "÷ SELECT", "miss p50 µs", "miss p99 µs"])
    guard let floor = times.hits[Self.table].map({ Samples($0).median }) else { return section }
    for name in [Self.table, Self.claim, Self.get, Self.redis] {
      guard let hits = times.hits[name].map({ Samples($0) }) else {
        section.add(note: "\(name): not measured, as it is not installed")
        continue
      }
      let misses = times.misses[name].map { Samples($0) }
      section.add(row: [
        name, hits.median.figures, hits.percentile(99).figures, (hits.median / floor).figures,
        misses?.median.figures ?? "", misses?.percentile(99).figures ?? "",
      ])
      section.add(Figure("shared hit, \(name)", hits.median, "µs"))
      if let misses { section.add(Figure("miss, \(name)", misses.median, "µs")) }
      if name == Self.claim {
        section.judge("a shared hit ÷ SELECT", hits.median / floor, atMost: 1.5, "")
      }
    }
    section.add(
      note:
        "a miss asks for a key and stores it: SELECT and INSERT, a claim and a landing, GET and SET; nothing of it "
        + "waits for the disk")
    return section
  }
}
