public import Strategies
internal import Synchronization

extension StrategyLaws {
  /// Checks a chain against every law for chains:
  ///
  /// - The first decided verdict wins, and no strategy after it is asked.
  /// - Without a decision the verdict is the undecided one.
  /// - The trace lists the strategies that were asked.
  /// - Without an object the verdict is invalid, and no strategy is asked.
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

  /// Asks the chain, and returns the number of times that it asked each of its strategies.
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

extension StrategyLaws {
  /// Checks a chain whose strategies may wait against the laws of ``check(_:)-(Chain<Subject>)``.
  public func check(_ chain: AsyncChain<Subject>) async -> [LawViolation] {
    var found: [LawViolation] = []
    for (subject, context) in samples {
      var opinions: [Opinion] = []
      for strategy in chain.strategies {
        opinions.append(await strategy.judge(subject, in: context))
      }
      let expected = Expectation(
        opinions, names: chain.strategies.map(\.name), undecided: chain.undecided ?? .invalid)
      let judged = await counting(chain) { await $0.judge(subject, in: context) }
      found += violations(judged: judged.judgement, asked: judged.asked, against: expected)
      let explained = await counting(chain) { await $0.explain(subject, in: context) }
      found += violations(explained: explained.judgement, asked: explained.asked, against: expected)
    }
    for context in contexts {
      let absent = await counting(chain) { await $0.judge(nil, in: context) }
      found += violations(ofAbsence: absent.judgement, asked: absent.asked)
    }
    return found
  }

  private func counting(
    _ chain: AsyncChain<Subject>, _ question: (AsyncChain<Subject>) async -> Judgement
  ) async -> (judgement: Judgement, asked: [Int]) {
    let counted = chain.strategies.map(CountedAsyncStrategy.init)
    let judgement = await question(
      AsyncChain(counted.map { AnyAsyncStrategy($0) }, undecided: chain.undecided))
    return (judgement, counted.map(\.timesAsked))
  }
}

extension StrategyLaws {
  /// The answer required of a chain, derived only from its strategies' answers.
  struct Expectation {
    let opinions: [Opinion]
    let names: [String]
    let decider: Int?
    let undecided: Verdict

    init(_ opinions: [Opinion], names: [String], undecided: Verdict) {
      self.opinions = opinions
      self.names = names
      self.undecided = undecided
      decider = opinions.firstIndex { $0.verdict != .unknown }
    }

    var opinion: Opinion { decider.map { opinions[$0] } ?? Opinion(undecided, .undecided) }
    var decidedBy: String? { decider.map { names[$0] } }
    var askedNames: [String] { Array(names.prefix(askedCount)) }
    var askedOpinions: [Opinion] { Array(opinions.prefix(askedCount)) }
    private var askedCount: Int { decider.map { $0 + 1 } ?? opinions.count }
    /// The number of times that each strategy is asked.
    var timesAsked: [Int] { opinions.indices.map { $0 < askedCount ? 1 : 0 } }
  }
}

/// Forwards every call and counts it.
final class CountedStrategy<Subject>: Strategy {
  private let base: AnyStrategy<Subject>
  private let asked = Atomic(0)

  init(_ base: AnyStrategy<Subject>) {
    self.base = base
  }

  var name: String { base.name }

  var timesAsked: Int { asked.load(ordering: .sequentiallyConsistent) }

  func judge(_ subject: Subject, in context: JudgementContext) -> Opinion {
    asked.add(1, ordering: .sequentiallyConsistent)
    return base.judge(subject, in: context)
  }

  func explain(_ subject: Subject, in context: JudgementContext) -> Judgement.Step {
    asked.add(1, ordering: .sequentiallyConsistent)
    return base.explain(subject, in: context)
  }
}

/// Forwards every call and counts it.
final class CountedAsyncStrategy<Subject>: AsyncStrategy {
  private let base: AnyAsyncStrategy<Subject>
  private let asked = Atomic(0)

  init(_ base: AnyAsyncStrategy<Subject>) {
    self.base = base
  }

  var name: String { base.name }

  var timesAsked: Int { asked.load(ordering: .sequentiallyConsistent) }

  func judge(_ subject: Subject, in context: JudgementContext) async -> Opinion {
    asked.add(1, ordering: .sequentiallyConsistent)
    return await base.judge(subject, in: context)
  }

  func explain(_ subject: Subject, in context: JudgementContext) async -> Judgement.Step {
    asked.add(1, ordering: .sequentiallyConsistent)
    return await base.explain(subject, in: context)
  }
}
