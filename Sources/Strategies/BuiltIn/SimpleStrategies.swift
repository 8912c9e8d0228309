/// Says ``Verdict/valid`` of every object; put last, it turns "undecided" into valid.
struct DefaultStrategy<Subject>: Strategy {
  var name: String { "default" }

  func judge(_ subject: Subject, in context: JudgementContext) -> Opinion { .valid(.always) }
}

extension Strategy {
  /// Says ``Verdict/valid`` of every object.
  public static func `default`<Object>() -> Self where Self == AnyStrategy<Object> {
    AnyStrategy(DefaultStrategy())
  }
}

/// A strategy written as a closure, for special cases.
struct ClosureStrategy<Subject>: Strategy {
  let name: String
  private let body: @Sendable (Subject, JudgementContext) -> Opinion

  /// Creates the strategy; the closure must be quick and must not wait.
  init(_ name: String, _ body: @escaping @Sendable (Subject, JudgementContext) -> Opinion) {
    self.name = name
    self.body = body
  }

  func judge(_ subject: Subject, in context: JudgementContext) -> Opinion {
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
private struct AsyncClosureStrategy<Subject>: AsyncStrategy {
  let name: String
  let body: @Sendable (Subject, JudgementContext) async -> Opinion

  func judge(_ subject: Subject, in context: JudgementContext) async -> Opinion {
    await body(subject, context)
  }
}

extension AsyncStrategy {
  /// Asks a closure, which may wait.
  public static func asking<Object>(
    _ name: String = "closure",
    _ body: @escaping @Sendable (Object, JudgementContext) async -> Opinion
  ) -> Self where Self == AnyAsyncStrategy<Object> {
    AnyAsyncStrategy(AsyncClosureStrategy(name: name, body: body))
  }
}
