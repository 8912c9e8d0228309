import FreshStoreTesting
import Testing

@testable import Strategies

@Suite struct ReachabilityStrategyTests {
  private static let expired = Article.aged(.seconds(86_400))

  @Test func `a proof of being offline is valid`() {
    let strategy = ReachabilityStrategy<Article, _>(.fixed(.offline("ENETUNREACH")))
    #expect(
      strategy.judge(Self.expired, in: .test)
        == .valid(.reachability(.offline("ENETUNREACH"))))
  }

  @Test(arguments: [
    Reachability.online, .validated, .suspected("three time-outs"), .unknown("EPERM"),
  ])
  func `every grade but a proof of being offline is unknown`(state: Reachability) {
    let strategy = ReachabilityStrategy<Article, _>(.fixed(state))
    #expect(strategy.judge(Self.expired, in: .test) == .unknown(.reachability(state)))
    #expect(!state.isProvablyOffline)
  }

  @Test func `the provider is asked once for each judgement`() {
    let provider = ScriptedReachability(.offline("unplugged"))
    let strategy = ReachabilityStrategy<Article, _>(provider)
    #expect(strategy.judge(Self.expired, in: .test).verdict == .valid)
    #expect(provider.timesAsked == 1)
    provider.set(.online)
    #expect(strategy.judge(Self.expired, in: .test).verdict == .unknown)
    #expect(provider.timesAsked == 2)
  }

  @Test func `ignored reachability abstains and asks no provider`() {
    let provider = ScriptedReachability(.offline("unplugged"))
    let context = JudgementContext(now: .test, reachability: .ignore)
    let opinion = ReachabilityStrategy(provider).judge(Self.expired, in: context)
    #expect(opinion == .unknown(.reachabilityIgnored))
    #expect(provider.timesAsked == 0)
  }

  @Test(arguments: [(Reachability.offline("told so"), Verdict.valid), (.online, .unknown)])
  func `assumed reachability is taken as it is, and no provider is asked`(
    assumed: Reachability, verdict: Verdict
  ) {
    let provider = ScriptedReachability(.offline("unplugged"))
    let context = JudgementContext(now: .test, reachability: .assume(assumed))
    let opinion = ReachabilityStrategy(provider).judge(Self.expired, in: context)
    #expect(opinion == Opinion(verdict, .reachability(assumed)))
    #expect(provider.timesAsked == 0)
  }

  @Test func `a closure can be the provider`() {
    let chains: [Chain<Article>] = [
      [.reachability { .offline("the program knows") }],
      [.reachability(.asking { @Sendable in .offline("the program knows") })],
    ]
    for chain in chains {
      #expect(chain.judge(Self.expired, in: .test).isValid)
    }
  }

  @Test(arguments: [
    (Reachability.online, Reachability.validated), (.unknown("EPERM"), .validated),
    (.offline("unplugged"), .offline("unplugged")),
  ])
  func `evidence replaces the provider's answer, unless that is a proof`(
    answer: Reachability, told: Reachability
  ) {
    let strategy = AnyStrategy<Article>.reachability(.fixed(answer))
    let context = JudgementContext(now: .test, evidence: .validated)
    #expect(strategy.judge(Article(), in: context).reason == .reachability(told))
  }
}
