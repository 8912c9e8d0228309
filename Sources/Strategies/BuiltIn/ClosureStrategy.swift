/// A strategy written as a closure, for special cases.
package struct ClosureStrategy<Subject>: Strategy {
  /// The name shown in traces.
  package let name: String
  private let body: @Sendable (Subject, JudgementContext) -> Opinion

  /// Creates the strategy; the closure must be quick and must not wait.
  package init(
    _ name: String = "closure", _ body: @escaping @Sendable (Subject, JudgementContext) -> Opinion
  ) {
    self.name = name
    self.body = body
  }

  /// Runs the closure.
  package func judge(_ subject: Subject, in context: JudgementContext) -> Opinion {
    body(subject, context)
  }
}

extension Strategy {
  /// Asks a closure, which must be quick and must not wait.
  public static func asking<Object>(
    _ name: String = "closure", _ body: @escaping @Sendable (Object, JudgementContext) -> Opinion
  ) -> Self where Self == AnyStrategy<Object> {
    AnyStrategy(ClosureStrategy(name, body))
  }
}
