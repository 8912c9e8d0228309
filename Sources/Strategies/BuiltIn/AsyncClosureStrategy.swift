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

extension AnyAsyncStrategy {
  /// Asks a closure, which may wait.
  public static func asking(
    _ name: String = "closure",
    _ body: @escaping @Sendable (Subject, JudgementContext) async -> Opinion
  ) -> AnyAsyncStrategy {
    AnyAsyncStrategy(AsyncClosureStrategy(name, body))
  }
}
