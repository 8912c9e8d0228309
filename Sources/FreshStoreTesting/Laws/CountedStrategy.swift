internal import Strategies
internal import Synchronization

/// Forwards every question and counts it.
final class CountedStrategy<Subject>: Strategy {
  private let base: AnyStrategy<Subject>
  private let asked = Atomic(0)

  init(_ base: AnyStrategy<Subject>) {
    self.base = base
  }

  var name: String { base.name }

  var timesAsked: Int { asked.load(ordering: .sequentiallyConsistent) }

  func judge(_ subject: Subject, in context: JudgementContext) -> Opinion {
    asked.add(1, ordering: .sequentiallyConsistent)
    return base.judge(subject, in: context)
  }

  func explain(_ subject: Subject, in context: JudgementContext) -> Judgement.Step {
    asked.add(1, ordering: .sequentiallyConsistent)
    return base.explain(subject, in: context)
  }
}
