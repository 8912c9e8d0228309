internal import FreshHTTP
internal import Testing

@testable import FreshGateway

@Suite struct VariantTests {
  @Test(arguments: [
    ("Authorization: a", "Authorization: a", true), ("Authorization: a", "Authorization: b", false),
    ("Authorization: a", "", false), ("", "Authorization: a", false), ("", "", true),
  ])
  func `in the cache of one user a copy answers the Authorization alone that it was fetched with`(
    stored: String, asked: String, isAnswered: Bool
  ) throws {
    let copy = try candidate("Cache-Control: max-age=60", for: stored, policy: .personal)
    let decision = CacheSemantics(.personal).decide(try request(asked), among: [copy])
    #expect((decision.answer != nil) == isAnswered)
  }

  private let fresh = "Cache-Control: max-age=600"

  @Test func `a copy is older than an answer that came later, however the clock was set since`()
    throws
  {
    let (landings, key) = (Landings(), CopyKey("http://origin.example/page"))
    // By its own time it came a minute before the copies.
    let newer = try stored(fresh, at: -60)
    let number = landings.begin(newer, at: key, since: 10_000)
    let answers = landings.answers(at: key)
    for (copy, isOlder) in [
      (try candidate(fresh, after: 5), true), (try candidate(fresh, after: 2), false),
      (Candidate(newer, residentTime: .seconds(5)), false),
    ] {
      #expect(copy.isOlder(than: answers, for: try request(), at: 14_000) == isOlder)
    }
    landings.end(number, at: key)
    #expect(landings.answers(at: key).isEmpty)
  }

  @Test func `RFC 9111 4.1: variants stand side by side, and each request gets its own`() throws {
    let german = try candidate("\(fresh) | Vary: Accept-Language", for: "Accept-Language: de")
    let english = try candidate("\(fresh) | Vary: Accept-Language", for: "Accept-Language: en")
    let none = try candidate("\(fresh) | Vary: Accept-Language")
    let all = [german, english, none]
    for (asked, place) in [("Accept-Language: de", 0), ("accept-language: EN", 1), ("A: b", 2)] {
      #expect(VariantChoice.index(among: all, for: try request(asked)) == place)
    }
    let french = try request("Accept-Language: fr")
    #expect(semantics.decide(french, among: all).summary == "forward vary-miss")
    #expect(Set(all.compactMap(\.answer.selection.encoded)).count == 3)
  }

  @Test(arguments: [
    ("Accept-Encoding", "gzip, br", "br,gzip", true),
    ("Accept-Encoding", "gzip;q=1.0, br", "gzip, br", true),
    ("Accept-Encoding", "gzip;q=0.5, br", "gzip, br", false),
    ("Accept-Language", "de, en", "en, de", false), ("Accept-Language", "de,en", "DE , en", true),
    ("Accept", "text/html;q=1", "text/html", true),
    ("Accept", "text/html;level=1", "text/html", false),
    ("Cookie", "a; b", "a;b", false), ("X", "a", "A", false), ("X", "a, b", "a,b", false),
  ])
  func `RFC 9111 4.1: values are compared in a form that keeps their meaning`(
    name: String, one: String, other: String, isSame: Bool
  ) throws {
    let candidate = try candidate("\(fresh) | Vary: \(name)", for: "\(name): \(one)")
    let asked = try request("\(name): \(other)")
    #expect((VariantChoice.index(among: [candidate], for: asked) != nil) == isSame)
  }

  @Test func `RFC 9111 4.1: of several that match the most recent by Date is used`() throws {
    let old = try candidate("\(fresh) | Vary: A | Date: \(date(-60))", for: "A: 1", at: 9)
    let new = try candidate("\(fresh) | Vary: B | Date: \(date(-5))", for: "B: 1")
    let asked = try request("A: 1 | B: 1")
    #expect(VariantChoice.index(among: [old, new], for: asked) == 1)
    #expect(VariantChoice.index(among: [new, old], for: asked) == 0)
  }

  @Test func `RFC 9111 4.1: one without Vary does not stand for a resource that varies by now`()
    throws
  {
    let plain = try candidate("\(fresh) | Date: \(date(-60))")
    let varying = try candidate("\(fresh) | Vary: A | Date: \(date(-5))", for: "A: 1")
    #expect(VariantChoice.index(among: [plain, varying], for: try request("A: 1")) == 1)
    #expect(VariantChoice.index(among: [plain, varying], for: try request("A: 2")) == nil)
    let newer = try candidate("\(fresh) | Date: \(date(0))")
    #expect(VariantChoice.index(among: [newer, varying], for: try request("A: 1")) == 0)
  }

  @Test func `an error of the server that came at the same time hides no copy`() throws {
    let good = try candidate("\(fresh) | Date: \(date(-60))")
    let asked = try request("A: 1")
    for vary in ["", " | Vary: A"] {
      let error = try candidate("\(fresh) | Date: \(date(-5))\(vary)", 500, for: "A: 1")
      #expect(VariantChoice.index(among: [good, error], for: asked) == 0)
      #expect(VariantChoice.index(among: [error, good], for: asked) == 1)
      #expect(VariantChoice.index(among: [error], for: asked) == 0)
    }
  }

  @Test
  func `RFC 9111 4.1: in the cache of one user none without Vary stands for what varies by now`()
    throws
  {
    let plain = try candidate("\(fresh) | Date: \(date(-60))", policy: .personal)
    let varying = try candidate(
      "\(fresh) | Vary: A | Date: \(date(-5))", for: "A: 1", policy: .personal)
    let both = [plain, varying]
    #expect(VariantChoice.index(among: both, for: try request("A: 1")) == 1)
    #expect(VariantChoice.index(among: both, for: try request("A: 2")) == nil)
    #expect(VariantChoice.index(among: [plain], for: try request("A: 2")) == 0)
    let newer = try candidate("\(fresh) | Date: \(date(0))", policy: .personal)
    #expect(VariantChoice.index(among: [newer, varying], for: try request("A: 2")) == 0)
  }

  @Test func `the most recent answer says which fields select one`() throws {
    let old = try candidate("\(fresh) | Vary: A | Date: \(date(-60))", for: "A: 1", at: 9)
    let new = try candidate("\(fresh) | Vary: B, a | Date: \(date(-5))", for: "B: 1")
    let plain = try candidate("\(fresh) | Date: \(date(0))")
    for (candidates, names) in [
      ([], []), ([old, new], ["a", "b"]), ([new, old], ["a", "b"]), ([old, plain, new], []),
    ] as [([Candidate], [String])] {
      #expect(VariantChoice.selectingFields(candidates) == names)
    }
  }

  @Test func `the key of a variant tells nothing of a secret value`() throws {
    let candidate = try candidate("\(fresh) | Vary: Cookie", for: "Cookie: secret")
    let key = try #require(candidate.answer.selection.encoded)
    #expect(key.hasPrefix("cookie=") && !key.contains("secret"))
    #expect(VarySelection(encoded: key) == candidate.answer.selection)
  }

  /// The header section of an answer whose body is still in flight.
  private func arriving(_ text: String, for asked: String = "") throws -> StoredAnswer {
    try Storing(policy: GatewayPolicy()).stored(answer(text), for: request(asked))
  }

  private func shared(
    _ stored: StoredAnswer, with asked: String, _ method: String = "GET", from sent: String = "",
    isAwaited: Bool = true
  ) throws -> AnswerPlan? {
    let plan = ForwardPlan.asking(try request(sent), .uriMiss, [], chosen: nil)
    return semantics.shared(
      stored, of: plan, with: try request(asked, method), isAwaited: isAwaited)
  }

  @Test
  func `RFC 9111 4: an answer to somebody else's request is shared where it answers this one, too`()
    throws
  {
    let open = try arriving("\(fresh) | Vary: A | Content-Length: 9 | ETag: \"a\"", for: "A: 1")
    let plan = try #require(try shared(open, with: "A: 1 | Cache-Control: no-cache"))
    #expect(plan.fields["Cache-Status"] == "freshstore; fwd=uri-miss; ttl=600; collapsed")
    #expect(plan.fields["Content-Length"] == "9" && plan.content == .whole)
    #expect(try shared(open, with: "A: 1 | If-None-Match: \"a\"")?.status == 304)
    #expect(try shared(open, with: "A: 1 | If-Modified-Since: \(date(9))")?.status == 200)
    #expect(try shared(open, with: "A: 2") == nil)
    #expect(try shared(open, with: "A: 1", "POST") == nil)
    #expect(try shared(open, with: "A: 1 | Range: bytes=0-1") == nil)
    let chunked = try #require(try shared(arriving(fresh), with: ""))
    #expect(chunked.fields["Content-Length"] == nil && chunked.content == .whole)
  }

  @Test(arguments: [
    "ETag: \"a\"", "Cache-Control: no-cache, max-age=9 | ETag: \"a\"",
    "Cache-Control: max-age=60 | Age: 60", "Cache-Control: max-age=0 | ETag: \"a\"",
    "Cache-Control: max-age=0, must-revalidate | ETag: \"a\"",
  ])
  func `RFC 9111 4 and 5.2.2.4: what is stale at once is for those who were there before it`(
    text: String
  ) throws {
    let stored = try arriving(text)
    #expect(try shared(stored, with: "")?.status == 200)
    #expect(try shared(stored, with: "", isAwaited: false) == nil)
    #expect(semantics.needsNewer(try request(), than: stored, residentTime: .zero))
  }

  @Test(arguments: ["no-cache", "max-age=0", "max-age=10", "min-fresh=601"])
  func `RFC 9111 5.2.1.4: what the origin says after a request has come is new enough for it`(
    directive: String
  ) throws {
    let stored = try Storing(policy: GatewayPolicy()).stored(
      answer(fresh, delay: .seconds(20)), for: request())
    let asked = "Cache-Control: \(directive)"
    #expect(try shared(stored, with: asked)?.status == 200)
    #expect(try shared(stored, with: asked, isAwaited: false) == nil)
    #expect(try shared(stored, with: "", isAwaited: false)?.status == 200)
  }

  @Test(arguments: [
    ("", "no-cache", "Age: 20", true), ("", "max-age=0", "Age: 20", true),
    ("", "max-age=10", "Age: 20", true), ("", "min-fresh=590", "Age: 20", true),
    ("", "max-age=30", "Age: 20", false), ("", "min-fresh=500", "Age: 20", false),
    ("", "", "Age: 20", false), ("", "no-cache", "Age: 0", false),
    ("", "no-cache", "Age: x", false),
    ("", "no-cache", "X: 1", false), ("no-cache", "no-cache", "Age: 20", false),
    ("no-cache", "max-age=0", "Age: 20", false), ("max-age=0", "max-age=0", "Age: 20", false),
    ("max-age=0", "no-cache", "Age: 20", true),
  ])
  func `a reload is not answered by a cache behind the gateway that was asked for less`(
    sent: String, asked: String, age: String, asksPast: Bool
  ) throws {
    func read(_ directives: String) throws -> GatewayRequest {
      try request(directives.isEmpty ? "" : "Cache-Control: \(directives)")
    }
    let answer = answer("\(fresh) | \(age)")
    let plan = ForwardPlan.asking(try read(sent), .uriMiss, [], chosen: nil)
    let stored = try Storing(policy: GatewayPolicy()).stored(answer, for: plan.request)
    let other = try read(asked)
    #expect(semantics.asksPast(other, answer, stored: stored, of: plan) == asksPast)
    var policy = GatewayPolicy()
    policy.ignoredReloads = [try #require(AddressPattern("/*"))]
    let heedless = CacheSemantics(policy)
    #expect(!heedless.asksPast(other, answer, stored: stored, of: plan))
  }

  @Test(arguments: [
    ("Cookie: a", "Cookie: a", true), ("Cookie: a", "Cookie: b", false),
    ("Cookie: a", "", false), ("", "Cookie: a", false), ("X-Api-Key: a", "X-Api-Key: b", false),
    ("Last-Event-ID: 1", "", false), ("X-Request-Id: 1", "x-request-id: 2", false),
    ("X-Request-Id: 1", "x-request-id: 1", true), ("Accept: a", "Accept: b", false),
    ("Accept-Language: de", "Accept-Language: en", false), ("Accept-Encoding: gzip", "", false),
    ("User-Agent: a", "User-Agent: b", false), ("", "Sec-CH-UA-Mobile: ?1", false),
    ("", "Cache-Control: max-age=0", true), ("Pragma: no-cache", "If-None-Match: \"b\"", true),
    ("If-Modified-Since: \(date(-9))", "Connection: close | TE: trailers", true),
  ])
  func
    `what has to be validated each time is shared by those alone who look the same to its origin`(
      sent: String, asked: String, isShared: Bool
    ) throws
  {
    for text in ["Cache-Control: no-cache", "Cache-Control: max-age=0"] {
      let stored = try arriving("\(text) | ETag: \"a\"")
      #expect(try (shared(stored, with: asked, from: sent) != nil) == isShared)
    }
    for text in ["public, max-age=0", "public, no-cache", "max-age=60"] {
      let stored = try arriving("Cache-Control: \(text) | ETag: \"a\"")
      #expect(try shared(stored, with: asked, from: sent) != nil)
    }
  }

  @Test(arguments: [
    ("192.0.2.1", "", "192.0.2.1", "", true), ("192.0.2.1", "", "192.0.2.2", "", false),
    ("::ffff:192.0.2.1", "", "192.0.2.1", "", true),
    // The gateway neither believes nor forwards the address that a stranger names.
    ("192.0.2.1", "203.0.113.1", "192.0.2.1", "203.0.113.2", true),
    ("10.0.0.1", "203.0.113.1", "10.0.0.1", "203.0.113.1", true),
    ("10.0.0.1", "203.0.113.1", "10.0.0.1", "203.0.113.2", false),
    ("10.0.0.1", "203.0.113.1", "203.0.113.1", "", false),
  ])
  func `what has to be validated each time is shared by one address, where the origin is told it`(
    sender: String, itsClient: String, other: String, otherClient: String, isShared: Bool
  ) throws {
    func read(_ peer: String, _ client: String, at site: Site) throws -> GatewayRequest {
      let said = fields(client.isEmpty ? "A: 1" : "A: 1 | X-Forwarded-For: \(client)")
      let isProxy = site == .anyOrigin
      let incoming = IncomingRequest(
        "GET", isProxy ? "http://origin.example/page" : "/page",
        fields: HeaderFields(
          fields("Host: origin.example").lines + (isProxy ? fields("A: 1") : said).lines))
      return try RequestReading(site: site, trusting: [try #require(PeerNetwork("10.0.0.0/8"))])
        .read(incoming, now: arrival, from: peer)
    }
    for (site, isTold) in [(origin, true), (.anyOrigin, false)] {
      let plan = ForwardPlan.asking(
        try read(sender, itsClient, at: site), .uriMiss, [], chosen: nil)
      let asked = try read(other, otherClient, at: site)
      for (terms, isForAll) in [
        ("no-cache", false), ("max-age=0", false), ("public, no-cache", true),
      ] {
        let stored = try arriving("Cache-Control: \(terms) | ETag: \"a\"")
        let given = semantics.shared(stored, of: plan, with: asked, isAwaited: true)
        #expect((given != nil) == (isShared || isForAll || !isTold))
      }
    }
  }

  @Test(arguments: [
    ("private, no-cache", "Cookie: a", "Cookie: b", false),
    ("private, no-cache", "Cookie: a", "", false), ("no-cache", "", "Cookie: a", false),
    ("private, no-cache", "Cookie: a", "Cookie: a", true),
    ("public, no-cache", "Cookie: a", "Cookie: b", true),
    ("private, max-age=60", "Cookie: a", "Cookie: b", true),
  ])
  func `in the cache of one user sessions share nothing that has to be validated each time`(
    terms: String, sent: String, asked: String, isShared: Bool
  ) throws {
    let semantics = CacheSemantics(.personal)
    let plan = ForwardPlan.asking(try request(sent), .uriMiss, [], chosen: nil)
    let stored = try Storing(policy: .personal).stored(
      answer("Cache-Control: \(terms) | ETag: \"a\""), for: request(sent))
    let given = semantics.shared(stored, of: plan, with: try request(asked), isAwaited: true)
    #expect((given != nil) == isShared)
    let conclusion = semantics.conclude(
      answer("Cache-Control: private, no-cache | Content-Length: 4"), to: plan)
    #expect((conclusion.momentary == nil) == !sent.isEmpty)
  }

  @Test(arguments: [
    ("Cache-Control: no-cache | Content-Length: 4", true),
    ("Cache-Control: max-age=0 | Content-Length: 4", true), ("Content-Length: 4", false),
    ("Cache-Control: no-cache | Content-Type: text/event-stream", false),
    ("Cache-Control: no-cache | Content-Length: 262144", true),
    ("Cache-Control: no-cache | Content-Length: 262145", false),
    ("Cache-Control: private, no-cache | Content-Length: 4", false),
    ("Cache-Control: no-store, no-cache | Content-Length: 4", false),
    ("Cache-Control: no-cache | Content-Length: 4 | Set-Cookie: a=b", false),
    ("Cache-Control: s-maxage=0 | Content-Length: 4 | Set-Cookie: a=b", false),
    ("Cache-Control: s-maxage=0 | Content-Length: 4", true),
  ])
  func `what is not kept, as it is of no later use, is for those who wait where its origin says so`(
    text: String, isForThem: Bool
  ) throws {
    let plan = try #require(semantics.decide(try request(), among: []).forward)
    let conclusion = semantics.conclude(answer(text), to: plan)
    #expect(conclusion.kept == nil)
    #expect((conclusion.momentary != nil) == isForThem)
    let personal = try #require(semantics.decide(try request("Cookie: a"), among: []).forward)
    #expect(semantics.conclude(answer(text), to: personal).momentary == nil)
  }
}
