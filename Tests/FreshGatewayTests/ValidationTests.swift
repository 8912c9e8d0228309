internal import FreshHTTP
internal import Strategies
internal import Testing

@testable import FreshGateway

@Suite struct ValidationTests {
  private let stale = "Cache-Control: max-age=1"

  @Test(
    arguments: [
      ("ETag: \"a\"", "\"a\"", nil), ("ETag: W/\"a\"", "W/\"a\"", nil),
      ("Last-Modified: \(date(-600))", nil, date(-600)),
      ("ETag: \"a\" | Last-Modified: \(date(-600))", "\"a\"", date(-600)),
      ("ETag: a", nil, nil), ("Last-Modified: x", nil, nil), ("", nil, nil),
      ("ETag: \"a\" | ETag: \"b\"", nil, nil),
    ] as [(String, String?, String?)])
  func `RFC 9111 4.3.1: a stale answer is validated by what it has been sent with`(
    validators: String, tag: String?, modified: String?
  ) throws {
    let candidate = try candidate("\(stale) | \(validators)", after: 5)
    let plan = try forwardPlan([candidate])
    #expect(plan.fields["If-None-Match"] == tag)
    #expect(plan.fields["If-Modified-Since"] == modified)
    #expect(plan.asked == (tag == nil && modified == nil ? [] : [0]))
  }

  @Test
  func
    `RFC 9111 4.3.1: the tag of the selected variant is sent alone, and without one the strong tags of all`()
    throws
  {
    let texts = ["ETag: W/\"a\"", "ETag: \"b\" | Last-Modified: \(date(-600))", "ETag: W/\"c\""]
    let candidates = try texts.enumerated().map { index, text in
      try candidate("\(stale) | Vary: A | \(text)", for: "A: \(index)", after: 5)
    }
    #expect(try forwardPlan(candidates, for: "A: 0").fields["If-None-Match"] == "W/\"a\"")
    #expect(try forwardPlan(candidates, for: "A: 0").asked == [0])
    let dated = try forwardPlan(candidates, for: "A: 1")
    #expect(dated.fields["If-None-Match"] == "\"b\"")
    #expect(dated.fields["If-Modified-Since"] == date(-600))
    let unknown = try forwardPlan(candidates, for: "A: 9")
    #expect(unknown.fields["If-None-Match"] == "\"b\"")
    #expect(unknown.fields["If-Modified-Since"] == nil)
    #expect(unknown.reason == .varyMiss)
  }

  @Test(
    arguments: [
      ("Accept-Encoding: gzip, br", "", nil), ("Accept-Encoding: *", "", nil),
      ("Accept-Encoding: identity;q=0.5", "", "\"a\""), ("A: 1", "", "\"a\""),
      ("Accept-Encoding: br, gzip", "Content-Encoding: gzip", "\"a\""),
    ] as [(String, String, String?)])
  func `RFC 9111 4.3.1: no bytes without a coding are asked about for a client that accepts one`(
    asked: String, coding: String, tag: String?
  ) throws {
    let copy = try candidate(
      "\(stale) | Vary: Accept-Encoding | ETag: \"a\" | \(coding)",
      for: "Accept-Encoding: identity", after: 5)
    let plan = try forwardPlan([copy], for: asked)
    #expect(plan.chosen == nil && plan.fields["If-None-Match"] == tag)
    let other = try candidate("\(stale) | Vary: A | ETag: \"a\"", for: "A: 2", after: 5)
    #expect(try forwardPlan([other], for: asked).fields["If-None-Match"] == "\"a\"")
  }

  @Test(arguments: [
    ("A: 1", "gzip", false), ("Accept-Encoding: br", "gzip", false),
    ("Accept-Encoding: identity", "gzip", false), ("Accept-Encoding: br, gzip;q=0", "gzip", false),
    ("Accept-Encoding: gzip; q=0.000, br", "GZip", false),
    ("Accept-Encoding: *;q=0", "gzip", false),
    ("Accept-Encoding: gzip;q=0, *", "gzip", false),
    ("Accept-Encoding: gzip", "gzip, br", false), ("Accept-Encoding: br, GZIP;q=0.5", "gzip", true),
    ("Accept-Encoding: br, *", "gzip", true), ("Accept-Encoding: br;q=1.0, gzip", "gzip, br", true),
  ])
  func
    `RFC 9111 4.3.1: no coded bytes are asked about for a client that does not accept the coding`(
      asked: String, coding: String, isAsked: Bool
    ) throws
  {
    let copy = try candidate(
      "\(stale) | Vary: Accept-Encoding | ETag: \"a\" | Content-Encoding: \(coding)",
      for: "Accept-Encoding: gzip, deflate, br", after: 5)
    let plan = try forwardPlan([copy], for: asked)
    #expect(plan.chosen == nil && plan.asked == (isAsked ? [0] : []))
    #expect(plan.fields["If-None-Match"] == (isAsked ? "\"a\"" : nil))
    // The one that is selected has been sent for such a request.
    let selected = try forwardPlan([copy], for: "Accept-Encoding: br, deflate, gzip")
    #expect(selected.chosen == 0 && selected.fields["If-None-Match"] == "\"a\"")
  }

  @Test(arguments: [
    ("W/\"a\"", "\"a\""), ("\"a\"", "W/\"a\""), ("W/\"a\"", "W/\"a\""), ("\"a\"", "\"a\""),
  ])
  func
    `RFC 9111 4.3.4, RFC 9110 13.1.2: a 304 to one tag alone is about the copy that has it, whose tag stays`(
      old: String, new: String
    ) throws
  {
    let text = "\(stale) | Vary: Accept-Encoding"
    let coded = try candidate(
      "\(text) | Content-Encoding: gzip | ETag: \(old)", for: "Accept-Encoding: gzip", after: 5)
    let plain = try candidate("\(text) | ETag: \"a\"", after: 1)
    for all in [[coded, plain], [coded]] {
      let plan = try forwardPlan(all, for: "Accept-Encoding: gzip")
      let conclusion = semantics.conclude(answer("ETag: \(new) | X: new", 304), to: plan)
      #expect(conclusion.status == 200 && conclusion.changes.count == 1)
      #expect(conclusion.fields["Content-Encoding"] == "gzip" && conclusion.fields["ETag"] == old)
      guard case .renew(0, let renewed)? = conclusion.changes.first else {
        Issue.record("it was not renewed")
        continue
      }
      #expect(renewed.fields["ETag"] == old && renewed.fields["X"] == "new")
      #expect(renewed.selection == coded.answer.selection)
    }
  }

  @Test func `a weak tag of a 304 confirms no bytes of another variant`() throws {
    let copy = try candidate("\(stale) | Vary: A | ETag: \"a\"", for: "A: 1")
    let plan = try forwardPlan([copy], for: "A: 2")
    #expect(plan.fields["If-None-Match"] == "\"a\"")
    guard case .ask = semantics.conclude(answer("ETag: W/\"a\"", 304), to: plan).reply else {
      Issue.record("it was not asked again")
      return
    }
  }

  @Test func `conditions of the client are judged here, so that the copy is renewed for all`()
    throws
  {
    let candidate = try candidate("\(stale) | ETag: \"a\"", after: 5)
    let plan = try forwardPlan(
      [candidate], for: "If-None-Match: \"mine\" | If-Modified-Since: \(date(9))")
    #expect(plan.fields["If-None-Match"] == "\"a\"")
    #expect(plan.fields["If-Modified-Since"] == nil)
    let miss = try forwardPlan([], for: "If-None-Match: \"mine\"")
    #expect(miss.fields["If-None-Match"] == nil)
    #expect(semantics.conclude(answer("ETag: \"mine\""), to: miss).status == 304)
    #expect(semantics.conclude(answer("ETag: \"other\""), to: miss).status == 200)
  }

  @Test func `RFC 9111 4.3.2: If-Match and If-Unmodified-Since are for the origin`() throws {
    let text = "If-Match: \"x\" | If-None-Match: \"y\""
    let miss = try forwardPlan([], for: text)
    #expect(miss.fields == fields(text) && !miss.mayBeShared)
    #expect(semantics.conclude(answer("", 412), to: miss).refusal == .status)
    let unsent = try candidate("Cache-Control: max-age=60 | ETag: \"a\"")
    #expect(try forwardPlan([unsent], for: "If-Match: \"x\"").fields == fields("If-Match: \"x\""))
  }

  @Test func `RFC 9111 4.3.4: a 304 renews the answer, and the client gets it`() throws {
    let candidate = try candidate(
      "\(stale) | ETag: \"a\" | X: old | Y: kept | Date: \(date(0))", after: 5)
    let plan = try forwardPlan([candidate])
    let new = "ETag: \"a\" | Cache-Control: max-age=90 | X: new | Age: 3 | Date: \(date(7))"
    let conclusion = semantics.conclude(answer(new, 304, at: 10, delay: .seconds(2)), to: plan)
    #expect(conclusion.status == 200)
    #expect(conclusion.fields["X"] == "new" && conclusion.fields["Y"] == "kept")
    #expect(conclusion.fields["Age"] == "5" && conclusion.fields["Date"] == date(7))
    #expect(
      conclusion.fields["Cache-Status"] == "freshstore; fwd=stale; fwd-status=304; ttl=85; stored")
    guard case .renew(0, let renewed)? = conclusion.changes.first else {
      Issue.record("it was not renewed")
      return
    }
    #expect(renewed.initialAge == .seconds(5) && renewed.terms.lifetime == .seconds(90))
    #expect(renewed.receivedAt == arrival.advanced(by: .seconds(10)))
  }

  @Test func `RFC 9111 3.2: a 304 changes nothing that says how the stored bytes are read`() throws
  {
    let candidate = try candidate(
      "\(stale) | ETag: \"a\" | Content-Type: text/plain | Content-Encoding: gzip | Content-Foo: old",
      after: 5)
    let new =
      "ETag: \"a\" | Content-Type: text/html | Content-Encoding: br | Content-Length: 7 "
      + "| Content-Range: bytes 0-1/2 | Content-Foo: new | Connection: Z | Z: 1 | Set-Cookie: a=b"
    let conclusion = semantics.conclude(answer(new, 304), to: try forwardPlan([candidate]))
    let fields = conclusion.fields
    #expect(fields["Content-Type"] == "text/plain" && fields["Content-Encoding"] == "gzip")
    #expect(fields["Content-Length"] == "100" && fields["Content-Range"] == nil)
    #expect(fields["Content-Foo"] == "new" && fields["Z"] == nil && fields["Set-Cookie"] == "a=b")
  }

  @Test(
    arguments: [
      // Strong: all with the same.
      ("ETag: \"a\"", ["ETag: \"a\"", "ETag: \"a\"", "ETag: \"b\""], [0, 1]),
      ("ETag: \"x\"", ["ETag: \"a\"", "ETag: \"b\""], nil),
      ("ETag: \"a\"", ["Last-Modified: \(date(-600))"], nil),
      // The tag that it was asked about, in whichever form.
      ("ETag: \"a\"", ["ETag: W/\"a\""], [0]),
      ("ETag: \"a\"", ["ETag: \"a\" | Date: \(date(-9))", "ETag: W/\"a\""], [1]),
      // Weak: the most recent one.
      ("ETag: W/\"a\"", ["ETag: W/\"a\" | Date: \(date(-9))", "ETag: W/\"a\""], [1]),
      ("ETag: W/\"a\"", ["ETag: \"a\""], [0]), ("ETag: W/\"x\"", ["ETag: W/\"a\""], nil),
      ("Last-Modified: \(date(-600))", ["Last-Modified: \(date(-600))"], [0]),
      ("Last-Modified: \(date(-500))", ["Last-Modified: \(date(-600))"], nil),
      // A tag that cannot be read is another one.
      ("ETag: a", ["ETag: \"a\""], nil),
      // None: the one that it was asked for.
      ("", ["ETag: \"a\""], [0]),
      ("", ["ETag: \"a\"", "ETag: \"b\" | Date: \(date(-9))"], [0]),
    ] as [(String, [String], [Int]?)])
  func `RFC 9111 4.3.4: which stored answers a 304 is about`(
    new: String, old: [String], renewed: [Int]?
  ) throws {
    let candidates = try old.map { try candidate("\(stale) | \($0)", after: 20) }
    let plan = try forwardPlan(candidates)
    let conclusion = semantics.conclude(answer(new, 304), to: plan)
    guard let renewed else {
      guard case .ask(let again) = conclusion.reply else {
        Issue.record("it was not asked again")
        return
      }
      #expect(conclusion.changes.isEmpty && again.asked.isEmpty)
      #expect(again.fields["If-None-Match"] == nil && again.fields["If-Modified-Since"] == nil)
      return
    }
    let places = conclusion.changes.compactMap { change in
      if case .renew(let place, _) = change { place } else { nil }
    }
    #expect(places == renewed)
  }

  @Test func `RFC 9110 13.1.2: a 304 by the tag of another variant adds a variant with its bytes`()
    throws
  {
    let candidate = try candidate("\(stale) | Vary: A | ETag: \"a\"", for: "A: 1")
    let plan = try forwardPlan([candidate], for: "A: 2")
    let conclusion = semantics.conclude(
      answer("ETag: \"a\" | Vary: A | Cache-Control: max-age=9", 304), to: plan)
    #expect(conclusion.status == 200)
    guard case .add(let added, contentOf: 0)? = conclusion.changes.first else {
      Issue.record("it was not added")
      return
    }
    #expect(added.selection.matches(fields("A: 2")) && !added.selection.matches(fields("A: 1")))
    #expect(conclusion.changes.count == 1)
  }

  @Test(arguments: ["no-store", "private"])
  func `a 304 that forbids storing is the last use of the answer`(control: String) throws {
    let candidate = try candidate("\(stale) | ETag: \"a\"", after: 5)
    let conclusion = semantics.conclude(
      answer("ETag: \"a\" | Cache-Control: \(control)", 304), to: try forwardPlan([candidate]))
    #expect(conclusion.status == 200 && conclusion.changes == [.remove(0)])
  }

  @Test(arguments: [("GET", 304), ("HEAD", 200)])
  func `RFC 9111 5.2.2.3: what is kept as its status is understood is renewed, too`(
    method: String, status: Int
  ) throws {
    let text = "Cache-Control: must-understand, no-store, max-age=1 | ETag: \"a\""
    let known = try candidate(text, after: 5)
    let conclusion = semantics.conclude(
      answer(text, status), to: try forwardPlan([known], for: "", method))
    #expect(conclusion.status == 200 && renewed(conclusion).count == 1)
    let unknown = try candidate("\(stale) | ETag: \"a\"", 299, after: 5)
    let other = semantics.conclude(answer(text, 304), to: try forwardPlan([unknown]))
    #expect(other.status == 299 && other.changes == [.remove(0)])
  }

  @Test func `RFC 9111 5.2.1.5: the answer to a request with no-store renews nothing`() throws {
    let candidate = try candidate("\(stale) | ETag: \"a\"", after: 5)
    let plan = try forwardPlan([candidate], for: "Cache-Control: no-store")
    let conclusion = semantics.conclude(answer("ETag: \"a\"", 304), to: plan)
    #expect(conclusion.status == 200 && conclusion.changes.isEmpty)
  }

  @Test(arguments: [("max-age=9", 0, 0), ("public, max-age=9", 1, 1), ("must-revalidate", 1, 0)])
  func `RFC 9111 3.5: what an identified user was told changes no shared copy`(
    control: String, changes: Int, byHead: Int
  ) throws {
    let candidate = try candidate("\(stale) | ETag: \"a\"", after: 5)
    let new = answer("ETag: \"a\" | Set-Cookie: mine | Cache-Control: \(control)", 304)
    let conclusion = semantics.conclude(
      new, to: try forwardPlan([candidate], for: "Authorization: a"))
    #expect(conclusion.status == 200 && conclusion.changes.count == changes)
    #expect(conclusion.fields["Set-Cookie"] == "mine")
    let isForAll = control.hasPrefix("public")
    for kept in renewed(conclusion) { #expect((kept["Set-Cookie"] == "mine") == isForAll) }
    let head = semantics.conclude(
      answer("ETag: \"b\" | Cache-Control: \(control)"),
      to: try forwardPlan([candidate], for: "Authorization: a", "HEAD"))
    #expect(head.changes.count == byHead)
  }

  /// The fields of the copies as the answer renews them.
  private func renewed(_ conclusion: Conclusion) -> [HeaderFields] {
    conclusion.changes.compactMap { change in
      switch change {
      case .renew(_, let kept), .add(let kept, contentOf: _): kept.fields
      case .invalidate, .remove: nil
      }
    }
  }

  @Test(arguments: [
    ("", false), ("Cache-Control: max-age=9", false), ("Cache-Control: must-revalidate", false),
    ("Cache-Control: public", true), ("Cache-Control: s-maxage=9", true),
    ("Cache-Control: s-maxage=0", false),
    ("CDN-Cache-Control: max-age=9", false), ("CDN-Cache-Control: public", true),
  ])
  func `RFC 9111 7.3: a cookie that comes with a renewal is for whoever has asked alone`(
    control: String, isForAll: Bool
  ) throws {
    let texts = ["Set-Cookie: old | ", ""]
    for (text, method) in texts.flatMap({ [($0, "GET"), ($0, "HEAD")] }) {
      let candidate = try candidate(
        "Cache-Control: public, max-age=1 | Vary: A | \(text)ETag: \"a\"", for: "A: 1", after: 5)
      for asked in ["A: 1", "A: 2"] where asked == "A: 1" || method == "GET" {
        let new =
          "ETag: \"a\" | Vary: A | Set-Cookie: b | Set-Cookie: c | Set-Cookie2: d | \(control)"
        let conclusion = semantics.conclude(
          answer(new, method == "GET" ? 304 : 200),
          to: try forwardPlan([candidate], for: asked, method))
        #expect(conclusion.fields.values("Set-Cookie") == ["b", "c"])
        let kept = renewed(conclusion)
        #expect(kept.count == 1)
        for fields in kept {
          #expect(fields.values("Set-Cookie") == (isForAll ? ["b", "c"] : []))
          #expect((fields["Set-Cookie2"] == "d") == isForAll)
        }
      }
    }
  }

  @Test
  func `RFC 9111 5.2.2.4 and 5.2.2.7: what they name in a renewal is for whoever has asked alone`()
    throws
  {
    let candidate = try candidate("\(stale) | ETag: \"a\" | A: old | B: old | C: old", after: 5)
    let new =
      "ETag: \"a\" | A: new | B: new | Set-Cookie: mine "
      + "| Cache-Control: max-age=9, no-cache=\"A\", private=\"B, C, Set-Cookie\""
    for method in ["GET", "HEAD"] {
      let conclusion = semantics.conclude(
        answer(new, method == "GET" ? 304 : 200), to: try forwardPlan([candidate], for: "", method))
      #expect(conclusion.fields["A"] == "new" && conclusion.fields["B"] == "new")
      #expect(conclusion.fields["C"] == nil && conclusion.fields["Set-Cookie"] == "mine")
      let kept = renewed(conclusion)
      #expect(kept.count == 1)
      for fields in kept {
        for name in ["A", "B", "C", "Set-Cookie"] { #expect(fields[name] == nil) }
      }
    }
  }

  @Test func `RFC 9111 7.3: a cookie for all stays until a renewal makes the answer another one`()
    throws
  {
    let candidate = try candidate(
      "Cache-Control: public, max-age=1 | Set-Cookie: old | ETag: \"a\"", after: 5)
    for (control, cookie) in [("", "old"), ("Cache-Control: max-age=9", nil)] as [(String, String?)]
    {
      let new = answer("ETag: \"a\" | \(control)", 304)
      let kept = renewed(semantics.conclude(new, to: try forwardPlan([candidate])))
      #expect(kept.map { $0["Set-Cookie"] } == [cookie])
    }
  }

  @Test func `RFC 9111 4.3.5: parts stay as they are after a HEAD`() throws {
    let part = try candidate("\(stale) | ETag: \"a\" | Content-Range: bytes 0-9/100", 206)
    let plan = try forwardPlan([part], "HEAD")
    #expect(semantics.conclude(answer("ETag: \"b\""), to: plan).changes.isEmpty)
  }

  @Test func `a 304 that nothing was asked for is an error of the origin`() throws {
    let plan = try forwardPlan([])
    #expect(semantics.conclude(answer("", 304), to: plan).status == 502)
    let passed = try forwardPlan([], for: "If-Match: \"a\" | If-None-Match: \"b\"")
    #expect(semantics.conclude(answer("ETag: \"b\"", 304), to: passed).status == 304)
  }

  @Test func `RFC 9111 4.3.3: a full answer takes the place of the stale one`() throws {
    let candidate = try candidate("\(stale) | ETag: \"a\"", after: 5)
    let plan = try forwardPlan([candidate], for: "If-None-Match: \"b\"")
    let conclusion = semantics.conclude(
      answer("ETag: \"b\" | Cache-Control: max-age=60 | Content-Length: 5"), to: plan)
    #expect(conclusion.kept?.terms.lifetime == .seconds(60))
    // The client has it already.
    #expect(
      conclusion.reply
        == .origin(status: 304, fields: conclusion.fields, sendsContent: false))
    #expect(conclusion.fields["Content-Length"] == nil && conclusion.fields["ETag"] == "\"b\"")
  }

  @Test(arguments: [500, 501, 502, 503, 504, 505, 599])
  func `RFC 9111 4.3.3: an error of the server takes the place of no copy that is none`(
    status: Int
  ) throws {
    let new = answer("Cache-Control: max-age=60 | Content-Length: 5", status)
    // RFC 5861 section 4: the gateway serves the stale copy after some of these errors.
    let isStandIn = [500, 502, 503, 504].contains(status)
    for text in ["\(stale) | ETag: \"a\"", "\(stale), must-revalidate", "\(stale) | Vary: A"] {
      let plan = try forwardPlan([try candidate(text, after: 5)])
      let conclusion = semantics.conclude(new, to: plan)
      #expect(conclusion.changes.isEmpty)
      if isStandIn, !text.contains("must-revalidate") {
        #expect(conclusion.status == 200)
      } else {
        #expect(conclusion.status == status && conclusion.refusal == .serverError)
        #expect(conclusion.momentary != nil)
      }
    }
    let renewal = try #require(
      semantics.decide(
        try request(),
        among: [try candidate("\(stale), stale-while-revalidate=60", after: 5)]
      ).forward)
    #expect(semantics.conclude(new, to: renewal).changes.isEmpty)
    #expect(semantics.conclude(new, to: try forwardPlan([])).kept != nil)
    let absent = semantics.conclude(new, to: try forwardPlan([try candidate(stale, 404, after: 5)]))
    #expect(absent.changes.isEmpty && absent.status == (isStandIn ? 404 : status))
    let error = try forwardPlan([try candidate(stale, 500, after: 5)])
    #expect(semantics.conclude(new, to: error).kept != nil)
    #expect(semantics.conclude(answer("Cache-Control: max-age=60"), to: error).kept != nil)
  }

  @Test func `an error for all is not kept beside variants, and one of a variant beside others is`()
    throws
  {
    let other = try candidate("\(stale) | Vary: A", for: "A: 1", after: 5)
    let plan = try forwardPlan([other], for: "A: 2")
    let text = "Cache-Control: max-age=60"
    #expect(semantics.conclude(answer(text, 500), to: plan).refusal == .serverError)
    #expect(semantics.conclude(answer("\(text) | Vary: A", 500), to: plan).kept != nil)
    #expect(semantics.conclude(answer("\(text) | Vary: B", 500), to: plan).refusal == .serverError)
  }

  @Test(arguments: [
    ("Cache-Control: no-store", 200, true), ("Cache-Control: no-store", 404, true),
    ("Cache-Control: no-store", 403, false), ("Cache-Control: no-store", 500, false),
  ])
  func `a copy that was replaced by what may not be kept is not kept either`(
    text: String, status: Int, isRemoved: Bool
  ) throws {
    let candidate = try candidate("\(stale) | ETag: \"a\"", after: 5)
    let conclusion = semantics.conclude(answer(text, status), to: try forwardPlan([candidate]))
    #expect(conclusion.changes == (isRemoved ? [.remove(0)] : []))
  }

  @Test(arguments: [
    ("Cache-Control: private", ""), ("Cache-Control: private", "Cookie: a"),
    ("Cache-Control: no-store", "Cookie: a"), ("Cache-Control: no-store", "Authorization: a"),
    ("Cache-Control: no-store | Set-Cookie: a", ""), ("ETag: \"b\" | Set-Cookie: a", ""),
    ("Cache-Control: no-cache", "Cookie: a"), ("Cache-Control: max-age=0", "Cookie: a"),
    ("Cache-Control: no-cache, must-revalidate", "Authorization: a"),
  ])
  func `what one user is told leaves the copy of all others as it is`(text: String, asked: String)
    throws
  {
    let candidate = try candidate("\(stale) | ETag: \"a\"", after: 5)
    let conclusion = semantics.conclude(answer(text), to: try forwardPlan([candidate], for: asked))
    #expect(conclusion.kept == nil && conclusion.changes.isEmpty)
  }

  @Test(arguments: [
    ("no-cache", "", 1), ("no-cache", "Cookie: a", 0), ("max-age=9", "Cookie: a", 0),
    ("public, no-cache", "Cookie: a", 1),
  ])
  func `what one user is told of another answer, as by a HEAD, changes no copy of all`(
    control: String, asked: String, changes: Int
  ) throws {
    let candidate = try candidate("\(stale) | ETag: \"a\"", after: 5)
    let text = "Cache-Control: \(control)"
    let head = semantics.conclude(
      answer("\(text) | ETag: \"b\""), to: try forwardPlan([candidate], for: asked, "HEAD"))
    #expect(head.changes.count == changes)
    guard control != "max-age=9" else { return }
    let get = semantics.conclude(answer(text), to: try forwardPlan([candidate], for: asked))
    #expect(get.refusal == .useless && get.changes.count == changes)
  }

  @Test func `a 304 to one user that forbids storing leaves the copy as it is`() throws {
    let candidate = try candidate("\(stale) | ETag: \"a\"", after: 5)
    let conclusion = semantics.conclude(
      answer("ETag: \"a\" | Cache-Control: private", 304),
      to: try forwardPlan([candidate], for: "Cookie: a"))
    #expect(conclusion.status == 200 && conclusion.changes.isEmpty)
  }

  @Test(
    arguments: [
      ("ETag: \"a\"", 200, "renew"), ("ETag: \"a\" | Content-Length: 100", 200, "renew"),
      ("", 200, "renew"), ("ETag: \"b\"", 200, "invalidate"),
      ("ETag: \"a\" | Content-Length: 99", 200, "invalidate"),
      ("Last-Modified: \(date(-60))", 200, "invalidate"), ("", 404, "invalidate"),
      ("", 410, "invalidate"), ("", 500, "nothing"), ("", 403, "nothing"),
      ("Cache-Control: no-store", 200, "remove"),
    ])
  func `RFC 9111 4.3.5: the answer to a HEAD renews the stored answer, or makes it invalid`(
    text: String, status: Int, expected: String
  ) throws {
    let candidate = try candidate("\(stale) | ETag: \"a\" | X: old", after: 5)
    let plan = try forwardPlan([candidate], "HEAD")
    #expect(plan.method == "HEAD")
    let conclusion = semantics.conclude(answer("\(text) | X: new", status), to: plan)
    let change =
      switch conclusion.changes.first {
      case .renew(0, let renewed): renewed.fields["X"] == "new" ? "renew" : "wrong"
      case .invalidate(0): "invalidate"
      case .remove(0): "remove"
      default: "nothing"
      }
    #expect(change == expected && conclusion.storing == nil)
  }

  @Test(arguments: [
    ("", false), ("Last-Modified: \(date(-6000))", false), ("Content-Length: 100", false),
    ("ETag: \"a\"", true),
  ])
  func `RFC 9111 4.3.5: what one session was told is for no other by a HEAD that names no tag`(
    validators: String, isRenewed: Bool
  ) throws {
    var policy = GatewayPolicy()
    policy.lifetimes.found = [.init(nil, .seconds(60))]
    for control in ["no-cache", "max-age=0", ""] {
      let text = control.isEmpty ? "" : "Cache-Control: \(control) | "
      let copy = try candidate(
        "\(text)ETag: \"a\" | Last-Modified: \(date(-6000))", for: "Cookie: a", policy: policy)
      let decided = CacheSemantics(policy)
      for new in ["", "Cache-Control: public, max-age=60 | "] {
        let plan = try #require(decided.decide(try request("", "HEAD"), among: [copy]).forward)
        let conclusion = decided.conclude(answer("\(new)\(validators)"), to: plan)
        #expect(conclusion.changes.isEmpty == !isRenewed)
      }
    }
  }

  @Test(arguments: ["no-cache", "max-age=0", "max-age=9", "must-revalidate"])
  func `what one user is told by a HEAD that names no tag changes no copy of all`(control: String)
    throws
  {
    let candidate = try candidate("\(stale) | ETag: \"a\"", after: 5)
    for (text, changes) in [
      ("Cache-Control: \(control)", 0), ("Cache-Control: \(control) | Content-Length: 100", 0),
      ("Cache-Control: \(control) | ETag: \"a\"", 1), ("Cache-Control: public, \(control)", 1),
    ] {
      let conclusion = semantics.conclude(
        answer(text), to: try forwardPlan([candidate], for: "Cookie: a", "HEAD"))
      #expect(conclusion.changes.count == changes)
    }
  }

  @Test(arguments: [
    ("", 9, 200), ("Date: \(date(0))", 0, 200), ("Last-Modified: \(date(-60))", -60, 304),
    ("Last-Modified: \(date(-60))", -61, 200),
  ])
  func `what has just come is not what a client has by its date alone`(
    text: String, since: Int, status: Int
  ) throws {
    let old = try candidate("\(stale) | ETag: \"a\"", after: 5)
    for candidates in [[], [old]] {
      for method in ["GET", "HEAD"] {
        let plan = try forwardPlan(candidates, for: "If-Modified-Since: \(date(since))", method)
        #expect(semantics.conclude(answer(text), to: plan).status == status)
      }
    }
  }

  @Test(arguments: [Candidate.Mark.stale, .invalid])
  func `RFC 9111 4.3.5 and 4.4: a HEAD that names no version confirms nothing that was marked`(
    mark: Candidate.Mark
  ) throws {
    let modified = "Last-Modified: \(date(-600))"
    for (old, new, changes) in [
      ("", "", 0), ("", "Content-Length: 100", 0), ("ETag: \"a\"", "", 0),
      ("ETag: \"a\"", "ETag: \"a\"", 1), (modified, modified, 1), (modified, "", 0),
    ] {
      let copy = try candidate("Cache-Control: max-age=60 | \(old)", mark: mark)
      let conclusion = semantics.conclude(answer(new), to: try forwardPlan([copy], for: "", "HEAD"))
      #expect(conclusion.changes.count == changes)
    }
  }

  @Test func `a HEAD is answered from a whole stored GET, without its bytes`() throws {
    let whole = try candidate("Cache-Control: max-age=60")
    let answer = try #require(semantics.decide(try request("", "HEAD"), among: [whole]).answer)
    #expect(answer.status == 200 && answer.content == .none)
    #expect(answer.fields["Content-Length"] == "100")
  }
}
