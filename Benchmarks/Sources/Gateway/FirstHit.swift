internal import BenchmarkKit
internal import Foundation

/// The time from the start of the command until it has answered from its file, by how much is in it.
struct FirstHit {
  private let grounds: Grounds
  private let records: Int
  private let rounds: Int

  init(_ grounds: Grounds) throws {
    self.grounds = grounds
    rounds = grounds.isQuick ? 2 : 9
    let number = ProcessInfo.processInfo.environment["GATEWAY_RECORDS"]
    guard let records = Int(number ?? (grounds.isQuick ? "10000" : "1000000")), records > 1 else {
      throw BenchmarkFailure(words: "GATEWAY_RECORDS is a number of records above 1")
    }
    self.records = records
  }

  func measure() async throws -> Section {
    var section = Section(
      "From the start to the first hit", columns: ["copies in the file", "median ms", "slowest ms"])
    let line = try await exportedLine()
    let counts = [1, records]
    var sites: [Site] = []
    for count in counts {
      let site = try grounds.site()
      let start = ContinuousClock.now
      try fill(site, line, count)
      let time = (ContinuousClock.now - start) / .seconds(1)
      if count == records {
        section.add(
          note:
            "freshstore import has taken in \(count) lines in \(time.figures) s, the time to write the lines included"
        )
      }
      sites.append(site)
    }
    var times = sites.map { _ in [Double]() }
    for round in 0..<rounds {
      for (index, site) in sites.enumerated() {
        times[index].append(try await start(at: site, key: round * 7919 % counts[index]))
      }
    }
    for (count, times) in zip(counts, times) {
      let samples = Samples(times)
      section.add(row: ["\(count)", samples.median.figures, samples.maximum.figures])
      section.add(Figure("first hit, \(count) copies", samples.median, "ms"))
    }
    section.add(
      note:
        "a start of sh and of taskset is in it; the file is in the kernel's memory")
    return section
  }

  /// The line of `freshstore export` for a copy that the gateway itself has kept.
  private func exportedLine() async throws -> String {
    let site = try grounds.site()
    let server = try await grounds.start(grounds.freshStore, at: site)
    _ = try Request.get(Self.path(of: 0), on: site.port)
    try server.end()
    let output = site.folder.appending(path: "lines").path
    let words = grounds.freshStore.verb(
      ["export", "--quiet"], store: FreshStoreCache.store(at: site))
    _ = try Launch("export", words).run(writingTo: output)
    let lines = try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n")
    guard let line = lines.first(where: { $0.contains("\(Self.path(of: 0))\"") }) else {
      throw BenchmarkFailure(words: "freshstore export has no copy of \(Self.path(of: 0))")
    }
    return String(line)
  }

  /// Puts so many copies of the line into the store of a site, each under its own key.
  private func fill(_ site: Site, _ line: String, _ count: Int) throws {
    let parts = line.components(separatedBy: "\(Self.path(of: 0))\"")
    guard parts.count == 2 else { throw BenchmarkFailure(words: "not one key in \(line)") }
    let input = try site.write(
      "{\"format\":\"freshstore-export\",\"version\":1}\n", to: "copies.jsonl")
    let file = try FileHandle(forWritingTo: URL(filePath: input))
    _ = try file.seekToEnd()
    for first in stride(from: 0, to: count, by: 1000) {
      let lines = (first..<min(first + 1000, count))
        .map { "\(parts[0])\(Self.path(of: $0))\"\(parts[1])\n" }
      try file.write(contentsOf: Data(lines.joined().utf8))
    }
    try file.close()
    let words = grounds.freshStore.verb(
      ["import", "--quiet", input], store: FreshStoreCache.store(at: site))
    _ = try Launch("import", words).run()
    try FileManager.default.removeItem(atPath: input)
  }

  /// The milliseconds of one start.
  private func start(at site: Site, key: Int) async throws -> Double {
    let asked = try Origin.requests(of: grounds.origin.port)
    let command = try grounds.processors.serving + grounds.freshStore.command(at: site)
    let start = ContinuousClock.now
    let server = try Server(command, in: site.folder, endedBy: RunningServer.signal)
    let answer = try await Self.firstAnswer(Self.path(of: key), on: site.port)
    let time = ContinuousClock.now - start
    try server.end()
    guard answer.status == 200, answer.content.count == 1 << 10,
      try Origin.requests(of: grounds.origin.port) == asked
    else { throw BenchmarkFailure(words: "the first answer after a start is not a hit") }
    return time.milliseconds
  }

  /// Asks again and again, until somebody listens.
  private static func firstAnswer(
    _ path: String, on port: UInt16
  ) async throws -> Request.Answer {
    try await Server.whenUp(within: .seconds(60), every: .microseconds(500)) {
      try Request.get(path, on: port)
    }
  }

  private static func path(of key: Int) -> String { "/small/\(key)" }
}
