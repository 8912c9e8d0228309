/// A question about an object whose answer may have to be waited for.
///
/// It can stand only in an ``AsyncChain``: a ``Chain`` accepts only a ``Strategy``, so the
/// compiler keeps strategies that wait out of every place that must not.
public protocol AsyncStrategy<Subject>: Sendable {
  /// The type of the objects it judges.
  associatedtype Subject
  /// A short lower-case name, shown in traces and logs.
  var name: String { get }
  /// Judges the subject. It does not throw: a failure on the way is a reason to be unknown.
  func judge(_ subject: Subject, in context: JudgementContext) async -> Opinion
  /// Judges the subject and reports its steps; the opinion is the one ``judge(_:in:)`` gives. Only
  /// a composite strategy has a reason to implement it.
  func explain(_ subject: Subject, in context: JudgementContext) async -> Judgement.Step
}

extension AsyncStrategy {
  /// The opinion under the strategy's name, without parts.
  public func explain(_ subject: Subject, in context: JudgementContext) async -> Judgement.Step {
    Judgement.Step(strategy: name, opinion: await judge(subject, in: context))
  }
}
