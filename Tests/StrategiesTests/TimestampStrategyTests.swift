import Strategies
import Testing

@Suite struct TimestampStrategyTests {
  private func judge(
    _ article: Article, by strategy: TimestampStrategy<Article> = TimestampStrategy()
  ) -> Opinion {
    strategy.judge(article, in: .test)
  }

  @Test(arguments: [
    (Duration.zero, Verdict.valid), (.milliseconds(4_999), .valid), (.seconds(5), .invalid),
    (.milliseconds(5_001), .invalid), (.seconds(3_600), .invalid),
  ])
  func `an object is valid exactly while its age is below the expiry`(
    age: Duration, verdict: Verdict
  ) {
    #expect(judge(.aged(age)) == Opinion(verdict, .age(age, expiry: .seconds(5))))
  }

  @Test(arguments: [
    (Duration.milliseconds(4_999), Verdict.valid), (.seconds(5), .valid),
    (.milliseconds(5_001), .invalid),
  ])
  func `with the inclusive bound an age equal to the expiry is still valid`(
    age: Duration, verdict: Verdict
  ) {
    #expect(judge(.aged(age), by: TimestampStrategy(bound: .inclusive)).verdict == verdict)
  }

  @Test(arguments: Expiry.Bound.allCases)
  func `an expiry of zero is invalid under either bound`(bound: Expiry.Bound) {
    let opinion = judge(
      .aged(.zero, expiry: .after(.zero)), by: TimestampStrategy(bound: bound))
    #expect(opinion == .invalid(.expiresImmediately))
  }

  @Test func `a last update up to the skew in the future counts as age zero`() {
    let opinion = judge(.aged(.seconds(-5)))
    #expect(opinion == .valid(.age(.zero, expiry: .seconds(5))))
  }

  @Test func `a last update more than the skew in the future is invalid`() {
    let opinion = judge(.aged(.milliseconds(-5_001)))
    let reason = Reason.lastUpdateInFuture(by: .milliseconds(5_001), allowed: .seconds(5))
    #expect(opinion == .invalid(reason))
  }

  @Test func `the caller sets the allowed skew`() {
    let article = Article.aged(.seconds(-60))
    #expect(judge(article, by: TimestampStrategy(allowedSkew: .seconds(60))).verdict == .valid)
    #expect(judge(article, by: TimestampStrategy(allowedSkew: .seconds(59))).verdict == .invalid)
  }

  @Test func `a negative skew reads as zero`() {
    let strategy = TimestampStrategy<Article>(allowedSkew: .seconds(-5))
    #expect(strategy.allowedSkew == .zero)
    #expect(judge(.aged(.zero), by: strategy).verdict == .valid)
    #expect(judge(.aged(.milliseconds(-1)), by: strategy).verdict == .invalid)
  }

  @Test(arguments: [Expiry.after(.seconds(5)), .never, .immediately, .unstated])
  func `without a last update the answer is unknown whatever the expiry`(expiry: Expiry) {
    #expect(judge(Article(lastUpdate: nil, expiry: expiry)) == .unknown(.noLastUpdate))
  }

  @Test(arguments: [Duration.zero, .seconds(86_400), .seconds(-86_400)])
  func `an unstated expiry is unknown at every age`(age: Duration) {
    #expect(judge(.aged(age, expiry: .unstated)) == .unknown(.noExpiry))
  }

  @Test func `an object that never expires is valid at every age`() {
    #expect(judge(.aged(.seconds(3_000_000_000), expiry: .never)) == .valid(.neverExpires))
  }

  @Test func `an object that never expires is invalid when its last update cannot be true`() {
    #expect(judge(.aged(.seconds(-6), expiry: .never)).verdict == .invalid)
  }

  @Test func `an object that expires immediately is invalid at age zero`() {
    #expect(judge(.aged(.zero, expiry: .immediately)) == .invalid(.expiresImmediately))
  }

  @Test(arguments: [Int64.min, .max])
  func `an absurd timestamp is judged without a trap`(milliseconds: Int64) {
    let article = Article(lastUpdate: Timestamp(millisecondsSinceEpoch: milliseconds))
    #expect(judge(article).verdict == .invalid)
  }
}
