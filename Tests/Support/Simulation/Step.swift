/// One thing that happens, and in which order the tasks run that it sets going.
public struct Step: Codable, Hashable, Sendable {
  /// What happens.
  public var operation: Operation
  /// The seed of the scheduler; 0 for the order in which the tasks came.
  public var luck: UInt32
  /// True when it begins together with the step before it, and not once that has come to rest.
  public var joins: Bool

  /// Creates a step.
  public init(_ operation: Operation, luck: UInt32 = 0, joins: Bool = false) {
    (self.operation, self.luck, self.joins) = (operation, luck, joins)
  }
}
