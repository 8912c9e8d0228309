/// Passes every event to several reporters, in order.
public struct CombinedReporter: Reporter {
  private let reporters: [any Reporter]

  /// Creates a reporter that forwards to others.
  public init(_ reporters: [any Reporter]) {
    self.reporters = reporters
  }

  /// Reports to each of them.
  public func report(_ event: StoreEvent) {
    for reporter in reporters { reporter.report(event) }
  }
}
