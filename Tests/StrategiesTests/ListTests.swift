import FreshStoreTesting
import Strategies
import Testing

@Suite struct ListTests {
  private static let chain: Chain<Article> = [.invalidation(), .timestamp()]

  @Test func `a list of valid objects is valid`() {
    let judgement = Self.chain.judge(all: [Article(), Article()], whenEmpty: .invalid, in: .test)
    #expect(judgement == ListJudgement(Judgement(.valid(.everyElement(count: 2)), decidedBy: nil)))
  }

  @Test func `the first object that is not valid decides for the list`() {
    let objects = [Article(), .aged(.seconds(6)), Article(invalidation: "recalled")]
    let judgement = Self.chain.judge(all: objects, whenEmpty: .valid, in: .test)
    #expect(judgement.failedAt == 1)
    #expect(judgement.judgement.decidedBy == "timestamp")
    #expect(judgement.verdict == .invalid)
  }

  @Test func `no object is judged after the first one that is not valid`() {
    let provider = ScriptedReachability()
    let chain: Chain<Article> = [.reachability(provider), .timestamp()]
    let objects = [Article(), .aged(.seconds(6)), Article(), Article()]
    #expect(!chain.judge(all: objects, whenEmpty: .valid, in: .test).isValid)
    #expect(provider.timesAsked == 2)
  }

  @Test func `an object the chain leaves unknown does not make a list valid`() {
    let chain = Chain<Article>([.validation()], undecided: .unknown)
    let judgement = chain.judge(all: [Article()], whenEmpty: .valid, in: .test)
    #expect(judgement.verdict == .unknown)
    #expect(!judgement.isValid)
  }

  @Test(arguments: Verdict.allCases)
  func `the caller chooses the verdict on an empty list`(whenEmpty: Verdict) {
    let judgement = Self.chain.judge(all: [], whenEmpty: whenEmpty, in: .test)
    #expect(judgement.verdict == whenEmpty)
    #expect(judgement.reason == .emptyList)
  }
}
