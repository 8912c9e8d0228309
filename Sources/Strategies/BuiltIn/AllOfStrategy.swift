/// The conjunction of its parts in Kleene's three-valued logic: one invalid part makes it invalid.
///
/// Asks in order and stops at the first invalid part. Without one it is unknown when a part is
/// unknown or there are no parts, and valid when every part is.
package struct AllOfStrategy<Subject>: Strategy {
  /// The parts in the order they are asked.
  package let parts: [AnyStrategy<Subject>]
  /// `all(…)` around the parts' names.
  package let name: String

  /// Creates the strategy.
  package init(_ parts: [AnyStrategy<Subject>]) {
    self.parts = parts
    name = "all(\(parts.map(\.name).joined(separator: ", ")))"
  }

  /// Asks the parts until one is invalid.
  package func judge(_ subject: Subject, in context: JudgementContext) -> Opinion {
    Kleene.settle(parts, by: .invalid) { $0.judge(subject, in: context) }
  }

  /// Asks the parts until one is invalid, and reports each answer.
  package func explain(_ subject: Subject, in context: JudgementContext) -> Judgement.Step {
    var asked: [Judgement.Step] = []
    let opinion = Kleene.settle(parts, by: .invalid) { part in
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
  /// Valid when all the strategies are; asks in order and stops at the first invalid one.
  public static func all<Object>(_ strategies: any Strategy<Object>...) -> Self
  where Self == AnyStrategy<Object> {
    AnyStrategy(AllOfStrategy(strategies.map { AnyStrategy($0) }))
  }
}
