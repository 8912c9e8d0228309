/// Adapts a strategy that never waits to ``AsyncStrategy``.
struct SyncStrategyAdapter<Subject>: AsyncStrategy {
  let base: AnyStrategy<Subject>

  var name: String { base.name }

  func judge(_ subject: Subject, in context: JudgementContext) async -> Opinion {
    base.judge(subject, in: context)
  }

  func explain(_ subject: Subject, in context: JudgementContext) async -> Judgement.Step {
    base.explain(subject, in: context)
  }
}

extension AsyncStrategy {
  /// A strategy that never waits.
  public static func sync<Object>(_ strategy: any Strategy<Object>) -> Self
  where Self == AnyAsyncStrategy<Object> {
    AnyAsyncStrategy(SyncStrategyAdapter(base: AnyStrategy(strategy)))
  }
}
