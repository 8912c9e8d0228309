import Strategies
import Testing

@Suite struct DescriptionTests {
  private static let everyReason: [(Reason, code: String, text: String)] = [
    (.always, "always", "the same for every object"),
    (.noObject, "no-object", "there is no object"),
    (.undecided, "undecided", "no strategy decided"),
    (.age(.seconds(3), expiry: .seconds(5)), "age", "age 3 s is below the expiry of 5 s"),
    (.age(.seconds(5), expiry: .seconds(5)), "age", "age 5 s equals the expiry of 5 s"),
    (.age(.seconds(6), expiry: .seconds(5)), "age", "age 6 s is past the expiry of 5 s"),
    (.neverExpires, "never-expires", "it never expires"),
    (.expiresImmediately, "expires-immediately", "it expires at once"),
    (.noLastUpdate, "no-last-update", "its last update is not known"),
    (.noExpiry, "no-expiry", "its expiry is not stated"),
    (
      .lastUpdateInFuture(by: .seconds(60), allowed: .seconds(5)), "last-update-in-future",
      "its last update lies 1 min in the future, 5 s is allowed"
    ),
    (
      .maximumAge(.seconds(9), limit: .seconds(10)), "maximum-age",
      "age 9 s is below the limit of 10 s"
    ),
    (.deadline(remaining: .seconds(4)), "deadline", "4 s left until the deadline"),
    (.deadline(remaining: .seconds(-4)), "deadline", "the deadline passed 4 s ago"),
    (.deadline(remaining: .zero), "deadline", "the deadline passed 0 s ago"),
    (.version(found: "2", required: "2"), "version", "version 2, as required"),
    (.version(found: "1", required: "2"), "version", "version 1, required 2"),
    (.reachability(.offline("ENETUNREACH")), "offline", "offline: ENETUNREACH"),
    (.reachability(.online), "online", "there is a route to the source"),
    (.reachability(.validated), "validated", "a recent fetch succeeded"),
    (.reachability(.suspected("time-out")), "suspected", "recent fetches failed: time-out"),
    (
      .reachability(.unknown("EPERM")), "reachability-unknown", "reachability is not known: EPERM"
    ),
    (.reachabilityIgnored, "reachability-ignored", "reachability was left out"),
    (.marked("recalled"), "marked", "marked: recalled"),
    (.notMarked, "not-marked", "it is not marked"),
    (.declaredValid, "declared-valid", "its owner declares it valid"),
    (.notDeclared, "not-declared", "its owner does not declare it valid"),
    (.combined("every part is valid"), "combined", "every part is valid"),
    (.everyElement(count: 1), "every-element", "the one object is valid"),
    (.everyElement(count: 3), "every-element", "all 3 are valid"),
    (.emptyList, "empty-list", "the list is empty"),
    (.custom("a quiet Sunday"), "custom", "a quiet Sunday"),
  ]

  @Test(arguments: everyReason.indices)
  func `every reason has a stable code and states its figures in plain English`(index: Int) {
    let (reason, code, text) = Self.everyReason[index]
    #expect(reason.code == code)
    #expect(reason.description == text)
  }

  @Test func `an opinion is its verdict and its reason`() {
    let opinion = Opinion.invalid(.age(.seconds(6), expiry: .seconds(5)))
    #expect("\(opinion)" == "invalid: age 6 s is past the expiry of 5 s")
  }

  @Test func `a judgement names the strategy that decided`() {
    let chain: Chain<Article> = [.invalidation(), .timestamp()]
    #expect(
      "\(chain.judge(.aged(.seconds(3)), in: .test))"
        == "valid: timestamp: age 3 s is below the expiry of 5 s")
  }

  @Test func `a judgement without a deciding strategy gives its reason alone`() {
    let chain: Chain<Article> = [.validation()]
    #expect("\(chain.judge(Article(), in: .test))" == "invalid: no strategy decided")
  }

  @Test func `an explained judgement has a line for each step and indents the parts`() {
    let chain: Chain<Article> = [
      .reachability(.fixed(.online)), .all(.not(.invalidation()), .timestamp()), .timestamp(),
    ]
    #expect(
      "\(chain.explain(.aged(.seconds(3)), in: .test))" == """
        valid: timestamp: age 3 s is below the expiry of 5 s
          reachability: unknown: there is a route to the source
          all(not(invalidation), timestamp): unknown: it is not marked
            not(invalidation): unknown: it is not marked
              invalidation: unknown: it is not marked
            timestamp: valid: age 3 s is below the expiry of 5 s
          timestamp: valid: age 3 s is below the expiry of 5 s
        """)
  }

  @Test func `a list's judgement states the position of the deciding element`() {
    let chain: Chain<Article> = [.timestamp()]
    let judgement = chain.judge(
      all: [Article(), .aged(.seconds(6))], whenEmpty: .valid, in: .test)
    #expect(
      "\(judgement)" == "element 1: invalid: timestamp: age 6 s is past the expiry of 5 s")
    let fresh = chain.judge(all: [Article()], whenEmpty: .valid, in: .test)
    #expect("\(fresh)" == "valid: the one object is valid")
  }
}
