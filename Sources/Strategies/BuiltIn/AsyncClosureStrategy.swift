/// An asynchronous strategy written as a closure.
package struct AsyncClosureStrategy<Subject>: AsyncStrategy {
  /// The name shown in traces.
  package let name: String
  private let body: @Sendable (Subject, JudgementContext) async -> Opinion

  /// Creates the strategy.
  package init(
    _ name: String = "closure",
    _ body: @escaping @Sendable (Subject, JudgementContext) async -> Opinion
  ) {
    self.name = name
    self.body = body
  }

  /// Runs the closure.
  package func judge(_ subject: Subject, in context: JudgementContext) async -> Opinion {
    await body(subject, context)
  }
}

extension AsyncStrategy {
  /// Asks a closure, which may wait.
  public static func asking<Object>(
    _ name: String = "closure",
    _ body: @escaping @Sendable (Object, JudgementContext) async -> Opinion
  ) -> Self where Self == AnyAsyncStrategy<Object> {
    AnyAsyncStrategy(AsyncClosureStrategy(name, body))
  }
}
