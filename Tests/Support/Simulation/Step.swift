/// One event, and the order in which the resulting tasks run.
public struct Step: Codable, Hashable, Sendable {
  /// The event.
  public var operation: Operation
  /// The seed of the scheduler; 0 for the order of arrival.
  public var luck: UInt32
  /// True when it starts together with the step before it, and not once that step has come to rest.
  public var joins: Bool

  /// Creates a step.
  public init(_ operation: Operation, luck: UInt32 = 0, joins: Bool = false) {
    (self.operation, self.luck, self.joins) = (operation, luck, joins)
  }
}
