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
