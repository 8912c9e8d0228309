/// An ordered list of strategies: the first decided verdict wins and nothing after it is asked.
///
/// When no strategy decides, or the chain is empty, the verdict is ``Verdict/invalid``, so a copy without a verdict
/// is fetched again. A chain may be built with another verdict for that case. As a part of another chain it is
/// unknown then.
///
/// A chain is a list of factories and of the caller's own strategies: `[.reachability(provider), OpeningHours(),
/// .timestamp(), .default()]`.
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

  /// Judges an object that may be absent: no object is ``Verdict/invalid``, and no strategy is asked.
  public func judge(_ subject: Subject?, in context: JudgementContext) -> Judgement {
    guard let subject else { return Judgement(.invalid(.noObject), decidedBy: nil) }
    return judge(subject, in: context)
  }

  /// Judges a list. The list is valid only when every object is; the first object that is not valid ends the
  /// judgement.
  ///
  /// `whenEmpty` is the verdict on a list without objects. Only the caller can know it: the list may be a
  /// legitimately empty answer, or a copy that was never filled.
  public func judge(
    all subjects: some Sequence<Subject>, whenEmpty: Verdict, in context: JudgementContext
  ) -> ListJudgement {
    var count = 0
    for subject in subjects {
      let judgement = judge(subject, in: context)
      guard judgement.isValid else { return ListJudgement(judgement, failedAt: count) }
      count += 1
    }
    return ListJudgement(allValid: count, whenEmpty: whenEmpty)
  }
}

/// The decision of a chain on a list of objects.
public struct ListJudgement: Sendable, Hashable {
  /// The judgement of the object that settled the list, or of the list itself when none did.
  public let judgement: Judgement
  /// The position of the first object that is not valid; `nil` when there is none.
  public let failedAt: Int?

  /// The verdict.
  public var verdict: Verdict { judgement.verdict }
  /// The reason.
  public var reason: Reason { judgement.reason }
  /// True when the list may be served.
  public var isValid: Bool { judgement.isValid }

  package init(_ judgement: Judgement, failedAt: Int? = nil) {
    self.judgement = judgement
    self.failedAt = failedAt
  }

  /// The judgement of a list of `count` objects, each of which was found valid.
  init(allValid count: Int, whenEmpty: Verdict) {
    let opinion: Opinion =
      count == 0 ? Opinion(whenEmpty, .emptyList) : .valid(.everyElement(count: count))
    self.init(Judgement(opinion, decidedBy: nil))
  }
}

extension ListJudgement: CustomStringConvertible {
  /// The judgement, with the position of the object that settled it.
  public var description: String {
    failedAt.map { "element \($0): \(judgement)" } ?? judgement.description
  }
}
