/// A strategy written as a closure, for special cases.
public struct ClosureStrategy<Subject>: Strategy {
  /// The name shown in traces.
  public let name: String
  private let body: @Sendable (Subject, JudgementContext) -> Opinion

  /// Creates the strategy; the closure must be quick and must not wait.
  public init(
    _ name: String = "closure", _ body: @escaping @Sendable (Subject, JudgementContext) -> Opinion
  ) {
    self.name = name
    self.body = body
  }

  /// Runs the closure.
  public func judge(_ subject: Subject, in context: JudgementContext) -> Opinion {
    body(subject, context)
  }
}

extension AnyStrategy {
  /// Asks a closure, which must be quick and must not wait.
  public static func asking(
    _ name: String = "closure", _ body: @escaping @Sendable (Subject, JudgementContext) -> Opinion
  ) -> AnyStrategy {
    AnyStrategy(ClosureStrategy(name, body))
  }
}
