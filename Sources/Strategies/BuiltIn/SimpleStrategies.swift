/// Says ``Verdict/valid`` of every object; put last, it turns "undecided" into valid.
package struct DefaultStrategy<Subject>: Strategy {
  /// Creates the strategy.
  package init() {}

  /// `default`.
  package var name: String { "default" }

  /// Valid, without looking at the subject.
  package func judge(_ subject: Subject, in context: JudgementContext) -> Opinion {
    .valid(.always)
  }
}

extension Strategy {
  /// Says ``Verdict/valid`` of every object.
  public static func `default`<Object>() -> Self where Self == AnyStrategy<Object> {
    AnyStrategy(DefaultStrategy())
  }
}

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
