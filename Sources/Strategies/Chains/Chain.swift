/// An ordered list of strategies: the first decided verdict wins and nothing after it is asked.
///
/// When no strategy decides, or the chain is empty, the verdict is ``Verdict/invalid`` unless the
/// chain was built with another: a copy without a verdict is fetched again. A chain within a chain
/// is then unknown.
///
/// A chain is a list of factories and of strategies of one's own:
/// `[.reachability(provider), OpeningHours(), .timestamp(), .default()]`.
public struct Chain<Subject>: Sendable, ExpressibleByArrayLiteral {
  /// The strategies in the order they are asked.
  package let strategies: [AnyStrategy<Subject>]
  /// The verdict when no strategy decides; `nil` where the chain names none.
  package let undecided: Verdict?

  /// Creates a chain.
  ///
  /// - Parameter undecided: The verdict when no strategy decides; `nil` for ``Verdict/invalid``.
  public init(_ strategies: [any Strategy<Subject>], undecided: Verdict? = nil) {
    self.strategies = strategies.map { AnyStrategy($0) }
    self.undecided = undecided
  }

  /// Creates a chain whose undecided verdict is ``Verdict/invalid``.
  public init(arrayLiteral elements: any Strategy<Subject>...) {
    self.init(elements)
  }

  /// Judges the subject; stops at the first decided verdict. The trace stays empty.
  public func judge(_ subject: Subject, in context: JudgementContext) -> Judgement {
    for strategy in strategies {
      let opinion = strategy.judge(subject, in: context)
      if opinion.verdict.isDecided {
        return Judgement(opinion, decidedBy: strategy.name)
      }
    }
    return Judgement(Opinion(undecided ?? .invalid, .undecided), decidedBy: nil)
  }

  /// Judges as ``judge(_:in:)-(Subject,_)`` does and records every strategy that was asked.
  public func explain(_ subject: Subject, in context: JudgementContext) -> Judgement {
    var trace: [Judgement.Step] = []
    for strategy in strategies {
      let step = strategy.explain(subject, in: context)
      trace.append(step)
      if step.opinion.verdict.isDecided {
        return Judgement(step.opinion, decidedBy: strategy.name, trace: trace)
      }
    }
    return Judgement(Opinion(undecided ?? .invalid, .undecided), decidedBy: nil, trace: trace)
  }

  /// The next moment at which time alone may change the judgement: the earliest of its strategies.
  public func nextChange(of subject: Subject, in context: JudgementContext) -> Timestamp? {
    strategies.nextChange(of: subject, in: context)
  }

  /// Judges an object that may be absent: no object is ``Verdict/invalid``, and no strategy is
  /// asked.
  public func judge(_ subject: Subject?, in context: JudgementContext) -> Judgement {
    guard let subject else { return Judgement(.invalid(.noObject), decidedBy: nil) }
    return judge(subject, in: context)
  }
}
