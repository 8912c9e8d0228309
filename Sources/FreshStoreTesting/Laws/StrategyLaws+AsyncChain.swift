public import Strategies

extension StrategyLaws {
  /// Checks a chain whose strategies may wait against the laws that ``check(_:)-(Chain<Subject>)``
  /// checks.
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
