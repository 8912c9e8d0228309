/// Invalid when the object says that it must be fetched again; never valid.
package struct InvalidationStrategy<Subject: Invalidatable>: Strategy {
  /// Creates the strategy.
  package init() {}

  /// `invalidation`.
  package var name: String { "invalidation" }

  /// Asks the subject.
  package func judge(_ subject: Subject, in context: JudgementContext) -> Opinion {
    guard let cause = subject.invalidation else { return .unknown(.notMarked) }
    return .invalid(.marked(cause))
  }
}

extension Strategy {
  /// Invalid when the object says that it must be fetched again.
  public static func invalidation<Object: Invalidatable>() -> Self
  where Self == AnyStrategy<Object> {
    AnyStrategy(InvalidationStrategy())
  }
}
