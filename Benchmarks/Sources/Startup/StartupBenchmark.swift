internal import BenchmarkKit
internal import Foundation

/// Measures a hit of the command as a whole process, from its start to its end, beside `sqlite3` with
/// the same record of the same file.
@main
struct StartupBenchmark {
  static func main() async {
    await Program.run { options in
      guard options.part.isEmpty else { Program.refuse(options.part) }
      try measure(options)
    }
  }

  private static func measure(_ options: Options) throws {
    guard let programs = ProcessInfo.processInfo.environment["STARTUP_PROGRAMS"] else {
      throw BenchmarkFailure(words: "run scripts/benchmark startup: it builds what is measured")
    }
    var presentation = Presentation(subject: "startup", options)
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let launches = try launches(programs, in: folder)
    presentation.add(
      section(
        launches,
        try costs(
          of: launches, rounds: options.isQuick ? 2 : 10,
          runs: options.isQuick ? 5 : 50)))
    try FileManager.default.removeItem(atPath: folder)
    try presentation.finish()
  }

  /// Stores a record, and verifies that every program finds it.
  private static func launches(_ programs: String, in folder: String) throws -> [Launch] {
    let (store, file) = ("\(folder)/store.db", "\(folder)/value")
    let value = String(repeating: "0123456789abcde\n", count: 64)
    try value.write(toFile: file, atomically: true, encoding: .utf8)
    let (linked, plain) = ("\(programs)/freshstore", "\(programs)/plain/freshstore")
    _ = try Launch("put", [plain, "put", "answer", file, "--expiry", "7d", "--db", store]).run()
    let get = ["get", "answer", "--db", store]
    let query = "SELECT value FROM record WHERE collection = 'default' AND key = 'answer'"
    let hits = [
      Launch("sqlite3 FILE 'SELECT …'", ["sqlite3", "-noheader", store, query]),
      Launch("freshstore get", [linked] + get + ["--", "false"]),
      Launch("the same, linked as by swift build", [plain] + get + ["--", "false"]),
      Launch(
        "the same, by the parser of all verbs",
        [linked] + get + ["--require", "nonempty", "--", "false"]),
    ]
    for hit in hits {
      _ = try hit.run(writingTo: "\(folder)/output")
      let output = try String(contentsOfFile: "\(folder)/output", encoding: .utf8)
      guard output.trimmingCharacters(in: .newlines) == value.trimmingCharacters(in: .newlines)
      else { throw BenchmarkFailure(words: "\(hit.name) printed something else") }
    }
    return [Launch("an empty program in C", ["\(programs)/empty"])] + hits
  }

  /// One run of each after the other, in rounds.
  private static func costs(of launches: [Launch], rounds: Int, runs: Int) throws -> [Costs] {
    var costs = launches.map { _ in Costs() }
    for _ in 0..<rounds {
      var round = launches.map { _ in [Launch.Cost]() }
      for _ in 0..<runs {
        for (index, launch) in launches.enumerated() { round[index].append(try launch.run()) }
      }
      for index in costs.indices { costs[index].add(round: round[index]) }
    }
    return costs
  }

  private static func section(_ launches: [Launch], _ costs: [Costs]) -> Section {
    var section = Section(
      "A hit as a whole process",
      columns: [
        "who", "median ms", "of rounds", "least ms", "processor ms", "page faults", "÷ sqlite3",
      ])
    let reference = costs[1].time
    for (launch, cost) in zip(launches, costs) {
      let rounds = cost.timeOfRounds
      section.add(row: [
        launch.name, cost.time.figures, "\(rounds.quickest.figures)–\(rounds.slowest.figures)",
        cost.leastTime.figures, cost.processorTime.figures, cost.pageFaults.figures,
        (cost.time / reference).figures,
      ])
      section.add(Figure(launch.name, cost.time, "ms"))
      section.add(Figure("\(launch.name): processor", cost.processorTime, "ms"))
    }
    section.judge("freshstore get ÷ sqlite3", costs[2].time / reference, below: 1.5, "")
    return section
  }
}
