/// The disjunction of its parts in Kleene's three-valued logic: one valid part makes it valid.
///
/// Asks in order and stops at the first valid part. Without one it is unknown when a part is
/// unknown or there are no parts, and invalid when every part is.
package struct AnyOfStrategy<Subject>: Strategy {
  /// The parts in the order they are asked.
  package let parts: [AnyStrategy<Subject>]
  /// `any(…)` around the parts' names.
  package let name: String

  /// Creates the strategy.
  package init(_ parts: [AnyStrategy<Subject>]) {
    self.parts = parts
    name = "any(\(parts.map(\.name).joined(separator: ", ")))"
  }

  /// Asks the parts until one is valid.
  package func judge(_ subject: Subject, in context: JudgementContext) -> Opinion {
    Kleene.settle(parts, by: .valid) { $0.judge(subject, in: context) }
  }

  /// Asks the parts until one is valid, and reports each answer.
  package func explain(_ subject: Subject, in context: JudgementContext) -> Judgement.Step {
    var asked: [Judgement.Step] = []
    let opinion = Kleene.settle(parts, by: .valid) { part in
      let step = part.explain(subject, in: context)
      asked.append(step)
      return step.opinion
    }
    return Judgement.Step(strategy: name, opinion: opinion, parts: asked)
  }

  /// The earliest of the parts.
  package func nextChange(of subject: Subject, in context: JudgementContext) -> Timestamp? {
    parts.nextChange(of: subject, in: context)
  }
}

extension Strategy {
  /// Valid when one of the strategies is; asks in order and stops at the first valid one.
  public static func any<Object>(_ strategies: any Strategy<Object>...) -> Self
  where Self == AnyStrategy<Object> {
    AnyStrategy(AnyOfStrategy(strategies.map { AnyStrategy($0) }))
  }
}
