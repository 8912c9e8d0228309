import FreshStoreTesting
import Synchronization
import Testing

@testable import Strategies

@Suite struct StrategyLawsTests {
  private static let subjects: [Article] = [
    Article(), .aged(.milliseconds(4_999)), .aged(.seconds(5)), .aged(.seconds(86_400)),
    .aged(.seconds(-1)), .aged(.seconds(-60)), Article(lastUpdate: nil),
    .aged(.seconds(1), expiry: .never), .aged(.zero, expiry: .immediately),
    .aged(.zero, expiry: .unstated), Article(invalidation: "recalled"),
    Article(isDeclaredValid: true), Article(version: 2),
  ]

  private static let laws = StrategyLaws<Article>(
    subjects: subjects,
    contexts: [
      .test, JudgementContext(now: Timestamp.test.advanced(by: .seconds(3_600))),
      JudgementContext(now: .test, reachability: .ignore),
      JudgementContext(now: .test, reachability: .assume(.offline("assumed"))),
      JudgementContext(now: Timestamp(millisecondsSinceEpoch: .min)),
      JudgementContext(now: Timestamp(millisecondsSinceEpoch: .max)),
    ])

  private static let strategies: [AnyStrategy<Article>] = [
    .default(), .timestamp(), .timestamp(allowedSkew: .seconds(60), bound: .inclusive),
    .reachability(.fixed(.offline("unplugged"))), .reachability(.fixed(.online)), .invalidation(),
    .validation(), .maxAge(.seconds(10)), .deadline(.test), .version(2),
    .all(.timestamp(), .version(1)),
    .any(.validation(), .timestamp()), .not(.timestamp()), .all(), .any(),
    .asking("closure") { article, _ in article.version == 1 ? .valid(.always) : .unknown(.always) },
    .chain([.invalidation(), .timestamp()]),
  ]

  @Test(arguments: strategies.indices)
  func `every strategy of the package keeps the laws`(index: Int) {
    #expect(Self.laws.check(Self.strategies[index]) == [])
  }

  @Test(arguments: [Verdict.valid, .invalid, .unknown])
  func `every chain keeps the laws`(undecided: Verdict) async {
    for count in 0...4 {
      let chain = Chain(Array(Self.strategies.dropFirst().prefix(count)), undecided: undecided)
      #expect(Self.laws.check(chain) == [])
      let async = AsyncChain(chain.strategies.map { .sync($0) }, undecided: undecided)
      #expect(await Self.laws.check(async) == [])
    }
    let combined = Chain(Array(Self.strategies.dropFirst(5)), undecided: undecided)
    #expect(Self.laws.check(combined) == [])
  }

  @Test(arguments: [0, 1, 2, 3])
  func `the strategies of age never revive an object as time passes`(index: Int) {
    let aging: [AnyStrategy<Article>] = [
      .timestamp(allowedSkew: .seconds(86_400)),
      .maxAge(.seconds(10), allowedSkew: .seconds(86_400)),
      .deadline(.test.advanced(by: .seconds(7))), .any(.validation(), .deadline(.test)),
    ]
    let moments = (-10...20).map { Timestamp.test.advanced(by: .seconds($0)) }
    #expect(Self.laws.checkAging(of: aging[index], at: moments) == [])
  }

  @Test(arguments: strategies.indices)
  func `no verdict changes by time alone before the moment that its strategy names`(index: Int) {
    let strategy = Self.strategies[index]
    let moments = (-70...70).map { Timestamp.test.advanced(by: .milliseconds($0 * 1000 + 1)) }
    for subject in Self.subjects {
      for (place, moment) in moments.enumerated() {
        let context = JudgementContext(now: moment)
        let next = strategy.nextChange(of: subject, in: context)
        let verdict = strategy.judge(subject, in: context).verdict
        let later = moments[place...].prefix { later in next.map { later < $0 } ?? true }
        #expect(next.map { $0 > moment } ?? true)
        #expect(
          later.allSatisfy {
            strategy.judge(subject, in: JudgementContext(now: $0)).verdict == verdict
          })
      }
    }
  }

  @Test func `a chain names the earliest moment of its strategies`() {
    let chain: Chain<Article> = [
      .validation(), .maxAge(.seconds(10)), .chain([.deadline(.test.advanced(by: .seconds(7)))]),
    ]
    let next = { (seconds: Int) in
      chain.nextChange(
        of: .aged(.zero, expiry: .never),
        in: JudgementContext(now: .test.advanced(by: .seconds(seconds))))
    }
    #expect(next(0) == .test.advanced(by: .seconds(7)))
    #expect(next(7) == .test.advanced(by: .seconds(10)))
    #expect(next(10) == nil)
  }

  @Test func `an answer that changes is detected`() {
    let toggle = Toggle()
    let fickle = ClosureStrategy<Article>("fickle") { _, _ in
      toggle.flip() ? .valid(.always) : .invalid(.always)
    }
    let found = StrategyLaws(subjects: [Article()], contexts: [.test]).checkPurity(of: fickle)
    #expect(found.map(\.law) == ["the same question gets the same answer"])
    #expect(found.map(\.checked) == ["fickle"])
  }

  @Test(arguments: ["", "two\nlines"])
  func `a name that is not one line of text is detected`(name: String) {
    let strategy = ClosureStrategy<Article>(name) { _, _ in .valid(.always) }
    #expect(Self.laws.check(strategy).map(\.law) == ["the name is one line of text"])
  }

  @Test func `an explanation that disagrees with the judgement is detected`() {
    struct Liar: Strategy {
      let name = "liar"
      func judge(_ subject: Article, in context: JudgementContext) -> Opinion { .valid(.always) }
      func explain(_ subject: Article, in context: JudgementContext) -> Judgement.Step {
        Judgement.Step(strategy: "saint", opinion: .invalid(.always))
      }
    }
    let laws = StrategyLaws(subjects: [Article()], contexts: [.test])
    #expect(
      laws.check(Liar()).map(\.law) == [
        "explaining agrees with judging", "the explanation bears the name",
      ])
  }

  @Test func `an object that revives is detected`() {
    let laws = StrategyLaws(subjects: [Article()], contexts: [])
    let moments = [Timestamp.test, .test.advanced(by: .seconds(1))]
    let reviving = NotStrategy<Article>(.deadline(.test.advanced(by: .seconds(1))))
    #expect(laws.checkAging(of: reviving, at: moments).count == 1)
  }

  @Test func `a violation is described in one line`() {
    let violation = LawViolation(law: "water is wet", checked: "pool", observation: "it is empty")
    #expect("\(violation)" == "pool: not true that water is wet: it is empty")
  }
}

/// A bit that flips on every read.
private final class Toggle: Sendable {
  private let state = Mutex(false)

  func flip() -> Bool {
    state.withLock {
      $0.toggle()
      return $0
    }
  }
}
