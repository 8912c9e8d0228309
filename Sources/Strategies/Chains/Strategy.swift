/// One question about an object whose answer may settle whether it is served.
///
/// A strategy is pure: it reads the subject and the context and nothing else that changes. The reachability
/// strategy is the exception: its provider is its input. A strategy never throws, never waits and never touches
/// storage; a strategy that has to wait is an ``AsyncStrategy``.
///
/// The subject is the primary associated type, so a strategy that needs a date accepts only objects with a date.
public protocol Strategy<Subject>: Sendable {
  /// The type of the objects it judges.
  associatedtype Subject
  /// A short lower-case name, shown in traces and logs.
  var name: String { get }
  /// Judges the subject. Cost: a few comparisons; no allocation is expected.
  func judge(_ subject: Subject, in context: JudgementContext) -> Opinion
  /// Judges the subject and reports its steps; the opinion is the one ``judge(_:in:)`` gives. Only a composite
  /// strategy needs an implementation of its own.
  func explain(_ subject: Subject, in context: JudgementContext) -> Judgement.Step
  /// The next moment after the context's at which only time may change the opinion on the subject. `nil` when there
  /// is no such moment, or it is not known. A caller that shows an opinion asks again at that moment. A moment too
  /// many costs one call; a missing moment leaves the old opinion on show.
  func nextChange(of subject: Subject, in context: JudgementContext) -> Timestamp?
}

extension Strategy {
  /// The opinion under the strategy's name, without parts.
  public func explain(_ subject: Subject, in context: JudgementContext) -> Judgement.Step {
    Judgement.Step(strategy: name, opinion: judge(subject, in: context))
  }

  /// `nil`, because time changes nothing.
  public func nextChange(of subject: Subject, in context: JudgementContext) -> Timestamp? { nil }
}

/// A strategy of any kind over one subject. The factories of a chain return it.
public struct AnyStrategy<Subject>: Strategy {
  /// The wrapped strategy.
  package let base: any Strategy<Subject>
  /// The provider of a wrapped ``ReachabilityStrategy``; `nil` for any other. Stored, because a cast to find it
  /// takes longer than opening a file.
  package let provider: (any ReachabilityProvider)?

  /// Wraps a strategy; a wrapped strategy stays as it is.
  public init(_ base: some Strategy<Subject>) {
    if let wrapped = base as? AnyStrategy {
      self = wrapped
    } else {
      self.base = base
      provider = nil
    }
  }

  /// Wraps a strategy that asks about reachability.
  init(_ base: ReachabilityStrategy<Subject, some ReachabilityProvider>) {
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
  /// The earliest moment at which only time may change the opinion of one of the strategies.
  func nextChange<Subject>(of subject: Subject, in context: JudgementContext) -> Timestamp?
  where Element == AnyStrategy<Subject> {
    compactMap { $0.nextChange(of: subject, in: context) }.next(after: context.now)
  }
}

/// An object that knows its last update and its expiry.
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
  /// True when the owner vouches for the object; false states nothing.
  var isDeclaredValid: Bool { get }
}

/// An object that carries the version of the content or of the code that wrote it.
public protocol Versioned<Version> {
  /// The type of the version.
  associatedtype Version: Equatable & Sendable
  /// The object's version.
  var version: Version { get }
}
