import Testing

/// Thousands of random local writes, answers and crashes against a dictionary. `FRESHSTORE_SEED`
/// repeats one run.
@Suite struct OutboxModelTests {
  @Test(arguments: ModelTests.seeds)
  func `2,000 random writes, answers and crashes leave the same contents as in a dictionary`(
    _ seed: UInt64
  ) async throws {
    var model = try OutboxModel(seed: seed)
    for step in 1...2000 {
      let operation = try await model.step()
      let difference = try model.difference()
      guard difference == nil else {
        Issue.record("seed \(seed), step \(step), after \(operation): \(difference ?? "")")
        return
      }
    }
    try await model.finish()
  }
}
