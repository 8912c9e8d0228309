#if CommandLine
  internal import Strategies

  /// A strategy that was asked, and its answer.
  struct StepOutput: Encodable {
    let strategy: String
    let verdict: String
    let reason: ReasonOutput
    let parts: [StepOutput]

    init(_ step: Judgement.Step) {
      strategy = step.strategy
      verdict = step.opinion.verdict.rawValue
      reason = ReasonOutput(step.opinion.reason)
      parts = step.parts.map(StepOutput.init)
    }
  }
#endif
