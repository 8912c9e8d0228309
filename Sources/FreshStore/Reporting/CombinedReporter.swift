/// Passes every event to several reporters, in order.
public struct CombinedReporter: Reporter {
  private let reporters: [any Reporter]

  /// Creates a reporter of others.
  public init(_ reporters: [any Reporter]) {
    self.reporters = reporters
  }

  /// Tells each of them.
  public func report(_ event: StoreEvent) {
    for reporter in reporters { reporter.report(event) }
  }
}
