import FreshStoreTesting
import Strategies
import Testing

@Suite struct CombinatorTests {
  private func judge(_ strategy: AnyStrategy<Article>) -> Opinion {
    strategy.judge(Article(), in: .test)
  }

  @Test(arguments: [
    (Verdict.valid, Verdict.valid, Verdict.valid), (.valid, .unknown, .unknown),
    (.unknown, .valid, .unknown), (.unknown, .unknown, .unknown), (.valid, .invalid, .invalid),
    (.invalid, .valid, .invalid), (.unknown, .invalid, .invalid), (.invalid, .unknown, .invalid),
    (.invalid, .invalid, .invalid),
  ])
  func `all: Kleene's conjunction`(left: Verdict, right: Verdict, verdict: Verdict) {
    #expect(judge(.all(.fixed(left), .fixed(right))).verdict == verdict)
  }

  @Test(arguments: [
    (Verdict.valid, Verdict.valid, Verdict.valid), (.valid, .unknown, .valid),
    (.unknown, .valid, .valid), (.unknown, .unknown, .unknown), (.valid, .invalid, .valid),
    (.invalid, .valid, .valid), (.unknown, .invalid, .unknown), (.invalid, .unknown, .unknown),
    (.invalid, .invalid, .invalid),
  ])
  func `any: Kleene's disjunction`(left: Verdict, right: Verdict, verdict: Verdict) {
    #expect(judge(.any(.fixed(left), .fixed(right))).verdict == verdict)
  }

  @Test(arguments: [
    (Verdict.valid, Verdict.invalid), (.invalid, .valid), (.unknown, .unknown),
  ])
  func `not: swaps valid and invalid and keeps the reason`(base: Verdict, verdict: Verdict) {
    #expect(judge(.not(.fixed(base, named: "base"))) == Opinion(verdict, .custom("base")))
  }

  @Test func `combinators without parts are unknown`() {
    #expect(judge(.all()).verdict == .unknown)
    #expect(judge(.any()).verdict == .unknown)
  }

  @Test func `all stops at the first invalid part and any at the first valid one`() {
    let provider = ScriptedReachability(.offline("unplugged"))
    let asking = AnyStrategy<Article>.reachability(provider)
    #expect(judge(.all(.fixed(.invalid), asking)).verdict == .invalid)
    #expect(judge(.any(.fixed(.valid), asking)).verdict == .valid)
    #expect(provider.timesAsked == 0)
  }

  @Test func `the deciding part gives the reason`() {
    #expect(judge(.all(.fixed(.valid), .fixed(.invalid, named: "b"))).reason == .custom("b"))
    #expect(judge(.any(.fixed(.invalid), .fixed(.valid, named: "b"))).reason == .custom("b"))
    #expect(
      judge(.all(.fixed(.valid), .fixed(.unknown, named: "b"), .fixed(.unknown))).reason
        == .custom("b"))
  }

  @Test func `parts that agree give a combined reason`() {
    #expect(
      judge(.all(.fixed(.valid), .fixed(.valid))) == .valid(.combined("every part is valid")))
    #expect(
      judge(.any(.fixed(.invalid), .fixed(.invalid)))
        == .invalid(.combined("every part is invalid"))
    )
  }

  @Test func `the names show the structure`() {
    let strategy = AnyStrategy<Article>.all(
      .timestamp(), .any(.validation(), .not(.invalidation())))
    #expect(strategy.name == "all(timestamp, any(validation, not(invalidation)))")
  }

  @Test func `the explanation holds exactly the parts that were asked`() {
    let strategy = AnyStrategy<Article>.all(
      .not(.invalidation()), .fixed(.invalid, named: "b"), .fixed(.valid, named: "c"))
    let step = strategy.explain(Article(), in: .test)
    #expect(step.parts.map(\.strategy) == ["not(invalidation)", "b"])
    #expect(step.parts.first?.parts.map(\.strategy) == ["invalidation"])
    #expect(step.opinion == .invalid(.custom("b")))
  }

  @Test func `a closure can be a strategy`() {
    let weekend = AnyStrategy<Article>.asking("weekend") { article, _ in
      article.version == 1 ? .valid(.custom("first edition")) : .unknown(.custom("later edition"))
    }
    #expect(weekend.name == "weekend")
    #expect(judge(weekend) == .valid(.custom("first edition")))
  }

  @Test func `a chain can be a strategy: one that cannot decide leaves it to the next`() {
    let outer: Chain<Article> = [.chain([.fixed(.unknown)]), .fixed(.valid, named: "outer")]
    let judgement = outer.explain(Article(), in: .test)
    #expect(judgement.decidedBy == "outer")
    #expect(judgement.trace.first?.parts.map(\.strategy) == ["fixed"])
    let told = Chain<Article>([.fixed(.unknown)], undecided: .invalid)
    #expect(judge(.chain(told)).verdict == .invalid)
  }

  /// A strategy of one's own, as a program would write it.
  private struct Weekdays: Strategy {
    let name = "weekdays"

    func judge(_ article: Article, in context: JudgementContext) -> Opinion {
      let day = context.now.millisecondsSinceEpoch / 86_400_000 % 7
      return day == 2 || day == 3 ? .valid(.custom("closed")) : .unknown(.custom("open"))
    }
  }

  @Test func `a strategy of one's own stands in a chain as it is`() {
    let chain: Chain<Article> = [Weekdays(), .not(Weekdays()), .timestamp(), .default()]
    let weekend = JudgementContext(now: Timestamp(millisecondsSinceEpoch: 2 * 86_400_000))
    #expect(chain.judge(Article(), in: weekend).decidedBy == "weekdays")
    #expect(chain.judge(Article(), in: .test).decidedBy == "timestamp")
  }
}
