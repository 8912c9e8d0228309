import Testing

@testable import Strategies

@Suite struct BoundStrategyTests {
  @Test(arguments: [
    (Duration.milliseconds(9_999), Verdict.valid), (.seconds(10), .invalid),
    (.seconds(11), .invalid), (.seconds(-5), .valid), (.milliseconds(-5_001), .invalid),
  ])
  func `maxAge: valid exactly while the age is below the limit, whatever the expiry`(
    age: Duration, verdict: Verdict
  ) {
    for expiry in [Expiry.never, .immediately, .unstated, .after(.seconds(1))] {
      let article = Article.aged(age, expiry: expiry)
      #expect(MaximumAgeStrategy(.seconds(10)).judge(article, in: .test).verdict == verdict)
    }
  }

  @Test func `maxAge: unknown without a last update`() {
    let opinion = MaximumAgeStrategy(.seconds(10)).judge(Article(lastUpdate: nil), in: .test)
    #expect(opinion == .unknown(.noLastUpdate))
  }

  @Test func `maxAge: a limit of zero is never valid`() {
    let opinion = MaximumAgeStrategy(.zero).judge(Article.aged(.zero), in: .test)
    #expect(opinion == .invalid(.maximumAge(.zero, limit: .zero)))
  }

  @Test(arguments: [(Int64(1), Verdict.valid), (0, .invalid), (-1, .invalid)])
  func `deadline: valid before the moment and invalid from it on`(
    remaining: Int64, verdict: Verdict
  ) {
    let strategy = DeadlineStrategy<Article>(.test.advanced(by: .milliseconds(remaining)))
    let reason = Reason.deadline(remaining: .milliseconds(remaining))
    #expect(strategy.judge(Article(lastUpdate: nil), in: .test) == Opinion(verdict, reason))
  }

  @Test func `version: another version is invalid`() {
    let opinion = VersionStrategy(2).judge(Article(version: 1), in: .test)
    #expect(opinion == .invalid(.version(found: "1", required: "2")))
  }

  @Test func `version: the required version leaves the decision to the next strategy`() {
    let opinion = VersionStrategy(2).judge(Article(version: 2), in: .test)
    #expect(opinion == .unknown(.version(found: "2", required: "2")))
  }
}
