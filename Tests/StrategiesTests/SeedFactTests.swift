import Foundation
import FreshStoreTesting
import Strategies
import Testing

/// The decisions of the libraries that this package grew from; where the package decides otherwise, the
/// name says so.
@Suite struct SeedFactTests {
  private static let timestampOnly: Chain<Article> = [.timestamp(), .default()]
  private static let day = Duration.seconds(86_400)
  private static let hour = Duration.seconds(3_600)

  private func verdict(
    _ article: Article?, by strategies: AnyStrategy<Article>...
  ) -> Verdict {
    Chain(strategies).judge(article, in: .test).verdict
  }

  private func onNewThread(_ body: @escaping @Sendable () -> Verdict) async -> Verdict {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: body()) }
    }
  }

  @Test func `V-S01: no object is not valid and no strategy is consulted`() {
    let provider = ScriptedReachability(.offline("unplugged"))
    #expect(verdict(nil, by: .reachability(provider), .default()) == .invalid)
    #expect(provider.timesAsked == 0)
  }

  @Test func `V-S02: an empty chain is not valid`() {
    let chain: Chain<Article> = []
    #expect(chain.judge(Article(), in: .test) == Judgement(.invalid(.undecided), decidedBy: nil))
  }

  @Test func `V-S03: all strategies unknown is not valid`() {
    let chain: Chain<Article> = [.invalidation(), .validation()]
    #expect(chain.judge(Article(), in: .test) == Judgement(.invalid(.undecided), decidedBy: nil))
  }

  @Test(arguments: [Verdict.valid, .invalid])
  func `V-S04: after the first decided verdict no later strategy is called`(decided: Verdict) {
    let provider = ScriptedReachability()
    #expect(verdict(Article(), by: .fixed(decided), .reachability(provider)) == decided)
    #expect(provider.timesAsked == 0)
  }

  @Test func `V-S05: age equal to the expiry is invalid`() {
    #expect(verdict(.aged(.seconds(5)), by: .timestamp()) == .invalid)
    #expect(verdict(.aged(.milliseconds(4_999)), by: .timestamp()) == .valid)
  }

  @Test func `V-S06, decided otherwise: a clock set back does not make objects immortal`() {
    #expect(verdict(.aged(.zero - Self.hour), by: .timestamp()) == .invalid)
    #expect(verdict(.aged(.seconds(-1)), by: .timestamp()) == .valid)
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .seconds(-86_400)])
  func `V-S07: an expiry of zero or less is invalid, also for a future date`(expiry: Duration) {
    for age in [Duration.zero, .seconds(60), .seconds(-5), .seconds(-90_000)] {
      #expect(verdict(.aged(age, expiry: .after(expiry)), by: .timestamp()) == .invalid)
    }
  }

  @Test
  func `V-S08: an object with an infinite expiry is valid, and an expiry is never NaN`() {
    #expect(verdict(.aged(Self.day * 36_500, expiry: .never), by: .timestamp()) == .valid)
  }

  @Test func `V-S09: no date is unknown whatever the expiry`() {
    for expiry in [Expiry.after(.seconds(5)), .never, .immediately, .unstated] {
      let article = Article(lastUpdate: nil, expiry: expiry)
      #expect(TimestampStrategy().judge(article, in: .test).verdict == .unknown)
    }
  }

  @Test func `V-S10: offline is valid even for a long expired object`() {
    #expect(
      verdict(.aged(Self.day * 365), by: .reachability(.fixed(.offline("none"))), .timestamp())
        == .valid)
  }

  @Test func `V-S11: online leaves the decision to the next strategy`() {
    #expect(
      verdict(.aged(.seconds(6)), by: .reachability(.fixed(.online)), .timestamp()) == .invalid)
    #expect(verdict(.aged(.seconds(4)), by: .reachability(.fixed(.online)), .timestamp()) == .valid)
  }

  @Test func `V-S12: an object that does not say it is invalid is unknown, never valid`() {
    #expect(InvalidationStrategy().judge(Article(), in: .test).verdict == .unknown)
  }

  @Test func `V-S13: the age is compared with the expiry, not the date with the future`() {
    let article = Article.aged(.seconds(6))
    #expect(article.lastUpdate.map { $0 < Timestamp.test.advanced(by: .seconds(5)) } == true)
    #expect(verdict(article, by: .timestamp()) == .invalid)
  }

  @Test func `V-S14, decided otherwise: a strategy asks only for the data it needs`() {
    struct Dated: Timestamped {
      let lastUpdate: Timestamp? = .test
      let expiry = Expiry.after(.seconds(5))
    }
    let dated: Chain<Dated> = [.reachability(.fixed(.online)), .timestamp()]
    let bare: Chain<Int> = [.reachability(.fixed(.online)), .deadline(.test), .default()]
    #expect(dated.judge(Dated(), in: .test).decidedBy == "timestamp")
    #expect(bare.judge(7, in: .test).decidedBy == "deadline")
  }

  @Test(arguments: [
    (Reachability.offline("none"), Article.aged(.seconds(6)), Verdict.valid),
    (.online, .aged(.seconds(4)), .valid), (.online, .aged(.seconds(6)), .invalid),
    (.online, Article(lastUpdate: nil), .valid),
  ])
  func `V-S15: offline is fine, else fresh is fine and stale is not, else no date is fine`(
    state: Reachability, article: Article, expected: Verdict
  ) {
    #expect(
      verdict(article, by: .reachability(.fixed(state)), .timestamp(), .default()) == expected)
  }

  @Test(arguments: [("V-01", Duration.zero, Verdict.valid), ("V-02", .seconds(6), .invalid)])
  func `V-01, V-02: the sample program's chain`(
    fact: String, age: Duration, expected: Verdict
  ) {
    let online = AnyStrategy<Article>.reachability(.fixed(.online))
    #expect(verdict(.aged(age), by: online, .timestamp(), .default()) == expected, "\(fact)")
  }

  @Test(arguments: [
    ("V-03", hour * 3, hour * 24, Verdict.valid), ("V-04", hour * 26, hour * 24, .invalid),
    ("V-05", .seconds(3), .seconds(5), .valid), ("V-06", .seconds(6), .seconds(5), .invalid),
    ("V-07", day, day * 24, .valid), ("V-08", day * 28, day * 24, .invalid),
  ])
  func `V-03 to V-08: age against expiry`(
    fact: String, age: Duration, expiry: Duration, expected: Verdict
  ) {
    let judgement = Self.timestampOnly.judge(.aged(age, expiry: .after(expiry)), in: .test)
    #expect(judgement.verdict == expected, "\(fact)")
  }

  @Test func `V-09: an object flagged invalid is not valid`() {
    #expect(verdict(Article(invalidation: "flagged"), by: .invalidation(), .default()) == .invalid)
  }

  @Test func `V-10: an object not flagged is valid by the default strategy`() {
    #expect(verdict(Article(), by: .invalidation(), .default()) == .valid)
  }

  @Test func `V-17, V-18: a closure is valid on the thread it was given and unknown on another`()
    async
  {
    let strategy = AnyStrategy<Article>.asking("thread") { _, _ in
      let isHome = Thread.current.threadDictionary["home"] != nil
      return Opinion(isHome ? .valid : .unknown, .custom("thread"))
    }
    let onItsThread = await onNewThread {
      Thread.current.threadDictionary["home"] = true
      return strategy.judge(Article(), in: .test).verdict
    }
    let onAnother = await onNewThread { strategy.judge(Article(), in: .test).verdict }
    #expect(onItsThread == .valid)
    #expect(onAnother == .unknown)
  }

  @Test(arguments: [
    (Article(lastUpdate: nil), Verdict.unknown), (.aged(.zero), .valid),
    (.aged(.seconds(6)), .invalid),
  ])
  func `H-S01: no date is unknown, fresh is valid, 6 s with an expiry of 5 s is invalid`(
    article: Article, expected: Verdict
  ) {
    #expect(TimestampStrategy().judge(article, in: .test).verdict == expected)
  }

  @Test
  func `H-S02: an expiry of zero or less is invalid; decided otherwise: so is the far future`() {
    #expect(verdict(.aged(.zero, expiry: .after(.zero)), by: .timestamp()) == .invalid)
    #expect(verdict(.aged(.zero, expiry: .after(.seconds(-1))), by: .timestamp()) == .invalid)
    #expect(verdict(.aged(.zero - Self.hour), by: .timestamp()) == .invalid)
  }

  @Test func `H-S03: their never is our immediately: invalid with a date, unknown without`() {
    #expect(verdict(.aged(.zero, expiry: .immediately), by: .timestamp()) == .invalid)
    let undated = Article(lastUpdate: nil, expiry: .immediately)
    #expect(TimestampStrategy().judge(undated, in: .test).verdict == .unknown)
  }

  @Test(arguments: [Verdict.invalid, .valid])
  func `H-S04: a chain without strategies gives its default; an empty list does not`(
    undecided: Verdict
  ) {
    let chain = Chain<Article>([], undecided: undecided)
    #expect(chain.judge(Article(), in: .test).verdict == undecided)
    #expect(!chain.judge(all: [], whenEmpty: .invalid, in: .test).isValid)
  }

  @Test func `H-S05: the default strategy finds any object valid; an empty list is the caller's`() {
    let chain: Chain<Article> = [.default()]
    #expect(chain.judge(.aged(Self.day * 365), in: .test).isValid)
    #expect(!chain.judge(all: [], whenEmpty: .invalid, in: .test).isValid)
    #expect(chain.judge(all: [], whenEmpty: .valid, in: .test).isValid)
  }
}
