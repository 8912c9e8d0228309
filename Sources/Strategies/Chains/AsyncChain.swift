/// A ``Chain`` whose strategies may wait: `[.sync(.timestamp()), .asking { … }]`.
///
/// The strategies are asked one after the other, never at the same time: the first decided verdict
/// wins and nothing after it is asked.
public struct AsyncChain<Subject>: Sendable, ExpressibleByArrayLiteral {
  /// The strategies in the order they are asked.
  package let strategies: [AnyAsyncStrategy<Subject>]
  /// The verdict when no strategy decides; `nil` where the chain names none.
  package let undecided: Verdict?

  /// Creates a chain.
  ///
  /// - Parameter undecided: The verdict when no strategy decides; `nil` for ``Verdict/invalid``.
  public init(_ strategies: [any AsyncStrategy<Subject>], undecided: Verdict? = nil) {
    self.strategies = strategies.map { AnyAsyncStrategy($0) }
    self.undecided = undecided
  }

  /// Creates a chain whose undecided verdict is ``Verdict/invalid``.
  public init(arrayLiteral elements: any AsyncStrategy<Subject>...) {
    self.init(elements)
  }

  /// Judges the subject; stops at the first decided verdict. The trace stays empty.
  public func judge(_ subject: Subject, in context: JudgementContext) async -> Judgement {
    for strategy in strategies {
      let opinion = await strategy.judge(subject, in: context)
      if opinion.verdict.isDecided {
        return Judgement(opinion, decidedBy: strategy.name)
      }
    }
    return Judgement(Opinion(undecided ?? .invalid, .undecided), decidedBy: nil)
  }

  /// Judges as ``judge(_:in:)-(Subject,_)`` does and records every strategy that was asked.
  public func explain(_ subject: Subject, in context: JudgementContext) async -> Judgement {
    var trace: [Judgement.Step] = []
    for strategy in strategies {
      let step = await strategy.explain(subject, in: context)
      trace.append(step)
      if step.opinion.verdict.isDecided {
        return Judgement(step.opinion, decidedBy: strategy.name, trace: trace)
      }
    }
    return Judgement(Opinion(undecided ?? .invalid, .undecided), decidedBy: nil, trace: trace)
  }

  /// Judges an object that may be absent: no object is ``Verdict/invalid``, and no strategy is asked.
  public func judge(_ subject: Subject?, in context: JudgementContext) async -> Judgement {
    guard let subject else { return Judgement(.invalid(.noObject), decidedBy: nil) }
    return await judge(subject, in: context)
  }

  /// Judges a list one object after the other. The list is valid only when every object is; the first object that
  /// is not valid ends the judgement.
  ///
  /// `whenEmpty` is the verdict on a list without objects, which only the caller can know.
  public func judge(
    all subjects: some Sequence<Subject>, whenEmpty: Verdict, in context: JudgementContext
  ) async -> ListJudgement {
    var count = 0
    for subject in subjects {
      let judgement = await judge(subject, in: context)
      guard judgement.isValid else { return ListJudgement(judgement, failedAt: count) }
      count += 1
    }
    return ListJudgement(allValid: count, whenEmpty: whenEmpty)
  }
}

/// A question about an object whose answer may take time.
///
/// Only an ``AsyncChain`` accepts it. A ``Chain`` accepts only a ``Strategy``, so the compiler keeps strategies
/// that wait out of code that must not wait.
public protocol AsyncStrategy<Subject>: Sendable {
  /// The type of the objects it judges.
  associatedtype Subject
  /// A short lower-case name, shown in traces and logs.
  var name: String { get }
  /// Judges the subject. It does not throw: a failure on the way is a reason to be unknown.
  func judge(_ subject: Subject, in context: JudgementContext) async -> Opinion
  /// Judges the subject and reports its steps; the opinion is the one ``judge(_:in:)`` gives. Only a composite
  /// strategy needs an implementation of its own.
  func explain(_ subject: Subject, in context: JudgementContext) async -> Judgement.Step
}

extension AsyncStrategy {
  /// The opinion under the strategy's name, without parts.
  public func explain(_ subject: Subject, in context: JudgementContext) async -> Judgement.Step {
    Judgement.Step(strategy: name, opinion: await judge(subject, in: context))
  }
}

/// An asynchronous strategy of any kind over one subject. The factories of an asynchronous chain return it.
public struct AnyAsyncStrategy<Subject>: AsyncStrategy {
  private let base: any AsyncStrategy<Subject>

  /// Wraps a strategy.
  public init(_ base: some AsyncStrategy<Subject>) {
    self.base = base
  }

  /// The wrapped strategy's name.
  public var name: String { base.name }

  /// Asks the wrapped strategy.
  public func judge(_ subject: Subject, in context: JudgementContext) async -> Opinion {
    await base.judge(subject, in: context)
  }

  /// Asks the wrapped strategy and reports its steps.
  public func explain(_ subject: Subject, in context: JudgementContext) async -> Judgement.Step {
    await base.explain(subject, in: context)
  }
}

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
