internal import BenchmarkKit
internal import Foundation
internal import FreshStore
internal import Workload

/// Measures many simultaneous requests for one record that only its source has.
@main
struct StampedeBenchmark {
  private static let processes = 8

  static func main() async {
    await Program.run { options in
      switch (options.part.first, options.part.count) {
      case (nil, _): try await measure(options)
      case ("member", 5): try await runMember(options.part)
      default: Program.refuse(options.part)
      }
    }
  }

  private static func measure(_ options: Options) async throws {
    var presentation = Presentation(subject: "stampede", options)
    let place = try await Place(records: 0)
    let isQuick = options.isQuick
    presentation.add(
      try await tasks(
        at: try place.copy("tasks"), count: isQuick ? 100 : 10_000, rounds: isQuick ? 1 : 11))
    presentation.add(
      try await processes(
        at: try place.copy("processes"), tasks: isQuick ? 10 : 1000, rounds: isQuick ? 1 : 11))
    try place.remove()
    try presentation.finish()
  }

  private static func tasks(at path: String, count: Int, rounds: Int) async throws -> Section {
    let store = try Store(path: path, configuration: .withThreeStrategies())
    let people = try store.collection("people", of: Person.self)
    let counters = ["floor", "store"].map { FetchCounter(at: "\(path).\($0)") }
    let herds = counters.map { Herd(people: people, tasks: count, counter: $0) }
    var round = 0
    let times = try await Rounds(rounds).costs(of: [
      { try await herds[0].waitForOne() },
      {
        round += 1
        try await herds[1].get("hot:\(round)")
      },
    ]).map(\.seconds)
    try await store.close()
    var section = Section(
      "\(count) tasks want one record, whose fetch takes 10 ms",
      columns: ["who", "median ms", "slowest ms", "fetches a round"])
    for (index, name) in ["floor: they wait for one task", "get"].enumerated() {
      let time = times[index]
      let fetches = Double(counters[index].count) / Double(rounds + 1)
      section.add(row: [
        name, (time.median * 1000).figures, (time.maximum * 1000).figures, fetches.figures,
      ])
      section.add(Figure("\(count) tasks, \(name)", time.median * 1000, "ms"))
    }
    section.judge("all have their answer", times[1].median * 1000, below: 25, "ms")
    section.judge(
      "fetches a round", Double(counters[1].count) / Double(rounds + 1), atMost: 1, "")
    return section
  }

  private static func processes(at path: String, tasks: Int, rounds: Int) async throws -> Section {
    let counter = FetchCounter(at: path + ".fetches")
    var times: [Double] = []
    for round in 0..<rounds {
      let outputs = try await Crowd(gate: path + ".gate").run(processes) { member in
        ["member", path, "\(member)", "\(tasks)", "hot:\(round)"]
      }
      let ends = try outputs.map { try JSONDecoder().decode(Double.self, from: $0) }
      times.append(Samples(ends).maximum)
    }
    let time = Samples(times)
    let fetches = Double(counter.count) / Double(rounds)
    var section = Section(
      "\(processes) processes with \(tasks) tasks each want one record, whose fetch takes 10 ms",
      columns: ["median ms until the last has it", "slowest ms", "fetches a round"])
    section.add(row: [time.median.figures, time.maximum.figures, fetches.figures])
    section.add(Figure("\(processes) processes: until the last has it", time.median, "ms"))
    section.judge("fetches a round", fetches, atMost: 1, "")
    return section
  }

  /// `member PATH MEMBER TASKS KEY`: writes the time in milliseconds after which all its tasks had
  /// the record.
  private static func runMember(_ arguments: [String]) async throws {
    let path = arguments[1]
    let store = try Store(path: path, configuration: .withThreeStrategies())
    let people = try store.collection("people", of: Person.self)
    let counter = FetchCounter(at: path + ".fetches")
    _ = try people.read("nothing")
    let herd = Herd(people: people, tasks: Int(arguments[3]) ?? 1, counter: counter)
    let begin = try await Crowd(gate: path + ".gate").wait(as: Int(arguments[2]) ?? 0)
    try await herd.get(arguments[4])
    let milliseconds = Double(Moment.now - begin) / 1e6
    FileHandle.standardOutput.write(try JSONEncoder().encode(milliseconds))
    try await store.close()
  }
}
