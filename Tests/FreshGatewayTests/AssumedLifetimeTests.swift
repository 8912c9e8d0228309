internal import FreshHTTP
internal import Testing

@testable import FreshGateway

/// The lifetimes that an operator gives to answers which state none.
@Suite struct AssumedLifetimeTests {
  private static let policy: GatewayPolicy = Self.with { policy in
    policy.lifetimes.found = [.init(nil, .seconds(60))]
    policy.lifetimes.absent = [.init(nil, .seconds(10))]
  }

  private static func with(_ change: (inout GatewayPolicy) -> Void) -> GatewayPolicy {
    var policy = GatewayPolicy()
    change(&policy)
    return policy
  }

  @Test(
    arguments: [
      ("", 200, 60), ("", 203, 60), ("", 204, 60), ("", 300, 60), ("", 301, 60), ("", 308, 60),
      ("Content-Range: bytes 0-9/100", 206, 60), ("", 404, 10), ("", 405, 10), ("", 410, 10),
      ("", 414, 10), ("", 501, 10), ("ETag: \"a\"", 200, 60),
      ("Last-Modified: \(date(-6000))", 200, 60), ("Cache-Control: public", 200, 60),
      ("Cache-Control: stale-if-error=9", 200, 60), ("Cache-Control: private=\"A\"", 200, 60),
      ("Cache-Control: no-cache=\"A\"", 200, 60), ("Cache-Control: max-age=5", 200, 5),
      ("Cache-Control: max-age=5", 404, 5), ("Cache-Control: s-maxage=5", 200, 5),
      ("CDN-Cache-Control: max-age=7", 200, 7), ("Expires: \(date(7)) | Date: \(date(0))", 200, 7),
      ("Cache-Control: max-age=0 | ETag: \"a\"", 200, 0), ("Expires: 0 | ETag: \"a\"", 200, 0),
      ("Cache-Control: max-age=x | ETag: \"a\"", 200, 0),
      ("Cache-Control: no-cache | ETag: \"a\"", 200, nil),
      ("Cache-Control: must-revalidate | ETag: \"a\"", 200, nil),
      ("Cache-Control: proxy-revalidate | ETag: \"a\"", 200, nil),
      ("Cache-Control: no-store, must-understand | ETag: \"a\"", 200, nil),
      ("Pragma: no-cache | ETag: \"a\"", 200, nil),
      ("Pragma: no-cache | Cache-Control: public", 200, 60),
      ("Cache-Control: public | ETag: \"a\"", 302, nil),
      ("Cache-Control: public | ETag: \"a\"", 503, nil),
    ] as [(String, Int, Int?)])
  func `RFC 9111 4.2.2: an operator's lifetime counts where the answer says nothing of its own`(
    text: String, status: Int, seconds: Int?
  ) throws {
    let terms = try stored(text, status, policy: Self.policy).terms
    #expect(terms.lifetime == seconds.map { Duration.seconds($0) })
    #expect((terms.assumedLifetime == nil) == ![60, 10].contains(seconds))
  }

  @Test(
    arguments: [
      ("Cache-Control: no-store", 200, "", .noStore), ("Cache-Control: private", 200, "", .private),
      ("Cache-Control: no-cache", 200, "", .useless),
      ("Cache-Control: must-revalidate", 200, "", .useless),
      ("Content-Type: Text/Event-Stream; charset=utf-8", 200, "", .useless),
      ("Pragma: no-cache", 200, "", .useless), ("Cache-Control: max-age=0", 200, "", .useless),
      ("Set-Cookie: a=b", 200, "", .setsCookie), ("Vary: *", 200, "", .variesByEverything),
      ("", 302, "", .notCacheable), ("", 403, "", .notCacheable), ("", 500, "", .notCacheable),
      ("", 503, "", .notCacheable), ("", 200, "Authorization: a", .authorization),
      ("Cache-Control: must-revalidate", 200, "Authorization: a", .authorization),
      ("Cache-Control: no-cache, must-revalidate", 200, "Authorization: a", .useless),
      ("Cache-Control: public", 200, "Authorization: a", nil),
      ("", 200, "Cookie: a=b", .cookie), ("", 404, "Cookie: a=b", .cookie),
      ("Cache-Control: stale-while-revalidate=60", 200, "Cookie: a=b", .cookie),
      ("Cache-Control: stale-if-error=60", 200, "Cookie: a=b", .cookie),
      ("Cache-Control: max-age=0, stale-while-revalidate=60", 200, "Cookie: a=b", .cookie),
      ("Cache-Control: max-age=0, stale-while-revalidate=60", 200, "", nil),
      ("Expires: 0 | Cache-Control: stale-if-error=60", 200, "Cookie: a=b", .cookie),
      ("CDN-Cache-Control: stale-while-revalidate=60", 200, "Cookie: a=b", .cookie),
      ("Cache-Control: stale-while-revalidate=60", 200, "", nil),
      ("Cache-Control: public, stale-while-revalidate=60", 200, "Cookie: a=b", nil),
      ("Cache-Control: no-cache", 200, "Cookie: a=b", .useless),
      ("Cache-Control: public", 200, "Cookie: a=b", nil),
      ("Cache-Control: max-age=5", 200, "Cookie: a=b", nil),
      ("Cache-Control: max-age=5 | Last-Modified: \(date(-60))", 200, "Cookie: a=b", nil),
      ("Cache-Control: public, no-cache | Last-Modified: \(date(-60))", 200, "Cookie: a=b", nil),
      ("Cache-Control: no-cache | ETag: \"a\"", 200, "Cookie: a=b", nil),
      ("", 200, "Cache-Control: no-store", .requestNoStore),
    ] as [(String, Int, String, StoringRefusal?)])
  func `it has nothing kept that is forbidden, or may be one user's`(
    text: String, status: Int, asked: String, expected: StoringRefusal?
  ) throws {
    #expect(refusal(text, status, for: try request(asked), Self.policy) == expected)
  }

  @Test func `a cache of one user keeps what is for that user`() throws {
    var policy = Self.policy
    (policy.audience, policy.targets) = (.oneUser, [])
    let stored = try stored("Cache-Control: private", for: "Cookie: a=b", policy: policy)
    #expect(stored.terms.lifetime == .seconds(60))
  }

  @Test(
    arguments: [
      ("/api/a", 200, 300), ("/api/a?b=c", 200, 300), ("/live", 200, 0), ("/page", 200, 60),
      ("/whole", 200, 7), ("/api/a", 404, nil), ("/gone/a", 404, 10),
    ] as [(String, Int, Int?)])
  func `the first pattern that fits counts, and what has none is for all others`(
    target: String, status: Int, seconds: Int?
  ) throws {
    let policy = Self.with { policy in
      policy.lifetimes.found = [
        .init(nil, .seconds(60)), .init(AddressPattern("/api/*"), .seconds(300)),
        .init(AddressPattern("/api/a"), .seconds(5)), .init(AddressPattern("/live"), .zero),
        .init(AddressPattern("http://origin.example/whole"), .seconds(7)),
      ]
      policy.lifetimes.absent = [.init(AddressPattern("/gone/*"), .seconds(10))]
    }
    let asked = try request("", "GET", target)
    let stored = try Storing(policy: policy).stored(answer("ETag: \"a\"", status), for: asked)
    #expect(stored.terms.lifetime == seconds.map { Duration.seconds($0) })
  }

  /// One for the paths of the test, as `--expiry '/*=1m'` gives.
  private static let named: GatewayPolicy = Self.with { policy in
    policy.lifetimes.found = [.init(AddressPattern("/*"), .seconds(60))]
  }

  @Test(arguments: [302, 303, 307])
  func `RFC 9111 3: a redirection is kept where the operator names a lifetime for its address`(
    status: Int
  ) throws {
    let asked = try request()
    for text in ["Location: /b", "Location: /b | ETag: \"a\"", "Cache-Control: public"] {
      let terms = try Storing(policy: Self.named).stored(answer(text, status), for: asked).terms
      #expect(terms.lifetime == .seconds(60) && terms.assumedLifetime == .seconds(60))
    }
    // It states one itself.
    let own = try stored("Cache-Control: max-age=5", status, policy: Self.named)
    #expect(own.terms.lifetime == .seconds(5) && own.terms.assumedLifetime == nil)
    // One for all addresses is not meant for it.
    #expect(refusal("Location: /b", status, for: asked, Self.policy) == .notCacheable)
    let zero = Self.with { $0.lifetimes.found = [.init(AddressPattern("/*"), .zero)] }
    #expect(refusal("ETag: \"a\"", status, for: asked, zero) == .notCacheable)
    // Nor is it the word of an origin at a proxy.
    var proxy = Self.named
    proxy.lifetimes.speakForOrigin = false
    #expect(refusal("Location: /b", status, for: asked, proxy) == .notCacheable)
    #expect(refusal("", 200, for: asked, proxy) == nil)
  }

  @Test(
    arguments: [
      ("Cache-Control: no-store", "", .noStore), ("Cache-Control: private", "", .private),
      ("Set-Cookie: a=b", "", .setsCookie), ("", "Authorization: a", .notCacheable),
      ("", "Cookie: a=b", .notCacheable), ("Cache-Control: no-cache", "", .notCacheable),
      ("Cache-Control: must-revalidate", "", .notCacheable),
      ("Pragma: no-cache", "", .notCacheable), ("Vary: *", "", .variesByEverything),
      ("ETag: \"a\"", "Cookie: a=b", .notCacheable),
      ("", "Cache-Control: no-store", .requestNoStore),
    ] as [(String, String, StoringRefusal)])
  func `such a redirection is not kept where it is forbidden, or may be one user's`(
    text: String, asked: String, expected: StoringRefusal
  ) throws {
    let asked = try request(asked)
    for status in [302, 303, 307] {
      #expect(refusal(text, status, for: asked, Self.named) == expected)
    }
  }

  @Test(arguments: [400, 401, 403, 500, 502, 503, 504, 304, 201, 202])
  func `no other status is kept so, whatever address is named`(status: Int) throws {
    let policy = Self.with { policy in
      policy.lifetimes.found = [.init(AddressPattern("/*"), .seconds(60))]
      policy.lifetimes.absent = [.init(AddressPattern("/*"), .seconds(60))]
    }
    #expect(refusal("", status, for: try request(), policy) != nil)
  }

  @Test func `zero is no lifetime, also in the place of a guess`() throws {
    let policy = Self.with { $0.lifetimes.found = [.init(nil, .zero)] }
    #expect(refusal("", 200, for: try request(), policy) == .useless)
    #expect(refusal("", 200, for: try request("Cookie: a=b"), policy) == .cookie)
    let stored = try stored("Last-Modified: \(date(-6000))", policy: policy)
    #expect(stored.terms.lifetime == .zero && !stored.terms.hasLifetime)
  }

  @Test(
    arguments: [
      ("", "", "", 60), ("", "Cookie: a=b", "", 60), ("Cookie: a=b", "", "", 60),
      ("Cookie: a=b", "Cookie: a=b", "", 0),
      ("Cookie: a=b", "Cookie: a=b", "Cache-Control: public | ", 60),
    ])
  func `a copy that is confirmed has it again, unless one with cookies alone has seen it`(
    first: String, second: String, said: String, seconds: Int
  ) throws {
    let semantics = CacheSemantics(Self.policy)
    let copy = try candidate("ETag: \"a\"", for: first, after: 90, policy: Self.policy)
    #expect(copy.answer.terms.hasLifetime == first.isEmpty)
    let plan = try #require(semantics.decide(try request(second), among: [copy]).forward)
    let conclusion = semantics.conclude(answer("\(said)ETag: \"a\"", 304, at: 90), to: plan)
    guard case .renew(_, let renewed)? = conclusion.changes.first else {
      Issue.record("nothing is renewed")
      return
    }
    #expect(renewed.terms.assumedLifetime == .seconds(seconds))
  }

  @Test func `what somebody with cookies got has no lifetime by a guess either`() throws {
    let text = "ETag: \"a\" | Last-Modified: \(date(-6000))"
    for policy in [Self.policy, GatewayPolicy()] {
      let stored = try stored(text, for: "Cookie: a=b", policy: policy)
      #expect(!stored.terms.hasLifetime && !stored.terms.isHeuristic)
    }
  }

  @Test(arguments: [
    "", "no-cache", "max-age=0", "max-age=0, must-revalidate", "max-age=9, no-cache",
  ])
  func `what somebody with cookies got is not confirmed to others by its date alone`(
    control: String
  ) throws {
    let text = "Cache-Control: \(control) | Last-Modified: \(date(-6000))"
    for policy in [Self.policy, GatewayPolicy()] {
      #expect(refusal(text, 200, for: try request("Cookie: a=b"), policy) == .cookie)
      #expect(refusal(text, 200, for: try request(), policy) == nil)
    }
  }

  @Test(
    arguments: [
      ("max-age=0, must-revalidate", .authorization), ("must-revalidate", .authorization),
      ("no-cache, must-revalidate", .authorization), ("public, max-age=0, must-revalidate", nil),
      ("max-age=9, must-revalidate", nil), ("s-maxage=9", nil),
    ] as [(String, StoringRefusal?)])
  func `what an identified user got is not confirmed to others by its date alone`(
    control: String, expected: StoringRefusal?
  ) throws {
    let text = "Cache-Control: \(control) | Last-Modified: \(date(-6000))"
    for policy in [Self.policy, GatewayPolicy()] {
      #expect(refusal(text, 200, for: try request("Authorization: a"), policy) == expected)
      let tagged = try request("Authorization: a | Cookie: a=b")
      #expect(refusal("\(text) | ETag: \"a\"", 200, for: tagged, policy) == nil)
      #expect(refusal(text, 200, for: try request(), policy) == nil)
    }
  }

  @Test(
    arguments: [
      ("max-age=0, stale-while-revalidate=600", "Cookie: a=b", false),
      ("stale-while-revalidate=600", "Cookie: a=b", false),
      ("max-age=0, public, stale-while-revalidate=600", "Cookie: a=b", true),
      ("max-age=0, stale-while-revalidate=600", "", true),
    ])
  func `what was never fresh, and somebody with cookies got, answers nobody while it is renewed`(
    control: String, first: String, answers: Bool
  ) throws {
    let copy = try candidate("Cache-Control: \(control) | ETag: \"a\"", for: first, after: 5)
    #expect((semantics.decide(try request(), among: [copy]).answer != nil) == answers)
    #expect((semantics.decide(try request("Cookie: b=c"), among: [copy]).answer != nil) == answers)
  }

  @Test(
    arguments: [
      ("public, stale-if-error=600", "Cookie: a=b", 200), ("stale-if-error=600", "", 200),
      ("stale-if-error=600", "Cookie: a=b", 504),
    ])
  func `what is for all is for all still when one with cookies has had it confirmed`(
    control: String, first: String, status: Int
  ) throws {
    let text = "Cache-Control: \(control) | ETag: \"a\""
    let copy = try candidate(text, for: first, after: 5)
    let asked = try request("Cookie: b=c")
    let plan = try #require(semantics.decide(asked, among: [copy]).forward)
    let conclusion = semantics.conclude(answer("ETag: \"a\"", 304, at: 5), to: plan)
    guard case .renew(_, let renewed)? = conclusion.changes.first else {
      Issue.record("nothing is renewed")
      return
    }
    let later = Candidate(renewed, residentTime: .seconds(5))
    let next = try #require(semantics.decide(try request(), among: [later]).forward)
    #expect(semantics.conclude(next, without: "down").status == status)
  }

  @Test(
    arguments: [
      ("Cache-Control: public | ETag: \"a\"", "Cookie: a=b", 60), ("ETag: \"a\"", "", 60),
      ("ETag: \"a\"", "Cookie: a=b", 0),
    ])
  func `a copy from before the operator's lifetimes has one when it is confirmed`(
    text: String, first: String, seconds: Int
  ) throws {
    let copy = try candidate(text, for: first, after: 5)
    let asked = try request("Cookie: a=b")
    let semantics = CacheSemantics(Self.policy)
    let plan = try #require(semantics.decide(asked, among: [copy]).forward)
    let conclusion = semantics.conclude(answer("ETag: \"a\"", 304, at: 5), to: plan)
    guard case .renew(_, let renewed)? = conclusion.changes.first else {
      Issue.record("nothing is renewed")
      return
    }
    #expect(renewed.terms.assumedLifetime == .seconds(seconds))
  }

  @Test(
    arguments: [
      "", "stale-while-revalidate=600", "stale-if-error=600", "must-revalidate", "proxy-revalidate",
    ], ["", "max-stale", "stale-if-error=600", "max-stale=600, stale-if-error=600"])
  func `what somebody with cookies got is there to be validated, and for nothing else`(
    terms: String, asked: String
  ) throws {
    var policy = Self.policy
    policy.standIn(atMost: .seconds(600))
    let semantics = CacheSemantics(policy)
    let control = terms.isEmpty ? "" : "Cache-Control: \(terms) | "
    for validator in ["ETag: \"a\"", "ETag: \"a\" | Last-Modified: \(date(-6000))"] {
      let copy = try candidate("\(control)\(validator)", for: "Cookie: a=b", policy: policy)
      for whose in ["X: a", "Cookie: b=c", "Cookie: a=b"] {
        let text = asked.isEmpty ? whose : "\(whose) | Cache-Control: \(asked)"
        let request = try request(text)
        let graces = Graces(of: copy, for: request, policy)
        #expect(graces.whileRevalidating == nil)
        #expect(graces.withoutAnswer == nil && graces.onServerError == nil)
        let decision = semantics.decide(request, among: [copy])
        #expect(decision.summary == "forward stale")
        let plan = try #require(decision.forward)
        #expect(plan.asked == [0])
        #expect(semantics.conclude(plan, without: "down").status == 504)
        #expect(semantics.conclude(answer("", 503), to: plan).status == 503)
      }
    }
  }

  @Test func `what somebody with cookies got leaves the copy of all others`() throws {
    let semantics = CacheSemantics(Self.policy)
    let copy = try candidate("", after: 90, policy: Self.policy)
    for (asked, isRemoved) in [("Cookie: a=b", false), ("", true)] {
      let plan = try #require(semantics.decide(try request(asked), among: [copy]).forward)
      // It must be asked for each time from now on.
      let control = asked.isEmpty ? "Cache-Control: max-age=0" : ""
      let conclusion = semantics.conclude(answer(control, at: 90), to: plan)
      #expect(conclusion.refusal == (isRemoved ? .useless : .cookie))
      #expect(conclusion.changes.isEmpty == !isRemoved)
    }
  }

  @Test(arguments: [
    ("Cookie: a=b", 90, true), ("", 90, false), ("Cookie: a=b", 6000, false),
  ])
  func `what is to be validated each time takes no place of a copy that stands in for all`(
    asked: String, age: Int, stands: Bool
  ) throws {
    var policy = Self.policy
    policy.standIn(atMost: .seconds(600))
    let copy = try candidate("ETag: \"a\"", after: age, policy: policy)
    let plan = try #require(
      CacheSemantics(policy).decide(try request(asked), among: [copy]).forward)

    let conclusion = CacheSemantics(policy).conclude(
      answer("Cache-Control: no-cache | ETag: \"b\"", at: age), to: plan)

    #expect(conclusion.refusal == (stands ? .cookie : nil))
    #expect(conclusion.changes.isEmpty)
  }

  @Test func `a copy keeps it, whatever options it is read with`() throws {
    let copy = try stored("X: a", policy: Self.policy)
    for policy in [Self.policy, GatewayPolicy()] {
      #expect(StoredAnswer(encoded: copy.encoded, selection: .every, policy: policy) == copy)
    }
    let own = try stored("Cache-Control: max-age=60", policy: Self.policy)
    #expect(!own.encoded.contains("expiry="))
  }

  @Test func `parts that are joined have it`() throws {
    let old = try stored("ETag: \"a\" | Content-Range: bytes 0-4/10", 206, policy: Self.policy)
    let new = try stored(
      "ETag: \"a\" | Content-Range: bytes 5-9/10", 206, at: 5, policy: Self.policy)
    let whole = try #require(PartialCombination.combined(new, with: old, Self.policy))
    #expect(whole.status == 200 && whole.terms.assumedLifetime == .seconds(60))
  }

  @Test func `what is kept so stands in for an origin that is down, like any other copy`() throws {
    var policy = Self.policy
    let copy = try candidate("", after: 90, policy: policy)
    let plan = try #require(CacheSemantics(policy).decide(try request(), among: [copy]).forward)
    #expect(CacheSemantics(policy).conclude(plan, without: "down").status == 200)
    #expect(CacheSemantics(policy).conclude(answer("", 503), to: plan).status == 200)
    policy.standIn(atMost: .seconds(30))
    #expect(CacheSemantics(policy).conclude(answer("", 503), to: plan).status == 200)
    policy.standIn(atMost: .seconds(29))
    #expect(CacheSemantics(policy).conclude(plan, without: "down").status == 504)
  }
}
