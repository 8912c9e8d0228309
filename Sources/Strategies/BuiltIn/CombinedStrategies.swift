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

/// Three-valued logic over a list of parts.
enum Kleene {
  /// Asks the parts in order and stops at the first that says `settling`. Otherwise unknown
  /// outweighs the opposite verdict, and no parts at all are unknown.
  static func settle<Part>(
    _ parts: [Part], by settling: Verdict, ask: (Part) -> Opinion
  ) -> Opinion {
    var firstUnknown: Opinion?
    var last: Opinion?
    for part in parts {
      let opinion = ask(part)
      if opinion.verdict == settling { return opinion }
      if opinion.verdict == .unknown, firstUnknown == nil { firstUnknown = opinion }
      last = opinion
    }
    guard let last else { return .unknown(.combined("there are no parts")) }
    if let firstUnknown { return firstUnknown }
    return parts.count == 1
      ? last : Opinion(last.verdict, .combined("every part is \(last.verdict.rawValue)"))
  }
}

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

/// A whole chain as one strategy.
///
/// When no strategy of the chain decides, the answer is unknown, and the next strategy is asked; a
/// chain built with a verdict of its own (``Chain/init(_:undecided:)``) answers with that.
package struct ChainStrategy<Subject>: Strategy {
  /// The chain.
  package let chain: Chain<Subject>

  /// Creates the strategy.
  package init(_ chain: Chain<Subject>) {
    self.chain = chain.undecided == nil ? Chain(chain.strategies, undecided: .unknown) : chain
  }

  /// `chain`.
  package var name: String { "chain" }

  /// Asks the chain.
  package func judge(_ subject: Subject, in context: JudgementContext) -> Opinion {
    chain.judge(subject, in: context).opinion
  }

  /// Asks the chain and reports the strategies it asked.
  package func explain(_ subject: Subject, in context: JudgementContext) -> Judgement.Step {
    let judgement = chain.explain(subject, in: context)
    return Judgement.Step(strategy: name, opinion: judgement.opinion, parts: judgement.trace)
  }

  /// That of the chain.
  package func nextChange(of subject: Subject, in context: JudgementContext) -> Timestamp? {
    chain.nextChange(of: subject, in: context)
  }
}

extension Strategy {
  /// A whole chain as one strategy: unknown when no strategy of it decides, unless the chain was
  /// built with another verdict.
  public static func chain<Object>(_ chain: Chain<Object>) -> Self
  where Self == AnyStrategy<Object> {
    AnyStrategy(ChainStrategy(chain))
  }
}
