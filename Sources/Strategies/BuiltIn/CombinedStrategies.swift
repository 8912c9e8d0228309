/// Combines its parts in Kleene's three-valued logic: `all(…)` and `any(…)`.
///
/// It asks the parts in order, and the first part with the ``settling`` verdict settles it. Without such
/// a part it is unknown when a part is unknown or there are no parts, and otherwise has the opposite verdict.
struct KleeneStrategy<Subject>: Strategy {
  let parts: [AnyStrategy<Subject>]
  /// Invalid for `all`, valid for `any`.
  let settling: Verdict
  let name: String

  init(_ word: String, _ parts: [any Strategy<Subject>], settledBy settling: Verdict) {
    self.parts = parts.map { AnyStrategy($0) }
    self.settling = settling
    name = "\(word)(\(parts.map(\.name).joined(separator: ", ")))"
  }

  func judge(_ subject: Subject, in context: JudgementContext) -> Opinion {
    settle { $0.judge(subject, in: context) }
  }

  /// Records every part that was asked.
  func explain(_ subject: Subject, in context: JudgementContext) -> Judgement.Step {
    var asked: [Judgement.Step] = []
    let opinion = settle { part in
      let step = part.explain(subject, in: context)
      asked.append(step)
      return step.opinion
    }
    return Judgement.Step(strategy: name, opinion: opinion, parts: asked)
  }

  func nextChange(of subject: Subject, in context: JudgementContext) -> Timestamp? {
    parts.nextChange(of: subject, in: context)
  }

  private func settle(asking ask: (AnyStrategy<Subject>) -> Opinion) -> Opinion {
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

extension Strategy {
  /// Valid when all the strategies are; asks in order and stops at the first invalid one.
  public static func all<Object>(_ strategies: any Strategy<Object>...) -> Self
  where Self == AnyStrategy<Object> {
    AnyStrategy(KleeneStrategy("all", strategies, settledBy: .invalid))
  }

  /// Valid when one of the strategies is; asks in order and stops at the first valid one.
  public static func any<Object>(_ strategies: any Strategy<Object>...) -> Self
  where Self == AnyStrategy<Object> {
    AnyStrategy(KleeneStrategy("any", strategies, settledBy: .valid))
  }
}

/// Swaps valid and invalid; unknown stays unknown, and the reason stays as it is.
struct NotStrategy<Subject>: Strategy {
  let base: AnyStrategy<Subject>
  let name: String

  init(_ base: AnyStrategy<Subject>) {
    self.base = base
    name = "not(\(base.name))"
  }

  func judge(_ subject: Subject, in context: JudgementContext) -> Opinion {
    base.judge(subject, in: context).swapped
  }

  func explain(_ subject: Subject, in context: JudgementContext) -> Judgement.Step {
    let step = base.explain(subject, in: context)
    return Judgement.Step(strategy: name, opinion: step.opinion.swapped, parts: [step])
  }

  func nextChange(of subject: Subject, in context: JudgementContext) -> Timestamp? {
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
  /// Valid when the strategy is invalid, and invalid when it is valid.
  public static func not<Object>(_ strategy: any Strategy<Object>) -> Self
  where Self == AnyStrategy<Object> {
    AnyStrategy(NotStrategy(AnyStrategy(strategy)))
  }
}

/// A whole chain as one strategy.
///
/// The answer is unknown when no strategy of the chain decides, so that the next strategy is asked. A chain
/// with an undecided verdict of its own (``Chain/init(_:undecided:)``) answers with that verdict.
private struct ChainStrategy<Subject>: Strategy {
  let chain: Chain<Subject>

  init(_ chain: Chain<Subject>) {
    self.chain = chain.undecided == nil ? Chain(chain.strategies, undecided: .unknown) : chain
  }

  var name: String { "chain" }

  func judge(_ subject: Subject, in context: JudgementContext) -> Opinion {
    chain.judge(subject, in: context).opinion
  }

  func explain(_ subject: Subject, in context: JudgementContext) -> Judgement.Step {
    let judgement = chain.explain(subject, in: context)
    return Judgement.Step(strategy: name, opinion: judgement.opinion, parts: judgement.trace)
  }

  func nextChange(of subject: Subject, in context: JudgementContext) -> Timestamp? {
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
