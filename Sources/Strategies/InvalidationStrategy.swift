/// Invalid when the object says that it must be fetched again; never valid.
public struct InvalidationStrategy<Subject: Invalidatable>: Strategy {
  /// Creates the strategy.
  public init() {}

  /// `invalidation`.
  public var name: String { "invalidation" }

  /// Asks the subject.
  public func judge(_ subject: Subject, in context: JudgementContext) -> Opinion {
    guard let cause = subject.invalidation else { return .unknown(.notMarked) }
    return .invalid(.marked(cause))
  }
}

extension AnyStrategy where Subject: Invalidatable {
  /// Invalid when the object says that it must be fetched again.
  public static var invalidation: AnyStrategy { AnyStrategy(InvalidationStrategy()) }
}
