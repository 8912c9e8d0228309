public import Strategies

extension StrategyLaws {
  /// Checks a chain against every law for one: the first decided verdict wins, nothing after it is
  /// asked, nobody deciding gives the undecided verdict, the trace is what was asked, and no object
  /// is invalid without a question.
  public func check(_ chain: Chain<Subject>) -> [LawViolation] {
    samples.flatMap { sample in
      let opinions = chain.strategies.map { $0.judge(sample.subject, in: sample.context) }
      let expected = Expectation(
        opinions, names: chain.strategies.map(\.name), undecided: chain.undecided)

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

  /// Puts a question to the chain, and tells how often that asked each of its strategies.
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
    violations("judging keeps no trace", "chain", holds: judged.trace.isEmpty) {
      "the trace is \(judged.trace)"
    } + violations(ofOutcome: judged, asked: asked, against: expected)
  }

  func violations(
    explained: Judgement, asked: [Int], against expected: Expectation
  ) -> [LawViolation] {
    let names = expected.names.prefix(expected.askedCount)
    let opinions = expected.opinions.prefix(expected.askedCount)
    let isTold =
      explained.trace.map(\.strategy).elementsEqual(names)
      && explained.trace.map(\.opinion).elementsEqual(opinions)
    return violations("the trace is what was asked, in order", "chain", holds: isTold) {
      "the trace is \(explained.trace), asked were \(Array(names))"
    } + violations(ofOutcome: explained, asked: asked, against: expected)
  }

  func violations(ofAbsence judgement: Judgement, asked: [Int]) -> [LawViolation] {
    violations("no object is invalid", "chain", holds: judgement.verdict == .invalid) {
      "\(judgement)"
    }
      + violations("no object is no question", "chain", holds: asked.allSatisfy { $0 == 0 }) {
        "asked \(asked) times"
      }
  }

  private func violations(
    ofOutcome judgement: Judgement, asked: [Int], against expected: Expectation
  ) -> [LawViolation] {
    let isRight =
      judgement.opinion == expected.opinion && judgement.decidedBy == expected.decidedBy
    return violations("the first decided verdict wins", "chain", holds: isRight) {
      "\(judgement), expected \(expected.opinion) by \(expected.decidedBy ?? "none")"
    }
      + violations(
        "nothing is asked twice or after the decision", "chain", holds: asked == expected.timesAsked
      ) { "asked \(asked) times" }
  }
}
