/// Takes steps that wait, one after the other, round and round, so that whatever else the machine does
/// hits all alike.
public struct Rounds {
  private let count: Int

  /// Goes so many rounds, after one that is not counted.
  public init(_ count: Int) {
    self.count = count
  }

  /// The seconds that each step took, round by round.
  public func seconds(of steps: [() async throws -> Void]) async throws -> [Samples] {
    var values = [[Double]](repeating: [], count: steps.count)
    for round in 0...count {
      for (index, step) in steps.enumerated() {
        let start = ContinuousClock.now
        try await step()
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        if round > 0 { values[index].append(seconds) }
      }
    }
    return values.map(Samples.init)
  }
}
