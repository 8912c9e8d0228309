public import Strategies

/// The laws that every strategy and every chain must keep, checked over given subjects and contexts.
///
/// Each check returns what it found instead of failing, so that any test framework can use it:
/// `#expect(laws.check(MyStrategy()) == [])`. The laws say what holds between answers, not which
/// answer is right: choose subjects and contexts that reach every branch of the strategy.
public struct StrategyLaws<Subject> {
  let subjects: [Subject]
  let contexts: [JudgementContext]

  /// Creates the laws for these subjects, each of which is judged in every one of the contexts.
  public init(subjects: [Subject], contexts: [JudgementContext]) {
    self.subjects = subjects
    self.contexts = contexts
  }

  /// Checks a strategy against every law for one.
  ///
  /// It is asked several times with each subject in each context, so a reachability provider behind
  /// it must hold its answer still.
  public func check(_ strategy: some Strategy<Subject>) -> [LawViolation] {
    checkName(of: strategy) + checkPurity(of: strategy) + checkExplanation(of: strategy)
      + checkErasure(of: strategy)
  }

  /// The name is one short word or expression: not empty, without a line break.
  public func checkName(of strategy: some Strategy<Subject>) -> [LawViolation] {
    let isFit = !strategy.name.isEmpty && !strategy.name.contains(where: \.isNewline)
    return violations("the name is one line of text", strategy.name, holds: isFit) {
      "the name is \(strategy.name.debugDescription)"
    }
  }

  /// The same subject in the same context gets the same opinion, whatever was asked in between.
  public func checkPurity(of strategy: some Strategy<Subject>) -> [LawViolation] {
    let forward = samples.map { strategy.judge($0.subject, in: $0.context) }
    let backward = samples.reversed().map { strategy.judge($0.subject, in: $0.context) }.reversed()
    return zip(forward, backward).flatMap { first, second in
      violations("the same question gets the same answer", strategy.name, holds: first == second) {
        "\(first), then \(second)"
      }
    }
  }

  /// The explanation has the strategy's name and the opinion that judging gives.
  public func checkExplanation(of strategy: some Strategy<Subject>) -> [LawViolation] {
    samples.flatMap { sample in
      let opinion = strategy.judge(sample.subject, in: sample.context)
      let step = strategy.explain(sample.subject, in: sample.context)
      return violations(
        "explaining agrees with judging", strategy.name, holds: step.opinion == opinion
      ) { "judged \(opinion), explained \(step.opinion)" }
        + violations(
          "the explanation bears the name", strategy.name, holds: step.strategy == strategy.name
        ) { "it bears \(step.strategy.debugDescription)" }
    }
  }

  /// Erased to ``AnyStrategy``, it has the same name, opinions and explanations.
  public func checkErasure(of strategy: some Strategy<Subject>) -> [LawViolation] {
    let erased = AnyStrategy(strategy)
    let names = violations(
      "erasure keeps the name", strategy.name, holds: erased.name == strategy.name
    ) { "it became \(erased.name.debugDescription)" }
    return samples.reduce(names) { found, sample in
      let plain = strategy.explain(sample.subject, in: sample.context)
      let wrapped = erased.explain(sample.subject, in: sample.context)
      return found
        + violations("erasure keeps the explanation", strategy.name, holds: plain == wrapped) {
          "\(plain), erased \(wrapped)"
        }
    }
  }

  /// Time only takes away: with the moments in ascending order, what was not valid at one of them is
  /// not valid at a later one. A law for strategies about age, not for every strategy.
  public func checkAging(
    of strategy: some Strategy<Subject>, at moments: [Timestamp]
  ) -> [LawViolation] {
    subjects.flatMap { subject in
      let verdicts = moments.sorted().map {
        strategy.judge(subject, in: JudgementContext(now: $0)).verdict
      }
      let isAging = !verdicts.drop { $0 == .valid }.contains(.valid)
      return violations("what is not valid stays so as time passes", strategy.name, holds: isAging)
      {
        "\(verdicts.map(\.rawValue))"
      }
    }
  }
}

extension StrategyLaws {
  /// Every subject in every context.
  var samples: [(subject: Subject, context: JudgementContext)] {
    subjects.flatMap { subject in contexts.map { (subject, $0) } }
  }

  func violations(
    _ law: String, _ checked: String, holds: Bool, otherwise observation: () -> String
  ) -> [LawViolation] {
    holds ? [] : [LawViolation(law: law, checked: checked, observation: observation())]
  }
}

extension StrategyLaws: Sendable where Subject: Sendable {}
