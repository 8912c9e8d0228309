internal import BenchmarkKit

/// The memory that many copies take, and hits of copies that no memory holds yet.
struct KeptCopies {
  private let grounds: Grounds
  private let count: Int
  private let rounds: Int

  init(_ grounds: Grounds) {
    self.grounds = grounds
    count = grounds.isQuick ? 2000 : 100_000
    rounds = grounds.isQuick ? 1 : 3
  }

  func measure() async throws -> [Section] {
    var section = Section(
      "Memory with \(Double(count).figures) copies of 1 KiB, MB",
      columns: [
        "who", "empty", "full", "of it files", "after a restart", "of it files", "bytes a copy",
      ])
    var places: [(cache: any Cache, site: Site)] = []
    for cache in grounds.caches where cache.keepsLargeContent {
      let site = try grounds.site()
      try await fill(cache, at: site, &section)
      if cache.outlivesRestart { places.append((cache, site)) }
    }
    section.add(
      note:
        "proportional set sizes of all processes of a server; pages of files count where they are mapped, and not what "
        + "the kernel keeps of files that are read and written")
    return [section, try await hits(places)]
  }

  private func fill(_ cache: any Cache, at site: Site, _ section: inout Section) async throws {
    var server = try await grounds.start(cache, at: site)
    let empty = server.processes.memory
    let load = try grounds.load(connections: 64, seconds: 2)
    var first = 0
    while first < count {
      let requests = try load.run(.cycle(from: first, of: count), on: server.port).requests
      // Those that had no answer when time was up are asked for again.
      first += max(1, requests - load.connections)
    }
    // Memory that the server frees late does not belong to the copies.
    try await Task.sleep(for: .seconds(1))
    let full = server.processes.memory
    var row = [cache.name, empty.all.figures, full.all.figures, full.ofFiles.figures]
    try server.end()
    if cache.outlivesRestart {
      server = try await grounds.start(cache, at: site)
      let restarted = server.processes.memory
      row += [restarted.all.figures, restarted.ofFiles.figures]
      section.add(Figure("memory after a restart, \(cache.name)", restarted.all, "MB"))
      try server.end()
    } else {
      row += ["it keeps none", ""]
    }
    let each = (full.all - empty.all) * 1_000_000 / Double(count)
    section.add(row: row + [each.figures])
    section.add(Figure("memory when full, \(cache.name)", full.all, "MB"))
    section.add(Figure("memory when empty, \(cache.name)", empty.all, "MB"))
  }

  /// Each round begins with a start, so that no memory holds a copy, and no key comes twice.
  private func hits(_ places: [(cache: any Cache, site: Site)]) async throws -> Section {
    let load = try grounds.load(connections: 64, seconds: 2)
    let contest = Contest(load: load, rounds: rounds, origin: grounds.origin)
    var standings = places.map { Standing($0.cache.name) }
    for _ in 0..<rounds {
      for (index, place) in places.enumerated() {
        let server = try await grounds.start(place.cache, at: place.site)
        standings[index].add(try contest.sample(server, .cycle(from: 0, of: count)))
        try server.end()
      }
    }
    var section = Standing.section(
      "Hits of 1 KiB from files, after a restart", standings, .requests)
    for standing in standings {
      let samples = standing.samples
      if let passedOn = samples.map(\.passedOn).max(), passedOn > load.connections {
        section.add(note: "NOT HITS: \(standing.name) has asked the origin \(passedOn) times")
      }
      if let requests = samples.map(\.outcome.requests).max(), requests > count {
        section.add(
          note: "\(standing.name) came round: \(requests) requests for \(count) keys in a round")
      }
    }
    section.add(note: "the files are in the kernel's memory; what has no files is not here")
    return section
  }
}
