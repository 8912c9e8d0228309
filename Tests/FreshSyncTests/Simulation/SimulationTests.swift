import ChildProcess
import Foundation
import Simulation
import Testing

/// Compares stores step by step with a model.
///
/// The stores share one file, or each host of a fleet has one file. A seed determines their clocks,
/// their network, their source and the order of their tasks. `scripts/simulate` runs many more
/// seeds.
///
/// Each run is a process of its own, because it takes over every task of its process. A seed that
/// fails prints a short script. A script in `Scripts` is run here from then on.
@Suite(.timeLimit(.minutes(10))) struct SimulationTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Scripts")

  private static var scripts: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .filter { $0.hasSuffix(".jsonl") }.sorted()
    }
  }

  /// The output of a run, and its exit code.
  private func run(_ arguments: String...) async throws -> (lines: [String], code: Int32) {
    let process = try ChildProcess(beside: "Simulate", arguments)
    var lines: [String] = []
    while let line = await process.nextLine() { lines.append(line) }
    return (lines, await process.end())
  }

  @Test func `the stores agree with the model for a hundred seeds`() async throws {
    let (lines, code) = try await run("--seeds", "1..<101")
    #expect(code == 0, "\(lines.joined(separator: "\n"))")
    #expect(lines.last?.hasPrefix("100 of 100 seeds") == true)
  }

  @Test(arguments: try scripts) func `a script that once failed succeeds`(
    _ name: String
  ) async throws {
    let file = Self.folder.appendingPathComponent(name).path
    let (lines, code) = try await run("--script", file)
    #expect(code == 0, "\(lines.joined(separator: "\n"))")
  }

  @Test(arguments: Flaw.allCases) func `a wrong model is detected within a few steps`(
    _ flaw: Flaw
  ) async throws {
    // Few seeds hold an origin under which something is due.
    let seeds = flaw == .ignoresHolds ? "1..<101" : "1..<41"
    let (lines, code) = try await run(
      "--kind", "steps", "--flaw", flaw.rawValue, "--seeds", seeds, "--failures", "1")
    #expect(code == 1)
    let setting = try #require(lines.firstIndex { $0.hasPrefix("{") })
    let script = lines[setting...].prefix { $0.hasPrefix("{") }
    // A write, its predecessor, and what has the predecessor wait take ten lines.
    let longest = flaw == .ignoresPredecessors ? 10 : 6
    #expect((2...longest).contains(script.count), "\(script.joined(separator: "\n"))")
  }

  @Test(arguments: HistoryFlaw.ofSource) func `a wrong source is detected`(
    _ flaw: HistoryFlaw
  ) async throws {
    try await detects(flaw, in: "1..<81", within: 25)
  }

  @Test(arguments: HistoryFlaw.ofFleet) func `a wrong shared tier is detected`(
    _ flaw: HistoryFlaw
  ) async throws {
    // One history in four has more than one host; it takes more to bring them apart.
    try await detects(flaw, in: "1..<321", within: 35)
  }

  private func detects(
    _ flaw: HistoryFlaw, in seeds: String, within longest: Int
  ) async throws {
    let (lines, code) = try await run(
      "--kind", "histories", "--flaw", flaw.rawValue, "--seeds", seeds, "--failures", "1")
    #expect(code == 1)
    let setting = try #require(lines.firstIndex { $0.hasPrefix("{") })
    let script = lines[setting...].prefix { $0.hasPrefix("{") }
    #expect((0...longest).contains(script.count), "\(script.joined(separator: "\n"))")
  }

  @Test(arguments: ["ignoresMarks", "answersLate"])
  func `a seed leads to the same run each time`(_ flaw: String) async throws {
    let first = try await run("--flaw", flaw, "--survey", "yes", "--seeds", "1..<21")
    let second = try await run("--flaw", flaw, "--survey", "yes", "--seeds", "1..<21")
    #expect(first.code == 1 && second.code == 1)
    // The last line states the duration.
    #expect(first.lines.dropLast() == second.lines.dropLast())
  }

  @Test func `a script is read back from its text`() throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      let script = Script(seed: seed)
      #expect(try Script(text: script.text) == script)
      #expect(Script(seed: seed) == script)
      let history = HistoryScript(seed: seed)
      #expect(try HistoryScript(text: history.text) == history)
      #expect(HistoryScript(seed: seed) == history)
    }
  }

  /// The names of the operations of two hundred seeds.
  private func names(_ operations: (UInt64) -> [Any]) -> Set<String> {
    Set((1...200).flatMap(operations).compactMap { Mirror(reflecting: $0).children.first?.label })
  }

  @Test func `the scripts of seeds do all that programs do with local writes`() {
    let steps = names { Script(seed: $0).steps.map { step in step.operation as Any } }
    #expect(
      steps.isSuperset(of: [
        "open", "save", "increment", "enqueue", "correct", "hold", "release", "endPauses", "wipe",
      ]))
    let histories = names { HistoryScript(seed: $0).steps.map { step in step.operation as Any } }
    #expect(
      histories.isSuperset(of: [
        "open", "save", "update", "enqueue", "correct", "hold", "release", "endPauses", "wipe",
      ]))
  }

  @Test func `some histories have two hosts or three, whose clocks are minutes or an hour apart`() {
    let settings = (1...200 as ClosedRange<UInt64>).map { HistoryScript(seed: $0).setting }
    let fleets = settings.compactMap(\.fleet)
    #expect((25...75).contains(fleets.count))
    #expect(Set(fleets.map(\.clocks.count)) == [2, 3])
    #expect(fleets.allSatisfy { $0.clocks.dropFirst().allSatisfy { abs($0) >= 120 } })
    #expect(settings.allSatisfy { $0.stores >= $0.fleet?.clocks.count ?? 1 })
    let operations = (1...200 as ClosedRange<UInt64>)
      .flatMap { HistoryScript(seed: $0).steps.map(\.operation) }
    let events = operations.compactMap { operation -> String? in
      guard case .fleet(let event) = operation else { return nil }
      return Mirror(reflecting: event).children.first?.label ?? "\(event)"
    }
    #expect(
      Set(events).isSuperset(of: [
        "disturb", "cut", "join", "deafen", "refuse", "deliver", "doze", "stepWall", "trim", "save",
        "restore", "empty",
      ]))
  }

  @Test func `few seeds have large values`() {
    let seeds = 1...200 as ClosedRange<UInt64>
    let sizes = seeds.compactMap { Script(seed: $0).setting.largeValues }
    #expect((1...30).contains(sizes.count))
    #expect(sizes.allSatisfy { $0 >= 65_536 })
    #expect((1...30).contains(seeds.count { HistoryScript(seed: $0).setting.largeValues != nil }))
  }

  @Test func `a failing script is shrunk to the steps that the failure needs`() {
    let script = Script(seed: 1)
    let needed = [script.steps[3], script.steps[17]]
    let shrinker = Shrinker { (script: Script) in
      let operations = script.steps.map(\.operation)
      return needed.allSatisfy { operations.contains($0.operation) }
    }
    let shrunk = shrinker.shrunk(script)
    #expect(shrunk.steps.map(\.operation) == needed.map(\.operation))
    #expect(shrunk.steps.allSatisfy { $0.luck == 0 && !$0.joins })
  }
}
