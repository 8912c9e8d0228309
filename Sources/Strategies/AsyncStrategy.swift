/// A question about an object whose answer may have to be waited for.
///
/// It can stand only in an ``AsyncChain``: a ``Chain`` accepts nothing but ``AnyStrategy``, so the
/// compiler keeps what waits out of every place that must not.
public protocol AsyncStrategy<Subject>: Sendable {
  /// What is judged.
  associatedtype Subject
  /// A short lower-case name, shown in traces and logs.
  var name: String { get }
  /// Judges the subject. It does not throw: what went wrong on the way is a reason to be unknown.
  func judge(_ subject: Subject, in context: JudgementContext) async -> Opinion
  /// Judges the subject and tells what was asked on the way; the opinion is the one
  /// ``judge(_:in:)`` gives. Only a strategy made of others has a reason to write its own.
  func explain(_ subject: Subject, in context: JudgementContext) async -> Judgement.Step
}

extension AsyncStrategy {
  /// The opinion under the strategy's name, without parts.
  public func explain(_ subject: Subject, in context: JudgementContext) async -> Judgement.Step {
    Judgement.Step(strategy: name, opinion: await judge(subject, in: context))
  }
}
