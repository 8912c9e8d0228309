/// A whole chain as one strategy.
///
/// When no strategy of the chain decides, the answer is unknown, and the next strategy is asked; a
/// chain built with a verdict of its own (``Chain/init(_:undecided:)``) answers with that.
package struct ChainStrategy<Subject>: Strategy {
  /// The chain.
  package let chain: Chain<Subject>

  /// Creates the strategy.
  package init(_ chain: Chain<Subject>) {
    self.chain = chain.undecided == nil ? Chain(chain.strategies, undecided: .unknown) : chain
  }

  /// `chain`.
  package var name: String { "chain" }

  /// Asks the chain.
  package func judge(_ subject: Subject, in context: JudgementContext) -> Opinion {
    chain.judge(subject, in: context).opinion
  }

  /// Asks the chain and reports the strategies it asked.
  package func explain(_ subject: Subject, in context: JudgementContext) -> Judgement.Step {
    let judgement = chain.explain(subject, in: context)
    return Judgement.Step(strategy: name, opinion: judgement.opinion, parts: judgement.trace)
  }

  /// That of the chain.
  package func nextChange(of subject: Subject, in context: JudgementContext) -> Timestamp? {
    chain.nextChange(of: subject, in: context)
  }
}

extension Strategy {
  /// A whole chain as one strategy: unknown when no strategy of it decides, unless the chain was
  /// built with another verdict.
  public static func chain<Object>(_ chain: Chain<Object>) -> Self
  where Self == AnyStrategy<Object> {
    AnyStrategy(ChainStrategy(chain))
  }
}
