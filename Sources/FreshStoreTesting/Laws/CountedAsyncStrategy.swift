internal import Strategies
internal import Synchronization

/// Forwards every question and counts it.
final class CountedAsyncStrategy<Subject>: AsyncStrategy {
  private let base: AnyAsyncStrategy<Subject>
  private let asked = Atomic(0)

  init(_ base: AnyAsyncStrategy<Subject>) {
    self.base = base
  }

  var name: String { base.name }

  var timesAsked: Int { asked.load(ordering: .sequentiallyConsistent) }

  func judge(_ subject: Subject, in context: JudgementContext) async -> Opinion {
    asked.add(1, ordering: .sequentiallyConsistent)
    return await base.judge(subject, in: context)
  }

  func explain(_ subject: Subject, in context: JudgementContext) async -> Judgement.Step {
    asked.add(1, ordering: .sequentiallyConsistent)
    return await base.explain(subject, in: context)
  }
}
