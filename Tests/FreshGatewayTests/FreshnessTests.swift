internal import FreshHTTP
internal import Testing

@testable import FreshGateway

@Suite struct FreshnessTests {
  @Test(arguments: [
    ("Cache-Control: max-age=60", 60), ("Cache-Control: max-age=60, s-maxage=10", 10),
    ("Cache-Control: s-maxage=90, max-age=60", 90),
    ("Cache-Control: max-age=60 | Expires: \(date(5))", 60),
    ("Cache-Control: s-maxage=x, max-age=60", 0),
    ("Cache-Control: max-age=60, max-age=60", 60),
    ("Cache-Control: max-age=60, max-age=61", 0), ("Cache-Control: max-age='60'", 0),
    ("Cache-Control: max-age= 60", 0), ("Cache-Control: max-age=60s", 0),
    ("Expires: \(date(60)) | Date: \(date(0))", 60), ("Expires: 0", 0),
    ("Expires: \(date(60)) | Expires: \(date(90)) | Date: \(date(0))", 0),
    ("Expires: \(date(60)) | Date: \(date(0)) | Date: \(date(20))", 40),
    ("Date: \(date(0)) | Last-Modified: \(date(-600))", 60),
    ("CDN-Cache-Control: max-age=7 | Cache-Control: s-maxage=60", 7),
    ("CDN-Cache-Control: public | Expires: \(date(60)) | Last-Modified: \(date(-100))", 10),
    ("Surrogate-Control: max-age=8 | Cache-Control: no-store", 8),
    ("Cache-Control: max-age=99999999999", 2_147_483_648),
  ])
  func `RFC 9111 4.2.1, RFC 9213 2.2: the first rule that applies states the lifetime`(
    text: String, seconds: Int
  ) throws {
    #expect(try stored("\(text) | ETag: \"t\"").terms.lifetime == .seconds(seconds))
  }

  @Test(arguments: [
    ("Cache-Control: max-age=60", 59, "answer 200"),
    ("Cache-Control: max-age=60", 60, "forward stale"),
    ("Expires: \(date(60)) | Date: \(date(0))", 59, "answer 200"),
    ("Expires: \(date(60)) | Date: \(date(0))", 60, "forward stale"),
    ("Expires: \(date(-1)) | Date: \(date(0)) | ETag: \"a\"", 0, "forward stale"),
  ])
  func `RFC 9111 4.2, 5.2.2.1 and 5.3: an answer is fresh while it is younger than its lifetime`(
    text: String, age: Int, expected: String
  ) throws {
    let candidate = try candidate(text, after: age)
    #expect(semantics.decide(try request(), among: [candidate]).summary == expected)
  }

  @Test func `RFC 9111 5.2.3: a directive that is not known changes nothing`() throws {
    let control = "community=\"UCI, max-age=9, no-store\", max-age=60, other"
    let stored = try stored("Cache-Control: \(control)")
    #expect(stored.terms.lifetime == .seconds(60))
    #expect(stored.fields["Cache-Control"] == control)
  }

  @Test func `RFC 9111 5.2.2.10: s-maxage is not for a private cache`() throws {
    let stored = try stored("Cache-Control: s-maxage=90, max-age=60", policy: .personal)
    #expect(stored.terms.lifetime == .seconds(60))
    #expect(!stored.terms.forbidsStale)
  }

  @Test(arguments: [
    ("", 0, 0), ("Age: 10", 0, 10), ("Age: 10", 3, 13), ("Date: \(date(-8))", 0, 8),
    ("Date: \(date(-8))", 3, 8), ("Date: \(date(-8)) | Age: 7", 3, 10), ("Date: \(date(50))", 3, 3),
    ("Age: x", 3, 3), ("Age: -5", 0, 0), ("Age: 10, 0", 0, 10), ("Age: 10 | Age: 0", 0, 10),
    ("Age: 1.5", 0, 0), ("Date: \(date(0)) | Date: \(date(-9))", 0, 9),
  ])
  func `RFC 9111 4.2.3: the age of an answer that comes in, also after long in flight`(
    text: String, delay: Int, seconds: Int
  ) throws {
    let answer = answer("Cache-Control: max-age=60 | \(text)", delay: .seconds(delay))
    let stored = try Storing(policy: GatewayPolicy()).stored(answer, for: request())
    #expect(stored.initialAge == .seconds(seconds))
    #expect(Candidate(stored, residentTime: .seconds(5)).age == .seconds(seconds + 5))
  }

  @Test(arguments: [
    ("", 59, "answer 200"), ("", 60, "forward stale"), ("no-cache", 0, "forward request"),
    ("max-age=10", 10, "answer 200"), ("max-age=10", 11, "forward request"),
    ("max-age=0", 0, "answer 200"), ("max-age=0", 1, "forward request"),
    ("max-age=x", 1, "forward request"), ("min-fresh=10", 50, "answer 200"),
    ("min-fresh=10", 51, "forward request"), ("min-fresh=x", 0, "forward request"),
    ("max-stale", 9999, "answer 200"), ("max-stale=10", 70, "answer 200"),
    ("max-stale=10", 71, "forward stale"), ("max-stale=x", 61, "forward stale"),
    ("max-stale=10, max-age=65", 70, "forward request"), ("only-if-cached", 59, "answer 200"),
    ("only-if-cached", 60, "refuse 504"), ("only-if-cached, max-stale", 60, "answer 200"),
    ("no-cache, only-if-cached", 0, "refuse 504"),
  ])
  func `RFC 9111 5.2.1: a request says how fresh its answer has to be`(
    control: String, age: Int, expected: String
  ) throws {
    let candidate = try candidate("Cache-Control: max-age=60", after: age)
    let request = try request(control.isEmpty ? "" : "Cache-Control: \(control)")
    #expect(semantics.decide(request, among: [candidate]).summary == expected)
  }

  @Test(arguments: ["must-revalidate", "proxy-revalidate", "s-maxage=60", "no-cache"])
  func `RFC 9111 4.2.4: some directives forbid a stale answer, whoever would accept it`(
    control: String
  )
    throws
  {
    let text =
      "Cache-Control: max-age=60, stale-while-revalidate=99, stale-if-error=99, \(control) | ETag: \"a\""
    let candidate = try candidate(text, after: 61)
    let request = try request("Cache-Control: max-stale, stale-if-error=99")
    let decision = semantics.decide(request, among: [candidate])
    #expect(decision.summary == "forward stale")
    let plan = try #require(decision.forward)
    #expect(semantics.conclude(plan, without: "it is down").status == 504)
    #expect(semantics.conclude(answer("", 503), to: plan).status == 503)
  }

  @Test func `RFC 9111 5.2.2.2: must-revalidate forbids a stale answer in every cache`() throws {
    for policy in [GatewayPolicy(), .personal] {
      let semantics = CacheSemantics(policy)
      let text = "Cache-Control: max-age=60, must-revalidate"
      let fresh = try candidate(text, after: 59, policy: policy)
      #expect(semantics.decide(try request(), among: [fresh]).summary == "answer 200")
      let stale = try candidate(text, after: 60, policy: policy)
      let asked = try request("Cache-Control: max-stale")
      let plan = try #require(semantics.decide(asked, among: [stale]).forward)
      #expect(semantics.conclude(plan, without: "down").status == 504)
    }
  }

  @Test func `RFC 9111 5.2.2.8: proxy-revalidate does not bind a private cache`() throws {
    let candidate = try candidate(
      "Cache-Control: max-age=60, proxy-revalidate", after: 61, policy: .personal)
    let personal = CacheSemantics(.personal)
    let request = try request("Cache-Control: max-stale")
    #expect(personal.decide(request, among: [candidate]).summary == "answer 200")
  }

  @Test(arguments: [
    (60, "answer 200 and revalidate"), (90, "answer 200 and revalidate"), (91, "forward stale"),
  ])
  func `RFC 5861 3: a stale answer is used while it is renewed`(age: Int, expected: String) throws {
    let candidate = try candidate(
      "Cache-Control: max-age=60, stale-while-revalidate=30 | ETag: \"a\"", after: age)
    let asked = try request("If-None-Match: \"x\" | Cookie: c | Cache-Control: max-age=100")
    let decision = semantics.decide(asked, among: [candidate])
    #expect(decision.summary == expected)
    #expect(decision.forward?.fields["If-None-Match"] == "\"a\"")
    #expect(decision.forward?.fields["Cookie"] == "c")
  }

  @Test(arguments: [
    ("no-store", 59, "answer 200"), ("no-store", 61, "forward stale"),
    ("no-store, max-stale", 61, "answer 200"), ("no-store, only-if-cached", 61, "refuse 504"),
  ])
  func `RFC 9111 5.2.1.5: no copy is renewed in the name of a request with no-store`(
    control: String, age: Int, expected: String
  ) throws {
    let candidate = try candidate(
      "Cache-Control: max-age=60, stale-while-revalidate=30 | ETag: \"a\"", after: age)
    let asked = try request("Cookie: c | Cache-Control: \(control)")
    #expect(semantics.decide(asked, among: [candidate]).summary == expected)
  }

  @Test(arguments: [
    ("max-age=60, stale-if-error=30", 90, 500, 200),
    ("max-age=60, stale-if-error=30", 90, 502, 200),
    ("max-age=60, stale-if-error=30", 90, 503, 200),
    ("max-age=60, stale-if-error=30", 90, 504, 200),
    ("max-age=60, stale-if-error=30", 91, 503, 503),
    ("max-age=60, stale-if-error=30", 61, 404, 404),
    ("max-age=60, stale-if-error=30", 61, 501, 501), ("max-age=60", 61, 500, 200),
    ("max-age=60", 86_460, 503, 200), ("max-age=60", 86_461, 503, 503),
    ("max-age=60", 61, 501, 501),
    ("max-age=60, stale-if-error=0", 61, 500, 500), ("max-age=60, must-revalidate", 61, 500, 500),
  ])
  func `RFC 5861 4: a stale answer stands in for an error`(
    control: String, age: Int, status: Int, expected: Int
  ) throws {
    let candidate = try candidate("Cache-Control: \(control)", after: age)
    let plan = try #require(semantics.decide(try request(), among: [candidate]).forward)
    let conclusion = semantics.conclude(answer("", status), to: plan)
    #expect(conclusion.status == expected)
    if expected == 200 {
      #expect(conclusion.fields["Age"] == "\(age)")
      #expect(conclusion.fields["Cache-Status"]?.contains("fwd-status=\(status)") == true)
    }
  }

  @Test func `RFC 5861 4: a request may allow a stale answer for an error, too`() throws {
    let candidate = try candidate("Cache-Control: max-age=60", after: 70)
    let asked = try request("Cache-Control: stale-if-error=10")
    let plan = try #require(semantics.decide(asked, among: [candidate]).forward)
    #expect(semantics.conclude(answer("", 503), to: plan).status == 200)
  }

  @Test func `RFC 9111 4.2.4: a stale answer stands in for an origin that gives no answer`() throws
  {
    let stale = try candidate("Cache-Control: max-age=60", after: 9999)
    let plan = try #require(semantics.decide(try request(), among: [stale]).forward)
    let conclusion = semantics.conclude(plan, without: "connection refused")
    #expect(conclusion.status == 200)
    #expect(
      conclusion.fields["Cache-Status"]
        == "freshstore; fwd=stale; ttl=-9939; detail=\"connection refused\"")
    let untried = semantics.conclude(plan, without: "no route", wasSent: false)
    #expect(untried.fields["Cache-Status"] == "freshstore; hit; ttl=-9939; detail=\"no route\"")
    // A copy without a lifetime is kept for validation only.
    let unstated = try candidate("ETag: \"a\"")
    let second = try #require(semantics.decide(try request(), among: [unstated]).forward)
    #expect(semantics.conclude(second, without: "down").status == 504)
    let zero = try candidate("Cache-Control: max-age=0 | ETag: \"a\"", after: 1)
    let never = try #require(
      semantics.decide(try request("Cache-Control: max-stale"), among: [zero]).forward)
    #expect(semantics.conclude(never, without: "down").status == 504)
    // Nor may it be used when the request rules it out.
    let third = try #require(
      semantics.decide(try request("Cache-Control: no-cache"), among: [stale]).forward)
    #expect(semantics.conclude(third, without: "down").status == 504)
  }

  @Test(arguments: [
    ("immutable, max-age=60", "max-age=0", 5, "answer 200"),
    ("immutable, max-age=60", "no-cache", 5, "forward request"),
    ("immutable, max-age=60", "max-age=0", 61, "forward request"),
    ("max-age=60", "max-age=0", 5, "forward request"),
  ])
  func `RFC 8246 2: a reload does not ask for what does not change while fresh`(
    stored: String, asked: String, age: Int, expected: String
  ) throws {
    let candidate = try candidate("Cache-Control: \(stored)", after: age)
    let request = try request("Cache-Control: \(asked)")
    #expect(semantics.decide(request, among: [candidate]).summary == expected)
  }

  @Test func `RFC 9111 5.2.2.4: no-cache is asked for every time`() throws {
    let candidate = try candidate("Cache-Control: no-cache, max-age=60 | ETag: \"a\"")
    #expect(semantics.decide(try request(), among: [candidate]).summary == "forward stale")
  }

  @Test(arguments: [
    (Candidate.Mark.none, "answer 200", 200), (.stale, "forward stale", 200),
    (.invalid, "forward stale", 504),
  ])
  func `RFC 9111 4.4: what was made invalid is not used before it is validated`(
    mark: Candidate.Mark, expected: String, offline: Int
  ) throws {
    let candidate = try candidate(
      "Cache-Control: max-age=60, stale-while-revalidate=60 | ETag: \"a\"", mark: mark)
    let decision = semantics.decide(try request("Cache-Control: max-stale"), among: [candidate])
    #expect(decision.summary == expected)
    guard let plan = decision.forward else { return }
    #expect(semantics.conclude(plan, without: "down").status == offline)
  }

  @Test(
    arguments: [
      ("max-age=60", "", 90, nil, 200), ("max-age=60", "", 91, nil, 504),
      ("max-age=60", "", 90, 503, 200), ("max-age=60", "", 91, 503, 503),
      ("max-age=60", "", 90, 501, 501), ("max-age=60", "", 59, 503, 200),
      ("max-age=60, stale-if-error=600", "", 91, 503, 503),
      ("max-age=60, stale-if-error=600", "", 91, nil, 504),
      ("max-age=60, stale-if-error=10", "", 90, 503, 200),
      ("max-age=60", "stale-if-error=600", 91, 503, 503),
      ("max-age=60", "no-cache", 61, nil, 504), ("max-age=60, must-revalidate", "", 61, nil, 504),
      ("max-age=60, must-revalidate", "", 61, 503, 503),
    ] as [(String, String, Int, Int?, Int)])
  func `an operator may limit how far past its freshness a copy stands in`(
    control: String, asked: String, age: Int, status: Int?, expected: Int
  ) throws {
    var policy = GatewayPolicy()
    policy.standIn(atMost: .seconds(30))
    let semantics = CacheSemantics(policy)
    let candidate = try candidate("Cache-Control: \(control)", after: age)
    let request = try request(asked.isEmpty ? "" : "Cache-Control: \(asked)")
    let plan = ForwardPlan.asking(request, .stale, [candidate], chosen: 0)
    let conclusion =
      status.map { semantics.conclude(answer("", $0), to: plan) }
      ?? semantics.conclude(plan, without: "down")
    #expect(conclusion.status == expected)
  }

  @Test(arguments: [(5, 30, 200), (5, 31, 504), (90, 5, 200), (91, 5, 504)])
  func `a marked copy is stale since its mark, or since the end of its lifetime`(
    age: Int, markAge: Int, expected: Int
  ) throws {
    var policy = GatewayPolicy()
    policy.standIn(atMost: .seconds(30))
    let semantics = CacheSemantics(policy)
    let candidate = Candidate(
      try stored("Cache-Control: max-age=60"), residentTime: .seconds(age), mark: .stale,
      markAge: .seconds(markAge))
    #expect(candidate.staleness == .seconds(max(age - 60, markAge)))
    let plan = try #require(semantics.decide(try request(), among: [candidate]).forward)
    #expect(semantics.conclude(plan, without: "down").status == expected)
  }

  @Test(arguments: [Candidate.Mark.none, .stale])
  func `an operator may have no copy stand in once it is stale`(mark: Candidate.Mark) throws {
    var policy = GatewayPolicy()
    policy.standIn(atMost: .zero)
    let semantics = CacheSemantics(policy)
    let candidate = try candidate(
      "Cache-Control: max-age=60, stale-if-error=600", after: mark == .none ? 61 : 5, mark: mark)
    let plan = try #require(semantics.decide(try request(), among: [candidate]).forward)
    #expect(semantics.conclude(plan, without: "down").status == 504)
    #expect(semantics.conclude(answer("", 503), to: plan).status == 503)
  }

  @Test(arguments: [0, 3])
  func `an operator limits stale-if-error, and not stale-while-revalidate`(seconds: Int) throws {
    var policy = GatewayPolicy()
    policy.standIn(atMost: .seconds(seconds))
    let copy = try candidate(
      "Cache-Control: max-age=60, stale-if-error=600, stale-while-revalidate=600", after: 90)
    let graces = Graces(of: copy, for: try request(), policy)
    let limit: Duration? = seconds == 0 ? nil : .seconds(seconds)
    #expect(graces.whileRevalidating == .seconds(600))
    #expect(graces.withoutAnswer == limit && graces.onServerError == limit)
  }

  @Test(arguments: [
    ("/page", "Cache-Control: no-cache", 5, "answer 200"),
    ("/page", "Pragma: no-cache", 5, "answer 200"),
    ("/page", "Cache-Control: max-age=0", 5, "answer 200"),
    ("/page", "Cache-Control: min-fresh=90", 5, "answer 200"),
    ("/page", "Cache-Control: no-cache", 60, "forward stale"),
    ("/page", "Cache-Control: max-stale=10, max-age=0", 65, "answer 200"),
    ("/page", "Cache-Control: no-cache, only-if-cached", 5, "answer 200"),
    ("/page", "Cache-Control: no-cache, only-if-cached", 60, "refuse 504"),
    ("/other*", "Cache-Control: no-cache", 5, "forward request"),
  ])
  func `RFC 9111 5.2.1: an operator may have requests ask for nothing newer than a fresh copy`(
    pattern: String, asked: String, age: Int, expected: String
  ) throws {
    var policy = GatewayPolicy()
    policy.ignoredReloads = [try #require(AddressPattern(pattern))]
    let candidate = try candidate("Cache-Control: max-age=60", after: age)
    let decision = CacheSemantics(policy).decide(try request(asked), among: [candidate])
    #expect(decision.summary == expected)
  }

  @Test func `a reload that is ignored gets a stale copy of an origin that is down`() throws {
    var policy = GatewayPolicy()
    policy.ignoredReloads = [try #require(AddressPattern("/*"))]
    let semantics = CacheSemantics(policy)
    let stale = try candidate("Cache-Control: max-age=60", after: 99)
    let asked = try request("Cache-Control: no-cache")
    let plan = try #require(semantics.decide(asked, among: [stale]).forward)
    #expect(semantics.conclude(plan, without: "down").status == 200)
    // And it joins an answer that has begun.
    let arriving = try stored("Cache-Control: max-age=60")
    #expect(!semantics.needsNewer(asked, than: arriving, residentTime: .seconds(1)))
    let unstored = try request("Cache-Control: no-cache, no-store")
    let miss = try #require(semantics.decide(unstored, among: []).forward)
    let fresh = answer("Cache-Control: max-age=60")
    #expect(semantics.conclude(fresh, to: miss).refusal == .requestNoStore)
  }
}
