/// A whole chain as one strategy.
///
/// When no strategy of the chain decides, its ``Chain/undecided`` verdict is the answer: give the
/// chain ``Verdict/unknown`` there to have the next strategy asked.
package struct ChainStrategy<Subject>: Strategy {
  /// The chain.
  package let chain: Chain<Subject>

  /// Creates the strategy.
  package init(_ chain: Chain<Subject>) {
    self.chain = chain
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
}

extension AnyStrategy {
  /// A whole chain as one strategy; its undecided verdict is part of its answer.
  public static func chain(_ chain: Chain<Subject>) -> AnyStrategy {
    AnyStrategy(ChainStrategy(chain))
  }
}
