import FreshStoreTesting
import Strategies
import Testing

@Suite struct ChainTests {
  @Test func `the store's default chain reads as a sentence and decides in order`() {
    let provider = ScriptedReachability(.online)
    let chain: Chain<Article> = [
      .reachability(provider), .invalidation(), .timestamp(), .default(),
    ]
    let marked = Article(invalidation: "recalled")
    #expect(chain.judge(marked, in: .test).decidedBy == "invalidation")
    #expect(chain.judge(Article(), in: .test).decidedBy == "timestamp")
    #expect(chain.judge(Article(lastUpdate: nil), in: .test).decidedBy == "default")
    provider.set(.offline("unplugged"))
    #expect(chain.judge(marked, in: .test).decidedBy == "reachability")
  }

  @Test(arguments: Verdict.allCases)
  func `an undecided chain gives the verdict it was built with`(undecided: Verdict) {
    for strategies in [[], [AnyStrategy<Article>.fixed(.unknown)]] {
      let judgement = Chain(strategies, undecided: undecided).judge(Article(), in: .test)
      #expect(judgement == Judgement(Opinion(undecided, .undecided), decidedBy: nil))
    }
  }

  @Test func `the explanation holds every strategy that was asked, in order`() {
    let chain: Chain<Article> = [
      .fixed(.unknown, named: "a"), .fixed(.invalid, named: "b"), .fixed(.valid, named: "c"),
    ]
    let judgement = chain.explain(Article(), in: .test)
    #expect(judgement.trace.map(\.strategy) == ["a", "b"])
    #expect(judgement.decidedBy == "b")
    #expect(judgement.verdict == .invalid)
  }

  @Test func `judging keeps no trace`() {
    let chain: Chain<Article> = [.timestamp(), .default()]
    #expect(chain.judge(Article(), in: .test).trace.isEmpty)
  }
}
