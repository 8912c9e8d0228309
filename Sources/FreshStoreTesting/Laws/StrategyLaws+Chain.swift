public import Strategies

extension StrategyLaws {
  /// Checks a chain against every law for one: the first decided verdict wins, nothing after it is
  /// asked, without a decision the verdict is the undecided one, the trace lists the strategies
  /// asked, and no object is invalid without a question.
  public func check(_ chain: Chain<Subject>) -> [LawViolation] {
    samples.flatMap { sample in
      let opinions = chain.strategies.map { $0.judge(sample.subject, in: sample.context) }
      let expected = Expectation(
        opinions, names: chain.strategies.map(\.name), undecided: chain.undecided ?? .invalid)

      let judged = counting(chain) { $0.judge(sample.subject, in: sample.context) }
      let explained = counting(chain) { $0.explain(sample.subject, in: sample.context) }
      return violations(judged: judged.judgement, asked: judged.asked, against: expected)
        + violations(explained: explained.judgement, asked: explained.asked, against: expected)
    } + checkAbsence(chain)
  }

  private func checkAbsence(_ chain: Chain<Subject>) -> [LawViolation] {
    contexts.flatMap { context in
      let absent = counting(chain) { $0.judge(nil, in: context) }
      return violations(ofAbsence: absent.judgement, asked: absent.asked)
    }
  }

  /// Puts a question to the chain, and returns how often it asked each of its strategies.
  private func counting(
    _ chain: Chain<Subject>, _ question: (Chain<Subject>) -> Judgement
  ) -> (judgement: Judgement, asked: [Int]) {
    let counted = chain.strategies.map(CountedStrategy.init)
    let judgement = question(Chain(counted.map { AnyStrategy($0) }, undecided: chain.undecided))
    return (judgement, counted.map(\.timesAsked))
  }
}

extension StrategyLaws {
  func violations(
    judged: Judgement, asked: [Int], against expected: Expectation
  ) -> [LawViolation] {
    requireOutcome(judged, asked: asked, expected)
      + require(
        "judging keeps no trace", of: "chain", judged.trace.isEmpty,
        else: "the trace is \(judged.trace)")
  }

  func violations(
    explained: Judgement, asked: [Int], against expected: Expectation
  ) -> [LawViolation] {
    requireOutcome(explained, asked: asked, expected)
      + require(
        "the trace is what was asked, in order", of: "chain",
        explained.trace.map(\.strategy) == expected.askedNames
          && explained.trace.map(\.opinion) == expected.askedOpinions,
        else: "the trace is \(explained.trace), asked were \(expected.askedNames)")
  }

  func violations(ofAbsence judgement: Judgement, asked: [Int]) -> [LawViolation] {
    require(
      "no object is invalid", of: "chain", judgement.verdict == .invalid, else: "\(judgement)")
      + require(
        "no object is no question", of: "chain", asked.allSatisfy { $0 == 0 },
        else: "asked \(asked) times")
  }

  private func requireOutcome(
    _ judgement: Judgement, asked: [Int], _ expected: Expectation
  ) -> [LawViolation] {
    require(
      "the first decided verdict wins", of: "chain",
      judgement.opinion == expected.opinion && judgement.decidedBy == expected.decidedBy,
      else: "\(judgement), expected \(expected.opinion) by \(expected.decidedBy ?? "none")")
      + require(
        "nothing is asked twice or after the decision", of: "chain", asked == expected.timesAsked,
        else: "asked \(asked) times")
  }
}
