/// One question about an object whose answer may settle whether it is served.
///
/// A strategy is pure: it reads the subject and the context and nothing else that changes, except
/// the reachability strategy, whose provider is its input. It never throws, never waits and never
/// touches storage; one that has to wait is an ``AsyncStrategy``.
///
/// The subject is the primary associated type, so a strategy that needs a date can be handed only
/// an object that has one.
public protocol Strategy<Subject>: Sendable {
  /// The type of the objects it judges.
  associatedtype Subject
  /// A short lower-case name, shown in traces and logs.
  var name: String { get }
  /// Judges the subject. Cost: a few comparisons; no allocation is expected.
  func judge(_ subject: Subject, in context: JudgementContext) -> Opinion
  /// Judges the subject and reports its steps; the opinion is the one ``judge(_:in:)`` gives. Only
  /// a composite strategy has a reason to implement it.
  func explain(_ subject: Subject, in context: JudgementContext) -> Judgement.Step
  /// The next moment after the context's at which the opinion on the subject may become another one
  /// by time alone; `nil` when there is none, or it is not known. Whoever shows an opinion asks again
  /// then: a moment too many costs one question, and a missing one leaves the old opinion in place.
  func nextChange(of subject: Subject, in context: JudgementContext) -> Timestamp?
}

extension Strategy {
  /// The opinion under the strategy's name, without parts.
  public func explain(_ subject: Subject, in context: JudgementContext) -> Judgement.Step {
    Judgement.Step(strategy: name, opinion: judge(subject, in: context))
  }

  /// `nil`: time alone changes nothing.
  public func nextChange(of subject: Subject, in context: JudgementContext) -> Timestamp? { nil }
}

/// A strategy of any kind over one subject: what the factories of a chain return.
public struct AnyStrategy<Subject>: Strategy {
  /// The wrapped strategy.
  package let base: any Strategy<Subject>
  /// The provider of a wrapped ``ReachabilityStrategy``; `nil` for any other. Stored, because
  /// finding it by a cast takes longer than opening a file.
  package let provider: (any ReachabilityProvider)?

  /// Wraps a strategy; one that is wrapped already stays as it is.
  public init(_ base: some Strategy<Subject>) {
    if let wrapped = base as? AnyStrategy {
      self = wrapped
    } else {
      self.base = base
      provider = nil
    }
  }

  /// Wraps a strategy that asks about reachability.
  package init(_ base: ReachabilityStrategy<Subject, some ReachabilityProvider>) {
    self.base = base
    provider = base.provider
  }

  /// The wrapped strategy's name.
  public var name: String { base.name }

  /// Asks the wrapped strategy.
  public func judge(_ subject: Subject, in context: JudgementContext) -> Opinion {
    base.judge(subject, in: context)
  }

  /// Asks the wrapped strategy and reports its steps.
  public func explain(_ subject: Subject, in context: JudgementContext) -> Judgement.Step {
    base.explain(subject, in: context)
  }

  /// Asks the wrapped strategy.
  public func nextChange(of subject: Subject, in context: JudgementContext) -> Timestamp? {
    base.nextChange(of: subject, in: context)
  }
}

extension [Timestamp] {
  /// The earliest one after a moment; `nil` when there is none.
  func next(after now: Timestamp) -> Timestamp? { filter { $0 > now }.min() }
}

extension Array {
  /// The earliest moment at which one of the strategies may change its opinion by time alone.
  func nextChange<Subject>(of subject: Subject, in context: JudgementContext) -> Timestamp?
  where Element == AnyStrategy<Subject> {
    compactMap { $0.nextChange(of: subject, in: context) }.next(after: context.now)
  }
}

/// An object that knows when it was last updated and how long that holds.
public protocol Timestamped {
  /// When the object was last known to equal its source; `nil` when unknown.
  var lastUpdate: Timestamp? { get }
  /// How long after ``lastUpdate`` it may be served.
  var expiry: Expiry { get }
}

/// An object that can say it must be fetched again.
public protocol Invalidatable {
  /// Why the object is invalid; `nil` when it makes no such statement.
  var invalidation: String? { get }
}

/// An object whose owner can declare it valid.
public protocol DeclaredValid {
  /// True when the owner vouches for the object; false is no statement.
  var isDeclaredValid: Bool { get }
}

/// An object that carries the version of the content or of the code that wrote it.
public protocol Versioned<Version> {
  /// The type of the version.
  associatedtype Version: Equatable & Sendable
  /// The object's version.
  var version: Version { get }
}
