/// An asynchronous strategy of any kind over one subject: what the factories of an
/// asynchronous chain return.
public struct AnyAsyncStrategy<Subject>: AsyncStrategy {
  private let base: any AsyncStrategy<Subject>

  /// Wraps a strategy.
  public init(_ base: some AsyncStrategy<Subject>) {
    self.base = base
  }

  /// The wrapped strategy's name.
  public var name: String { base.name }

  /// Asks the wrapped strategy.
  public func judge(_ subject: Subject, in context: JudgementContext) async -> Opinion {
    await base.judge(subject, in: context)
  }

  /// Asks the wrapped strategy and reports its steps.
  public func explain(_ subject: Subject, in context: JudgementContext) async -> Judgement.Step {
    await base.explain(subject, in: context)
  }
}
