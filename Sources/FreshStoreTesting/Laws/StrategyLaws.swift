public import Strategies

/// The laws that every strategy and every chain must keep, checked over given subjects and contexts.
///
/// Each check returns its findings instead of failing, so that any test framework can use it:
/// `#expect(laws.check(MyStrategy()) == [])`. The laws relate answers to each other, and do not say which answer is
/// right. Choose subjects and contexts that reach every branch of the strategy.
public struct StrategyLaws<Subject> {
  let subjects: [Subject]
  let contexts: [JudgementContext]

  /// Creates the laws for these subjects, each of which is judged in every one of the contexts.
  public init(subjects: [Subject], contexts: [JudgementContext]) {
    self.subjects = subjects
    self.contexts = contexts
  }

  /// Checks a strategy against every law for strategies.
  ///
  /// The strategy is asked several times with each subject in each context, so a reachability provider behind it must
  /// keep its answer.
  public func check(_ strategy: some Strategy<Subject>) -> [LawViolation] {
    checkName(of: strategy) + checkPurity(of: strategy) + checkExplanation(of: strategy)
      + checkErasure(of: strategy)
  }

  /// The name is one short word or expression: not empty, without a line break.
  private func checkName(of strategy: some Strategy<Subject>) -> [LawViolation] {
    let name = strategy.name
    return require(
      "the name is one line of text", of: name, !name.isEmpty && !name.contains(where: \.isNewline),
      else: "the name is \(name.debugDescription)")
  }

  /// The same subject in the same context gets the same opinion, whatever was asked in between.
  package func checkPurity(of strategy: some Strategy<Subject>) -> [LawViolation] {
    let forward = samples.map { strategy.judge($0.subject, in: $0.context) }
    let backward = samples.reversed().map { strategy.judge($0.subject, in: $0.context) }
    return zip(forward, backward.reversed()).flatMap { first, second in
      require(
        "the same question gets the same answer", of: strategy.name, first == second,
        else: "\(first), then \(second)")
    }
  }

  /// The explanation has the strategy's name and the opinion that judging gives.
  private func checkExplanation(of strategy: some Strategy<Subject>) -> [LawViolation] {
    samples.flatMap { sample in
      let opinion = strategy.judge(sample.subject, in: sample.context)
      let step = strategy.explain(sample.subject, in: sample.context)
      let agreement = require(
        "explaining agrees with judging", of: strategy.name, step.opinion == opinion,
        else: "judged \(opinion), explained \(step.opinion)")
      let name = require(
        "the explanation bears the name", of: strategy.name, step.strategy == strategy.name,
        else: "it bears \(step.strategy.debugDescription)")
      return agreement + name
    }
  }

  /// Erased to ``AnyStrategy``, it has the same name, opinions and explanations.
  private func checkErasure(of strategy: some Strategy<Subject>) -> [LawViolation] {
    let erased = AnyStrategy(strategy)
    let name = require(
      "erasure keeps the name", of: strategy.name, erased.name == strategy.name,
      else: "it became \(erased.name.debugDescription)")
    return samples.reduce(name) { found, sample in
      let plain = strategy.explain(sample.subject, in: sample.context)
      let wrapped = erased.explain(sample.subject, in: sample.context)
      return found
        + require(
          "erasure keeps the explanation", of: strategy.name, plain == wrapped,
          else: "\(plain), erased \(wrapped)")
    }
  }

  /// Time only invalidates: a subject that is not valid at one moment is not valid at a later one.
  ///
  /// A law for strategies about age, not for every strategy.
  public func checkAging(
    of strategy: some Strategy<Subject>, at moments: [Timestamp]
  ) -> [LawViolation] {
    subjects.flatMap { subject in
      let verdicts = moments.sorted().map {
        strategy.judge(subject, in: JudgementContext(now: $0)).verdict
      }
      return require(
        "what is not valid stays so as time passes", of: strategy.name,
        !verdicts.drop { $0 == .valid }.contains(.valid), else: "\(verdicts.map(\.rawValue))")
    }
  }
}

extension StrategyLaws {
  /// Every subject in every context.
  var samples: [(subject: Subject, context: JudgementContext)] {
    subjects.flatMap { subject in contexts.map { (subject, $0) } }
  }

  /// The violation of `law` by the object named `checked`, unless it holds.
  func require(
    _ law: String, of checked: String, _ holds: Bool, else observation: @autoclosure () -> String
  ) -> [LawViolation] {
    holds ? [] : [LawViolation(law: law, checked: checked, observation: observation())]
  }
}

extension StrategyLaws: Sendable where Subject: Sendable {}

/// One way in which an implementation breaks a law of its protocol.
public struct LawViolation: Sendable, Hashable {
  /// The law, as a statement that should have been true.
  public let law: String
  /// The checked object, such as a strategy's name.
  public let checked: String
  /// The observation that contradicts it.
  public let observation: String

  /// Creates a violation.
  package init(law: String, checked: String, observation: String) {
    self.law = law
    self.checked = checked
    self.observation = observation
  }
}

extension LawViolation: CustomStringConvertible {
  /// One line with all three.
  public var description: String { "\(checked): not true that \(law): \(observation)" }
}
