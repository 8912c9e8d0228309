/// Takes steps that wait, one after the other, round and round, so that whatever else the machine does
/// hits all alike.
public struct Rounds {
  /// What one step took, round by round.
  public struct Cost: Sendable {
    /// The time until it was done.
    public let seconds: Samples
    /// The time that processors worked for it, or for what an earlier step had left to do: it depends
    /// far less on what else the machine does.
    public let processorSeconds: Samples
  }

  private let count: Int

  /// Goes so many rounds, after one that is not counted.
  public init(_ count: Int) {
    self.count = count
  }

  /// What each step took.
  public func costs(of steps: [() async throws -> Void]) async throws -> [Cost] {
    var seconds = [[Double]](repeating: [], count: steps.count)
    var processorSeconds = seconds
    for round in 0...count {
      for (index, step) in steps.enumerated() {
        let before = ProcessUsage.now.processorTime
        let start = ContinuousClock.now
        try await step()
        guard round > 0 else { continue }
        seconds[index].append((ContinuousClock.now - start) / .seconds(1))
        processorSeconds[index].append(
          (ProcessUsage.now.processorTime - before) / .seconds(1))
      }
    }
    return zip(seconds, processorSeconds).map {
      Cost(seconds: Samples($0), processorSeconds: Samples($1))
    }
  }
}
