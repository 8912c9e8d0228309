/// Takes steps that wait, one after the other, in rounds, so that other work on the machine affects
/// all alike.
public struct Rounds {
  /// The cost of one step, round by round.
  public struct Cost: Sendable {
    /// The time until it was done.
    public let seconds: Samples
    /// The time that processors worked for it, or for work left over from an earlier step: it
    /// depends far less on other work on the machine.
    public let processorSeconds: Samples
  }

  private let count: Int

  /// Runs so many rounds, after one that is not counted.
  public init(_ count: Int) {
    self.count = count
  }

  /// The cost of each step.
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
