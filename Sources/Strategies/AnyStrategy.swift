/// A strategy of any kind over one subject: the element of a ``Chain``.
///
/// Each strategy adds a static factory here, so that a chain reads as a sentence:
/// `[.reachability(provider), .timestamp, .default]`.
public struct AnyStrategy<Subject>: Strategy {
  /// What is wrapped.
  package let base: any Strategy<Subject>

  /// Wraps a strategy.
  public init(_ base: some Strategy<Subject>) {
    self.base = base
  }

  /// The wrapped strategy's name.
  public var name: String { base.name }

  /// Asks the wrapped strategy.
  public func judge(_ subject: Subject, in context: JudgementContext) -> Opinion {
    base.judge(subject, in: context)
  }

  /// Asks the wrapped strategy and tells what it asked.
  public func explain(_ subject: Subject, in context: JudgementContext) -> Judgement.Step {
    base.explain(subject, in: context)
  }
}
