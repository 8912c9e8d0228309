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
