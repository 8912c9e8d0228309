import Foundation
import Testing

/// The proof of the outbox: devices with real stores, a model of a server, and arbitrary events
/// between them, determined by a seed. In the end no acknowledged write is lost, none was applied twice
/// or out of order, and both sides agree.
///
/// `FRESHSTORE_CONVERGENCE_SEEDS=1000` runs this many seeds in place of the usual few, and
/// `FRESHSTORE_CONVERGENCE_SEED=N` runs one alone and prints its events as they happen. A seed that
/// breaks a law prints them when it has ended.
@Suite struct ConvergenceTests {
  struct Broken: Error, CustomStringConvertible {
    let description: String
  }

  private static let seeds: Range<UInt64> = {
    let environment = ProcessInfo.processInfo.environment
    if let one = environment["FRESHSTORE_CONVERGENCE_SEED"].flatMap(UInt64.init) {
      return one..<one + 1
    }
    return 1..<(environment["FRESHSTORE_CONVERGENCE_SEEDS"].flatMap(UInt64.init) ?? 30) + 1
  }()

  @Test func `after any sequence of events no write is lost and both sides agree`() async throws {
    var broken: [UInt64] = []
    for seed in Self.seeds {
      let world = try World(seed: seed, isLoud: Self.seeds.count == 1)
      do {
        try await world.run(steps: 80)
      } catch {
        world.laws.note("\(error)")
      }
      guard !world.laws.all.isEmpty else { continue }
      broken.append(seed)
      guard broken.count <= 3 else { continue }
      print("seed \(seed)")
      for line in world.log + world.laws.all.map({ "BROKEN: \($0)" }) { print("  \(line)") }
    }
    #expect(broken.isEmpty, "run one alone with FRESHSTORE_CONVERGENCE_SEED")
  }
}
