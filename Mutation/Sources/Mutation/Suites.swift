import Foundation

/// The suites of the package, each of which is run once without a mutant.
struct Suites {
  let scratch: Scratch
  let mutants: [Mutant]
  let isThorough: Bool
  /// The longest time of a useful suite, in seconds; without the slow ones, little more than that
  /// of a quick one.
  private var limit: Int { isThorough ? 300 : 15 }

  /// The reach of each of them. It is kept beside the copy, and holds until the build changes.
  func all() throws -> [Suite] {
    let state = mutants.map { "\($0.number) \($0.name)" }
    let kept = scratch.suites
    // Nothing is kept before the first run, or by another version of this program.
    if let data = try? Data(contentsOf: kept),
      let record = try? JSONDecoder().decode(Record.self, from: data), record.limit >= limit,
      record.mutants == state,
      record.binary == (try changed())
    {
      return record.suites
    }
    let names = try listed()
    var suites: [Suite] = []
    for (index, name) in names.enumerated() {
      suites.append(try measured(name))
      if (index + 1).isMultiple(of: 20) || index + 1 == names.count {
        say("\(index + 1) of \(names.count) suites measured")
      }
    }
    let record = Record(
      limit: limit, mutants: state, binary: try changed(), suites: suites)
    try JSONEncoder().encode(record).write(to: kept)
    return suites
  }

  private struct Record: Codable {
    var limit: Int
    var mutants: [String]
    var binary: Date
    var suites: [Suite]
  }

  private func changed() throws -> Date {
    let facts = try FileManager.default.attributesOfItem(
      atPath: scratch.package.appending(path: TestRun.program).path)
    return facts[.modificationDate] as? Date ?? .distantPast
  }

  private func listed() throws -> [String] {
    let run = TestRun(scratch: scratch, arguments: ["--list-tests"], limit: 120)
    guard try run.command.run() == 0 else {
      throw MutationError(description: "the tests cannot be listed: see \(scratch.log.path)")
    }
    var names: Set<String> = []
    for line in run.command.output.split(separator: "\n") {
      guard let slash = line.firstIndex(of: "/") else { continue }
      let name = line[..<slash]
      if name.contains("."), !name.contains(" ") { names.insert(String(name)) }
    }
    return names.sorted()
  }

  private func measured(_ name: String) throws -> Suite {
    let reached = scratch.folder.appending(path: "reached")
    try Data(count: (mutants.last?.number ?? 0) + 1).write(to: reached)
    var run = TestRun(scratch: scratch, suites: [name], limit: limit)
    run.environment["FRESHSTORE_REACHED"] = reached.path
    let start = ContinuousClock.now
    let code = try run.command.run()
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    // It is slow then, and has noted its reach all the same.
    let isCutOff = code == 124 || code == 137
    if isThorough ? code != 0 : code != 0 && !isCutOff {
      say("left out, as it fails without a mutant: \(name)")
    }
    let bytes = try Data(contentsOf: reached)
    return Suite(
      name: name, passes: code == 0 || isCutOff && !isThorough, seconds: seconds,
      reached: Set(bytes.indices.filter { bytes[$0] != 0 }))
  }
}
