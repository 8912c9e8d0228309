internal import BenchmarkKit

/// How many hits and misses a second, and how long each takes.
struct Rates {
  private let grounds: Grounds
  private let rounds: Int

  init(_ grounds: Grounds) {
    self.grounds = grounds
    rounds = grounds.isQuick ? 1 : 5
  }

  func measure() async throws -> [Section] {
    let floor = try await grounds.startFloor()
    var (all, large) = ([floor], [floor])
    for cache in grounds.caches {
      let server = try await grounds.start(cache, at: try grounds.site())
      all.append(server)
      if cache.keepsLargeContent { large.append(server) }
    }
    let hits = [try smallHits(all), try mediumHits(large)]
    let forwarder = try await grounds.startForwarder()
    let misses = try misses([floor, forwarder] + all.dropFirst())
    for server in [forwarder] + all.reversed() { try server.end() }
    return hits + [misses]
  }

  private func smallHits(_ servers: [RunningServer]) throws -> Section {
    let load = try grounds.load(connections: 64, seconds: 5)
    let standings = try hits("/small/0", servers, load)
    var section = Standing.section("Hits of 1 KiB", standings, .requests)
    Self.verifyHits(standings, load, &section)
    section.add(note: grounds.processors.note)
    for missing in grounds.missing { section.add(note: missing) }
    return section
  }

  private func mediumHits(_ servers: [RunningServer]) throws -> Section {
    let load = try grounds.load(connections: 16, seconds: 5)
    let standings = try hits("/medium", servers, load)
    var section = Standing.section("Hits of 1 MiB", standings, .megabytes)
    Self.verifyHits(standings, load, &section)
    return section
  }

  private func hits(
    _ path: String, _ servers: [RunningServer], _ load: Load
  ) throws -> [Standing] {
    for server in servers {
      // More than once, should a cache keep only what is asked for again.
      for _ in 0..<3 { _ = try Request.get(path, on: server.port) }
    }
    return try Contest(load: load, rounds: rounds, origin: grounds.origin)
      .run(servers) { _ in .one(path) }
  }

  /// Hits send the origin no request, except the requests that were in flight before the first copy
  /// was there.
  private static func verifyHits(_ standings: [Standing], _ load: Load, _ section: inout Section) {
    for standing in standings {
      let passedOn = standing.samples.map(\.passedOn).max() ?? 0
      guard passedOn > load.connections else { continue }
      section.add(
        note: "NOT HITS: \(standing.name) has asked the origin \(passedOn) times in a round")
    }
  }

  private func misses(_ servers: [RunningServer]) throws -> Section {
    let load = try grounds.load(connections: 64, seconds: 3)
    let standings = try Contest(load: load, rounds: rounds, origin: grounds.origin)
      .run(servers) { .new(first: ($0 + 1) * 100_000_000) }
    var section = Standing.section("Misses of 1 KiB, each of a new key", standings, .requests)
    // The floor is an origin itself.
    for standing in standings.dropFirst() {
      for sample in standing.samples
      where Double(sample.passedOn) < 0.95 * Double(sample.outcome.requests) {
        section.add(
          note: "NOT MISSES: \(standing.name) has asked the origin \(sample.passedOn) times for "
            + "\(sample.outcome.requests) requests")
      }
    }
    return section
  }
}
