/// Swaps valid and invalid; unknown stays unknown, and the reason stays as it is.
package struct NotStrategy<Subject>: Strategy {
  /// The strategy whose verdict is swapped.
  package let base: AnyStrategy<Subject>
  /// `not(…)` around the strategy's name.
  package let name: String

  /// Creates the strategy.
  package init(_ base: AnyStrategy<Subject>) {
    self.base = base
    name = "not(\(base.name))"
  }

  /// Asks the strategy and swaps its verdict.
  package func judge(_ subject: Subject, in context: JudgementContext) -> Opinion {
    base.judge(subject, in: context).swapped
  }

  /// Asks the strategy, swaps its verdict and reports its answer.
  package func explain(_ subject: Subject, in context: JudgementContext) -> Judgement.Step {
    let step = base.explain(subject, in: context)
    return Judgement.Step(strategy: name, opinion: step.opinion.swapped, parts: [step])
  }

  /// That of the strategy.
  package func nextChange(of subject: Subject, in context: JudgementContext) -> Timestamp? {
    base.nextChange(of: subject, in: context)
  }
}

extension Opinion {
  fileprivate var swapped: Opinion {
    switch verdict {
    case .valid: .invalid(reason)
    case .invalid: .valid(reason)
    case .unknown: self
    }
  }
}

extension Strategy {
  /// Valid when the strategy is invalid, and the other way round.
  public static func not<Object>(_ strategy: any Strategy<Object>) -> Self
  where Self == AnyStrategy<Object> {
    AnyStrategy(NotStrategy(AnyStrategy(strategy)))
  }
}
