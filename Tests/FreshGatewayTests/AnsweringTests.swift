internal import FreshHTTP
internal import Testing

@testable import FreshGateway

@Suite struct AnsweringTests {
  private func answer(
    _ text: String, _ status: Int = 200, to asked: String, _ method: String = "GET"
  )
    throws -> AnswerPlan
  {
    let candidate = try candidate("Cache-Control: max-age=600 | \(text)", status, after: 5)
    return try #require(semantics.decide(try request(asked, method), among: [candidate]).answer)
  }

  @Test(
    arguments: [
      ("Cache-Control: max-age=600", "600"), ("Cache-Control: max-age=2", "5"),
      ("Expires: \(date(90)) | Date: \(date(0))", "90"),
      ("Last-Modified: \(date(-6000)) | Date: \(date(0))", "600"),
    ])
  func `the age of a marked copy that stands in is all of its lifetime`(
    fields: String, age: String
  ) throws {
    let copy = try candidate("\(fields) | ETag: \"a\"", after: 5, mark: .stale)
    let plan = try #require(semantics.decide(try request(), among: [copy]).forward)
    guard case .copy(let answer, from: 0) = semantics.conclude(plan, without: "down").reply else {
      Issue.record("it does not stand in")
      return
    }
    #expect(answer.fields.first("Age") == age)
  }

  @Test(
    arguments: [
      ("ETag: \"a\"", "If-None-Match: \"a\"", 304), ("ETag: \"a\"", "If-None-Match: W/\"a\"", 304),
      ("ETag: W/\"a\"", "If-None-Match: \"a\"", 304), ("ETag: \"a\"", "If-None-Match: *", 304),
      ("ETag: \"a\"", "If-None-Match: \"b\", \"a\"", 304),
      ("ETag: \"a\"", "If-None-Match: \"b\" | If-None-Match: \"a\"", 304),
      ("ETag: \"a,b\"", "If-None-Match: \"a,b\"", 304),
      ("ETag: \"a\"", "If-None-Match: \"b\"", 200),
      ("ETag: \"a\"", "If-None-Match: a", 200), ("", "If-None-Match: \"a\"", 200),
      ("", "If-None-Match: *", 304),
    ])
  func `RFC 9110 13.1.2: If-None-Match compares weakly`(stored: String, asked: String, status: Int)
    throws
  {
    #expect(try answer(stored, to: asked).status == status)
    #expect(try answer(stored, to: asked, "HEAD").status == status)
  }

  @Test(
    arguments: [
      ("Last-Modified: \(date(-60))", "If-Modified-Since: \(date(-60))", 304),
      ("Last-Modified: \(date(-60))", "If-Modified-Since: \(date(-59))", 304),
      ("Last-Modified: \(date(-60))", "If-Modified-Since: \(date(-61))", 200),
      ("Last-Modified: \(date(-60))", "If-Modified-Since: x", 200),
      ("Date: \(date(-60))", "If-Modified-Since: \(date(-60))", 304),
      ("Date: \(date(-60))", "If-Modified-Since: \(date(-61))", 200),
      (
        "Last-Modified: \(date(-60))",
        "If-Modified-Since: \(date(0)) | If-Modified-Since: \(date(1))", 200
      ),
    ])
  func
    `RFC 9110 13.1.3, RFC 9111 4.3.2: If-Modified-Since, against Date where nothing else is known`(
      stored: String, asked: String, status: Int
    ) throws
  {
    #expect(try answer(stored, to: asked).status == status)
  }

  @Test(arguments: [
    ("If-None-Match: \"x\" | If-Modified-Since: \(date(9))", 200),
    ("If-None-Match: \"a\" | If-Modified-Since: \(date(-999))", 304),
    ("If-None-Match: | If-Modified-Since: \(date(9))", 200),
  ])
  func `RFC 9110 13.2.2: If-None-Match stands before If-Modified-Since`(asked: String, status: Int)
    throws
  {
    #expect(try answer("ETag: \"a\" | Last-Modified: \(date(-60))", to: asked).status == status)
  }

  @Test(arguments: [
    ("If-Match: \"a\"", "answer 200"), ("If-Match: *", "answer 200"),
    ("If-Match: \"b\"", "forward request"), ("If-Match: W/\"a\"", "forward request"),
    ("If-Unmodified-Since: \(date(-60))", "answer 200"),
    ("If-Unmodified-Since: \(date(-61))", "forward request"),
    ("If-Unmodified-Since: x", "answer 200"),
    ("If-Match: \"a\" | If-Unmodified-Since: \(date(-999))", "answer 200"),
    ("If-Match: \"a\" | If-None-Match: \"a\"", "answer 304"),
  ])
  func `RFC 9110 13.1.1, 13.1.4 and 13.2.2: a copy that does not meet If-Match is no answer`(
    asked: String, expected: String
  ) throws {
    let candidate = try candidate(
      "Cache-Control: max-age=600 | ETag: \"a\" | Last-Modified: \(date(-60))", after: 5)
    #expect(semantics.decide(try request(asked), among: [candidate]).summary == expected)
  }

  @Test(arguments: [301, 404, 410])
  func `RFC 9110 13.2.1: conditions do not count for an answer that is no success`(status: Int)
    throws
  {
    #expect(try answer("ETag: \"a\"", status, to: "If-None-Match: \"a\"").status == status)
  }

  @Test func `RFC 9110 15.4.5: a 304 has the fields that renew a copy, and none about content`()
    throws
  {
    let plan = try answer(
      "ETag: \"a\" | Last-Modified: \(date(-60)) | Vary: X | Content-Location: /b | Date: \(date(0)) "
        + "| Content-Type: text/plain | Content-Encoding: gzip | Expires: \(date(60)) "
        + "| Content-Security-Policy: default-src 'self'",
      to: "If-None-Match: \"a\"")
    #expect(plan.content == .none)
    for name in ["ETag", "Vary", "Content-Location", "Date", "Expires", "Cache-Control", "Age"] {
      #expect(plan.fields[name] != nil, "\(name) is missing")
    }
    for name in ["Content-Type", "Content-Encoding", "Content-Length", "Last-Modified"] {
      #expect(plan.fields[name] == nil, "\(name) is there")
    }
    #expect(plan.fields["Content-Security-Policy"] != nil)
  }

  @Test func `RFC 9111 5.1: an answer from the copy says how old it is, in one Age`() throws {
    let plan = try answer("Age: 10 | Date: \(date(0)) | Warning: 110 - x", to: "")
    #expect(plan.fields.values("Age") == ["15"])
    #expect(plan.fields["Date"] == date(0) && plan.fields["Warning"] == nil)
    #expect(plan.fields["Content-Length"] == "100" && plan.content == .whole)
    #expect(plan.fields["Cache-Status"] == "freshstore; hit; ttl=585")
  }

  @Test
  func `RFC 9111 5.2.1.6 and 5.2.2.6: content is sent as it has come in any case`()
    throws
  {
    for control in ["max-age=600, no-transform", "max-age=600"] {
      let candidate = try candidate(
        "Cache-Control: \(control) | Content-Encoding: gzip | Content-Type: image/png", after: 5)
      for asked in ["", "Cache-Control: no-transform", "Accept-Encoding: identity"] {
        let plan = try #require(semantics.decide(try request(asked), among: [candidate]).answer)
        #expect(plan.content == .whole && plan.fields["Content-Length"] == "100")
        #expect(plan.fields["Content-Encoding"] == "gzip")
        #expect(plan.fields["Content-Type"] == "image/png")
        #expect(plan.fields["Cache-Control"] == control)
      }
    }
    let asked = try request("Cache-Control: no-transform")
    let miss = try #require(semantics.decide(asked, among: []).forward)
    #expect(miss.fields["Cache-Control"] == "no-transform")
  }

  @Test func `RFC 9110 8.6: a 204 has no length`() throws {
    let candidate = try candidate("Cache-Control: max-age=60", 204, length: 0)
    let plan = try #require(semantics.decide(try request(), among: [candidate]).answer)
    #expect(plan.status == 204 && plan.fields["Content-Length"] == nil)
  }

  @Test(arguments: [204, 205])
  func `RFC 9110 15.3.5 and 15.3.6, RFC 9112 6.3: a status without content has no bytes behind it`(
    status: Int
  ) throws {
    let stored = try stored("Cache-Control: max-age=60", status, length: 5)
    let candidate = Candidate(stored, residentTime: .zero)
    let hit = try #require(semantics.decide(try request(), among: [candidate]).answer)
    #expect(hit.status == status && hit.content == .none)
    let forward = try #require(semantics.decide(try request(), among: []).forward)
    let shared = try #require(
      semantics.shared(stored, of: forward, with: try request(), isAwaited: false))
    #expect(shared.content == .none)
    let answer = OriginAnswer(
      status: status, fields: ["Cache-Control": "max-age=60"], receivedAt: arrival, delay: .zero)
    let conclusion = semantics.conclude(answer, to: forward)
    let length = status == 205 ? "0" : nil
    #expect(hit.fields["Content-Length"] == length)
    #expect(conclusion.fields["Content-Length"] == length)
  }

  @Test func `an answer that is at hand is the one that would be made`() throws {
    let text = "Cache-Control: max-age=600 | ETag: \"a\""
    func plan(_ copy: StoredAnswer, _ milliseconds: Int, _ asked: String = "") throws -> AnswerPlan
    {
      let candidate = Candidate(copy, residentTime: .milliseconds(milliseconds))
      return try #require(semantics.decide(try request(asked), among: [candidate]).answer)
    }
    let copy = try stored(text)
    for milliseconds in [1000, 1000, 1000, 1200, 1999, 2000, 2000, 2000, 1000, 1000] {
      // Nobody has asked for the other one yet.
      #expect(try plan(copy, milliseconds) == plan(stored(text), milliseconds))
      #expect(try plan(copy, milliseconds, "If-None-Match: \"a\"").status == 304)
      #expect(try plan(copy, milliseconds, "Range: bytes=0-9").status == 206)
    }
    #expect(try plan(copy, 1000).head != nil)
    #expect(try plan(copy, 9000).head == nil)
  }

  @Test func `what is for surrogates goes no further`() throws {
    let plan = try answer("Surrogate-Control: max-age=99 | CDN-Cache-Control: max-age=98", to: "")
    #expect(plan.fields["Surrogate-Control"] == nil)
    // RFC 9213 section 2.2: others may be targeted, too.
    #expect(plan.fields["CDN-Cache-Control"] == "max-age=98")
  }

  @Test(arguments: [
    ("GET", "Content-Length: 5"), ("POST", "Content-Length: 5"), ("DELETE", "A: b"),
  ])
  func `RFC 9111 5.2.1.7: what no copy answers is not sent on either`(
    method: String, field: String
  ) throws {
    let whole = try candidate("Cache-Control: max-age=60")
    let asked = try request("\(field) | Cache-Control: only-if-cached", method)
    #expect(semantics.decide(asked, among: [whole]).summary == "refuse 504")
  }

  @Test func `RFC 9111 5.2.1.7: a refusal is short, and is not kept`() throws {
    let decision = semantics.decide(try request("Cache-Control: only-if-cached"), among: [])
    let plan = try #require(decision.answer)
    #expect(plan.status == 504 && plan.fields["Cache-Control"] == "no-store")
    guard case .text(let text) = plan.content else {
      Issue.record("it says nothing")
      return
    }
    #expect(plan.fields["Content-Length"] == "\(text.utf8.count)")
  }
}
