import FreshStoreTesting
import Strategies
import Testing

@Suite struct AsyncChainTests {
  @Test(arguments: [
    ([Verdict.valid, .invalid], String?("0"), Verdict.valid),
    ([.unknown, .invalid, .valid], "1", .invalid),
    ([.unknown, .unknown], nil, .invalid), ([], nil, .invalid),
  ])
  func `the first decided verdict wins`(
    verdicts: [Verdict], decidedBy: String?, verdict: Verdict
  ) async {
    let chain = AsyncChain<Article>(
      verdicts.enumerated().map { .fixed($0.element, named: "\($0.offset)") })
    let judgement = await chain.judge(Article(), in: .test)
    #expect(judgement.decidedBy == decidedBy)
    #expect(judgement.verdict == verdict)
  }

  @Test func `nothing is asked after the decision`() async {
    let provider = ScriptedReachability()
    let chain: AsyncChain<Article> = [.fixed(.valid), .sync(.reachability(provider))]
    #expect(await chain.judge(Article(), in: .test).isValid)
    #expect(await chain.explain(Article(), in: .test).trace.map(\.strategy) == ["fixed"])
    #expect(provider.timesAsked == 0)
  }

  @Test func `strategies that never wait can be mixed with strategies that do`() async {
    let chain: AsyncChain<Article> = [.fixed(.unknown, named: "waits"), .sync(.timestamp())]
    let judgement = await chain.explain(.aged(.seconds(6)), in: .test)
    #expect(judgement.trace.map(\.strategy) == ["waits", "timestamp"])
    #expect(judgement.verdict == .invalid)
  }

  @Test func `an adapted combinator keeps its parts in the explanation`() async {
    let chain: AsyncChain<Article> = [.sync(.not(.timestamp()))]
    let judgement = await chain.explain(Article(), in: .test)
    #expect(judgement.trace.first?.parts.map(\.strategy) == ["timestamp"])
  }

  @Test func `a missing object is invalid and no strategy is asked`() async {
    let provider = ScriptedReachability(.offline("unplugged"))
    let chain: AsyncChain<Article> = [.sync(.reachability(provider))]
    let judgement = await chain.judge(nil, in: .test)
    #expect(judgement == Judgement(.invalid(.noObject), decidedBy: nil))
    #expect(provider.timesAsked == 0)
  }

  @Test func `a list is valid only when every object is valid`() async {
    let chain: AsyncChain<Article> = [.fixed(.unknown), .sync(.timestamp())]
    let fresh = await chain.judge(all: [Article(), Article()], whenEmpty: .invalid, in: .test)
    #expect(fresh.reason == .everyElement(count: 2))
    let mixed = [Article(), .aged(.seconds(6)), Article()]
    #expect(await chain.judge(all: mixed, whenEmpty: .valid, in: .test).failedAt == 1)
    #expect(await chain.judge(all: [], whenEmpty: .valid, in: .test).isValid)
    #expect(await !chain.judge(all: [], whenEmpty: .invalid, in: .test).isValid)
  }
}
