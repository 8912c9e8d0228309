import Foundation
import Testing

/// The proof of the outbox: devices with real stores, a model of a server, and arbitrary events
/// between them, determined by a seed. In the end no acknowledged write is lost, none was applied twice
/// or out of order, and both sides agree.
///
/// A server that knows no idempotency keys applies a write once more whose answer was lost. A write with a
/// condition then meets its own effect: a conflict between equal sides, which is none. So both sides
/// agree there, too, and no update is lost whose writer knew the version that it replaces.
///
/// `FRESHSTORE_CONVERGENCE_SEEDS=1000` runs this many seeds in place of the usual few, and
/// `FRESHSTORE_CONVERGENCE_SEED=N` runs one alone and prints its events as they happen, in all scenarios
/// or in the one that `FRESHSTORE_CONVERGENCE_SCENARIO` names. A seed that breaks a law prints them when
/// it has ended.
@Suite struct ConvergenceTests {
  struct Broken: Error, CustomStringConvertible {
    let description: String
  }

  private static func number(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
  }

  private static var scenarios: [Scenario] {
    guard let name = ProcessInfo.processInfo.environment["FRESHSTORE_CONVERGENCE_SCENARIO"] else {
      return Scenario.all
    }
    return Scenario.all.filter { $0.testDescription == name }
  }

  /// The seeds of a scenario: more where anything may happen.
  private static func seeds(of scenario: Scenario) -> Range<UInt64> {
    if let one = number("FRESHSTORE_CONVERGENCE_SEED") { return one..<one + 1 }
    let isWide = scenario.testDescription == Scenario.anything.testDescription
    return 1..<(number("FRESHSTORE_CONVERGENCE_SEEDS") ?? (isWide ? 30 : 10)) + 1
  }

  @Test(arguments: scenarios)
  func `after any sequence of events no write is lost and both sides agree`(
    _ scenario: Scenario
  ) async throws {
    let seeds = Self.seeds(of: scenario)
    var broken: [UInt64] = []
    for seed in seeds {
      let world = try World(seed: seed, scenario, isLoud: seeds.count == 1)
      do {
        try await world.run(steps: 80)
      } catch {
        world.laws.note("\(error)")
      }
      guard !world.laws.all.isEmpty else { continue }
      broken.append(seed)
      guard broken.count <= 3 else { continue }
      print("\(scenario.testDescription), seed \(seed)")
      for line in world.log + world.laws.all.map({ "BROKEN: \($0)" }) { print("  \(line)") }
    }
    #expect(broken.isEmpty, "run one alone with FRESHSTORE_CONVERGENCE_SEED")
  }
}
