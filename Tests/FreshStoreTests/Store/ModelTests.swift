import Foundation
import Testing

/// Thousands of random operations against a dictionary. `FRESHSTORE_SEED` repeats one run.
@Suite struct ModelTests {
  static var seeds: [UInt64] {
    let given = ProcessInfo.processInfo.environment["FRESHSTORE_SEED"].flatMap { UInt64($0) }
    return given.map { [$0] } ?? [1, 2, 3]
  }

  @Test(arguments: seeds) func `2,000 random operations leave the same contents as in a dictionary`(
    _ seed: UInt64
  ) async throws {
    var model = try StoreModel(seed: seed)
    for step in 1...2000 {
      let operation = try await model.step()
      let difference = try model.difference(fully: step.isMultiple(of: 100))
      guard difference == nil else {
        Issue.record("seed \(seed), step \(step), after \(operation): \(difference ?? "")")
        return
      }
    }
    try await model.finish()
  }
}
