internal import FreshHTTP
internal import Testing

@testable import FreshGateway

@Suite struct RangeTests {
  private let fresh = "Cache-Control: max-age=600"

  private func answer(_ text: String, _ status: Int = 200, to asked: String, length: Int64 = 100)
    throws -> AnswerPlan?
  {
    let candidate = try candidate("\(fresh) | \(text)", status, length: length)
    return semantics.decide(try request(asked), among: [candidate]).answer
  }

  @Test(
    arguments: [
      ("bytes=0-9", 100, .parts([0..<10])), ("bytes=90-", 100, .parts([90..<100])),
      ("bytes=-10", 100, .parts([90..<100])), ("bytes=-200", 100, .parts([0..<100])),
      ("bytes=0-999", 100, .parts([0..<100])), ("bytes=99-99", 100, .parts([99..<100])),
      ("bytes=100-", 100, .unsatisfiable), ("bytes=-0", 100, .unsatisfiable),
      ("bytes=0-", 0, .unsatisfiable), ("bytes=-5", 0, .everything),
      ("bytes=100-,0-0", 100, .parts([0..<1])), ("BYTES=0-9", 100, .parts([0..<10])),
      ("bytes=0-0,-1", 1000, .parts([0..<1, 999..<1000])),
      ("bytes=500-599,0-99", 1000, .parts([500..<600, 0..<100])),
      ("bytes=0-9,5-19", 100, .parts([0..<20])), ("bytes=0-9,10-19", 100, .parts([0..<20])),
      ("bytes=0-9,50-59", 1000, .parts([0..<60])), ("bytes=0-,0-,0-", 100, .parts([0..<100])),
      ("bytes= 0-9 , 900-", 1000, .parts([0..<10, 900..<1000])),
      ("bytes=99999999999999999999-", 100, .unsatisfiable),
      ("bytes=0-99999999999999999999", 100, .parts([0..<100])),
    ] as [(String, Int64, RangeRequest.Resolution)])
  func `RFC 9110 14.1.2 and 15.3.7.2: ranges in a representation of some length`(
    text: String, length: Int64, expected: RangeRequest.Resolution
  ) throws {
    let ranges = try #require(RangeRequest(text))
    #expect(ranges.resolved(in: length) == expected)
  }

  @Test(arguments: [
    "", "bytes", "bytes=", "bytes=-", "bytes=a-b", "bytes=9-0", "bytes 0-9", "lines=0-9",
    "bytes=0-9,x", "bytes=1-2-3", "bytes=+1-2", "bytes=0x0-9",
    "bytes=" + (0..<33).map { "\($0 * 1000)-\($0 * 1000)" }.joined(separator: ","),
  ])
  func `RFC 9110 14.2: a field that is not valid, or asks for absurdly much, does not count`(
    text: String
  )
    throws
  {
    #expect(RangeRequest(text) == nil)
    #expect(try answer("", to: "Range: \(text)")?.status == 200)
  }

  @Test(arguments: ["lines=0-9", "seconds=1-2", "none=0-1", "byte=0-9"])
  func `RFC 9110 14.1.1: a unit that is not known does not count`(text: String) throws {
    let plan = try #require(try answer("", to: "Range: \(text)"))
    #expect(plan.status == 200 && plan.content == .whole)
  }

  @Test func `RFC 9110 14.3: whether ranges are accepted is told as the origin has told it`() throws
  {
    for text in ["bytes", "none"] {
      let plan = try #require(try answer("Accept-Ranges: \(text)", to: ""))
      #expect(plan.fields["Accept-Ranges"] == text)
    }
    let silent = try #require(try answer("", to: ""))
    #expect(silent.fields["Accept-Ranges"] == nil)
  }

  @Test func `RFC 9110 15.3.7.1: one range of a whole copy`() throws {
    let plan = try #require(
      try answer("ETag: \"a\" | Content-Type: text/plain", to: "Range: bytes=10-19"))
    #expect(plan.status == 206 && plan.content == .range(10..<20))
    #expect(plan.fields["Content-Range"] == "bytes 10-19/100")
    #expect(plan.fields["Content-Length"] == "10" && plan.fields["Content-Type"] == "text/plain")
    #expect(plan.fields["ETag"] == "\"a\"" && plan.fields["Age"] == "0")
  }

  @Test(arguments: [
    ("", "odd"), ("Range: bytes=0-1", "bytes 0-1/100"), ("Range: bytes=0-1,90-91", nil),
    ("Range: bytes=100-", "bytes */100"),
  ])
  func `RFC 9110 14.4 and RFC 9111 3.1: a Content-Range of no part is a field as any other`(
    asked: String, place: String?
  ) throws {
    let plan = try #require(try answer("Content-Range: odd", to: asked))
    #expect(plan.fields["Content-Range"] == place)
  }

  @Test func `RFC 9110 15.3.7.2 and 14.6: several ranges come in parts`() throws {
    let plan = try #require(
      try answer("Content-Type: text/plain", to: "Range: bytes=0-1,900-901", length: 1000))
    guard case .ranges(let parts) = plan.content else {
      Issue.record("there are no parts")
      return
    }
    #expect(plan.status == 206 && plan.fields["Content-Range"] == nil)
    #expect(plan.fields["Content-Type"] == "multipart/byteranges; boundary=boundary")
    #expect(plan.fields["Content-Length"] == "\(parts.length)")
    var text = ""
    for part in parts.parts {
      text +=
        String(decoding: part.head, as: UTF8.self) + String(repeating: "x", count: part.range.count)
    }
    text += String(decoding: parts.end, as: UTF8.self)
    #expect(text.utf8.count == Int(parts.length))
    #expect(
      text == """
        --boundary\r
        Content-Type: text/plain\r
        Content-Range: bytes 0-1/1000\r
        \r
        xx\r
        --boundary\r
        Content-Type: text/plain\r
        Content-Range: bytes 900-901/1000\r
        \r
        xx\r
        --boundary--\r

        """)
  }

  @Test func `RFC 9530 2: what is said of all of the content is not said of a part`() throws {
    let text = "ETag: \"a\" | Content-Digest: d | Content-MD5: m | Repr-Digest: r"
    for (asked, digest) in [
      ("", "d"), ("Range: bytes=0-9", nil), ("Range: bytes=0-9,900-", nil),
    ] as [(String, String?)] {
      let plan = try #require(try answer(text, to: asked, length: 1000))
      #expect(plan.fields["Content-Digest"] == digest)
      #expect((plan.fields["Content-MD5"] == nil) == (digest == nil))
      #expect(plan.fields["Repr-Digest"] == "r")
    }
    let halves = try ["0-4", "5-9"].map {
      try stored("\(fresh) | \(text) | Content-Range: bytes \($0)/10", 206)
    }
    let both = PartialCombination.combined(halves[1], with: halves[0], GatewayPolicy())
    #expect(both?.fields["Repr-Digest"] == "r")
    #expect(both?.fields["Content-Digest"] == nil && both?.fields["Content-MD5"] == nil)
  }

  @Test func `RFC 9110 15.5.17: a range beyond the end is refused with the length`() throws {
    let plan = try #require(try answer("Content-Type: text/plain", to: "Range: bytes=100-"))
    #expect(plan.status == 416 && plan.content == .none)
    #expect(plan.fields["Content-Range"] == "bytes */100" && plan.fields["Content-Type"] == nil)
  }

  @Test(arguments: [
    ("ETag: \"a\"", "If-Range: \"a\"", 206), ("ETag: \"a\"", "If-Range: \"b\"", 200),
    ("ETag: W/\"a\"", "If-Range: W/\"a\"", 200), ("ETag: \"a\"", "If-Range: W/\"a\"", 200),
    ("ETag: \"a\"", "If-Range: \"a\" | If-Range: \"a\"", 200), ("ETag: \"a\"", "If-Range:", 200),
    ("Last-Modified: \(date(-600)) | Date: \(date(0))", "If-Range: \(date(-600))", 206),
    ("Last-Modified: \(date(-600)) | Date: \(date(0))", "If-Range: \(date(-500))", 200),
    ("Last-Modified: \(date(-5)) | Date: \(date(0))", "If-Range: \(date(-5))", 200),
    ("Last-Modified: \(date(-600)) | Date: \(date(0))", "If-Range: x", 200),
  ])
  func `RFC 9110 13.1.5: If-Range compares strongly`(stored: String, asked: String, status: Int)
    throws
  {
    #expect(try answer(stored, to: "Range: bytes=0-9 | \(asked)")?.status == status)
  }

  @Test func `RFC 9110 13.2.2 and 14.2: conditions come before ranges, and ranges are for GET`()
    throws
  {
    let text = "ETag: \"a\""
    #expect(try answer(text, to: "Range: bytes=0-9 | If-None-Match: \"a\"")?.status == 304)
    let candidate = try candidate("\(fresh) | \(text)")
    let head = try request("Range: bytes=0-9", "HEAD")
    #expect(semantics.decide(head, among: [candidate]).answer?.status == 200)
    let gone = try FreshGatewayTests.candidate(fresh, 404)
    #expect(semantics.decide(try request("Range: bytes=0-9"), among: [gone]).answer?.status == 404)
  }

  @Test(
    arguments: [
      ("bytes=4-9", "answer 206"), ("bytes=6-8", "answer 206"), ("bytes=-3", "answer 206"),
      ("bytes=6-", "answer 206"), ("bytes=3-9", "forward partial"),
      ("bytes=0-0", "forward partial"),
      ("", "forward partial"), ("bytes=4-4,9-9", "answer 206"), ("bytes=10-", "forward partial"),
    ])
  func `RFC 9111 3.3: parts answer the requests for parts that are among them`(
    range: String, expected: String
  ) throws {
    let part = try candidate("\(fresh) | Content-Range: bytes 4-9/10", 206)
    let asked = try request(range.isEmpty ? "" : "Range: \(range)")
    let decision = semantics.decide(asked, among: [part])
    #expect(decision.summary == expected)
    if let plan = decision.answer {
      #expect(plan.fields["Content-Range"]?.hasSuffix("/10") == true)
    }
    // A range that no copy can answer is forwarded unchanged.
    if let plan = decision.forward {
      #expect(plan.fields["Range"] == (range.isEmpty ? nil : range))
    }
  }

  @Test func `without the length of the whole only ranges with both ends are known`() throws {
    let part = try candidate("\(fresh) | Content-Range: bytes 4-9/*", 206)
    let asked = try request("Range: bytes=5-6")
    let plan = try #require(semantics.decide(asked, among: [part]).answer)
    #expect(plan.fields["Content-Range"] == "bytes 5-6/*" && plan.content == .range(5..<7))
    #expect(
      semantics.decide(try request("Range: bytes=5-"), among: [part]).summary == "forward partial")
  }

  @Test(
    arguments: [
      ("ETag: \"a\"", "ETag: \"a\"", true), ("ETag: W/\"a\"", "ETag: W/\"a\"", false),
      ("ETag: \"a\"", "ETag: \"b\"", false), ("", "", false),
      ("Last-Modified: \(date(-600))", "Last-Modified: \(date(-600))", true),
      ("Last-Modified: \(date(-5))", "Last-Modified: \(date(-5))", false),
      ("ETag: \"a\"", "Last-Modified: \(date(-600))", false),
      (
        "ETag: a | Last-Modified: \(date(-600))", "ETag: b | Last-Modified: \(date(-600))", false
      ),
      ("ETag: a | Last-Modified: \(date(-600))", "ETag: a | Last-Modified: \(date(-600))", true),
    ])
  func `RFC 9111 3.4, RFC 9110 15.3.7.3: parts are combined under one strong validator`(
    old: String, new: String, isCombined: Bool
  ) throws {
    let first = try candidate(
      "\(fresh) | \(old) | Content-Range: bytes 0-4/10 | X: old | Y: 1", 206)
    let asked = try request("Range: bytes=5-")
    let plan = try #require(semantics.decide(asked, among: [first]).forward)
    let conclusion = semantics.conclude(
      self.answerOf("\(fresh) | \(new) | Content-Range: bytes 5-9/10 | X: new"), to: plan)
    #expect(conclusion.status == 206)
    #expect(conclusion.joins == (isCombined ? 0 : nil))
    guard isCombined, let part = conclusion.kept else { return }
    let whole = try #require(
      PartialCombination.combined(part, with: first.answer, GatewayPolicy()))
    #expect(whole.status == 200 && whole.content == .whole(10))
    #expect(whole.fields["X"] == "new" && whole.fields["Y"] == "1")
  }

  @Test(arguments: ["max-age=60, private=\"y\"", "max-age=60, no-cache=\"Y\""])
  func `a part takes over nothing of an older one that its own terms keep from others`(
    control: String
  ) throws {
    let text = "ETag: \"a\" | Content-Range: bytes"
    let old = try candidate(
      "Cache-Control: public, max-age=60 | \(text) 0-4/10 | Y: 1 | Z: 2 | Set-Cookie: a=b", 206)
    let part = try stored("Cache-Control: \(control) | \(text) 5-9/10 | X: new", 206)
    let whole = try #require(
      PartialCombination.combined(part, with: old.answer, GatewayPolicy()))
    #expect(whole.fields["Y"] == nil && whole.fields["Set-Cookie"] == nil)
    #expect(whole.fields["X"] == "new" && whole.fields["Z"] == "2")
  }

  @Test func `RFC 9111 3.4: a part that is all of it answers a request for all of it`() throws {
    let policy = GatewayPolicy()
    let text = "\(fresh) | ETag: \"a\" | Content-Range: bytes 0-9/10"
    let head = try Storing(policy: policy).stored(
      answerOf(text), for: request("Range: bytes=0-"))
    let stored = try #require(head.completed(length: 10, isComplete: true, policy: policy))
    let copy = Candidate(stored, residentTime: .zero)
    for method in ["GET", "HEAD"] {
      let plan = try #require(semantics.decide(try request("", method), among: [copy]).answer)
      #expect(plan.status == 200 && plan.fields["Content-Range"] == nil)
      #expect(plan.fields["Content-Length"] == "10")
    }
    let range = try #require(
      semantics.decide(try request("Range: bytes=0-"), among: [copy]).answer)
    #expect(range.status == 206 && range.fields["Content-Range"] == "bytes 0-9/10")
    let old = try candidate("\(fresh) | ETag: \"a\" | Content-Range: bytes 0-4/10 | X: 1", 206)
    let joined = try #require(PartialCombination.combined(stored, with: old.answer, policy))
    #expect(joined.status == 200 && joined.content == .whole(10) && joined.fields["X"] == "1")
  }

  @Test
  func `RFC 9110 15.3.7: a part that may lack fields is kept beside those that have them alone`()
    throws
  {
    let text = "\(fresh) | ETag: \"a\" | Content-Range: bytes 5-9/10"
    let asked = try request("Range: bytes=5- | If-Range: \"a\"")
    let alone = try #require(semantics.decide(asked, among: []).forward)
    #expect(semantics.conclude(answerOf(text), to: alone).refusal == .partial)
    let first = try candidate(
      "\(fresh) | ETag: \"a\" | Content-Range: bytes 0-4/10 | Content-Encoding: gzip", 206)
    let plan = try #require(semantics.decide(asked, among: [first]).forward)
    let conclusion = semantics.conclude(answerOf(text), to: plan)
    #expect(conclusion.joins == 0)
    let part = try #require(conclusion.kept)
    let whole = PartialCombination.combined(part, with: first.answer, GatewayPolicy())
    #expect(whole?.status == 200 && whole?.fields["Content-Encoding"] == "gzip")
  }

  private func answerOf(_ text: String) -> OriginAnswer { FreshGatewayTests.answer(text, 206) }

  @Test(
    arguments: [
      ([0..<5], 10, [5..<10], 10, [0..<10], true), ([0..<5], nil, [5..<10], 10, [0..<10], true),
      ([0..<3], 10, [5..<10], 10, [0..<3, 5..<10], false), ([0..<5], 10, [5..<9], 11, nil, false),
      ([0..<8], 10, [2..<9], nil, [0..<9], false), ([0..<20], nil, [0..<5], 10, nil, false),
    ] as [([Range<Int64>], Int64?, [Range<Int64>], Int64?, [Range<Int64>]?, Bool)])
  func `parts join where they touch, and differ where their wholes do`(
    one: [Range<Int64>], length: Int64?, other: [Range<Int64>], otherLength: Int64?,
    expected: [Range<Int64>]?, isWhole: Bool
  ) {
    let joined = StoredContent(one, of: length).combined(
      with: StoredContent(other, of: otherLength))
    #expect(joined?.extents == expected)
    #expect((joined?.isWhole ?? false) == isWhole)
  }

  @Test func `a stale whole answer is validated with the ranges of the client`() throws {
    let stale = try candidate("Cache-Control: max-age=1 | ETag: \"a\"", after: 5)
    let asked = try request("Range: bytes=0-9")
    let plan = try #require(semantics.decide(asked, among: [stale]).forward)
    #expect(plan.fields == fields("Range: bytes=0-9 | If-None-Match: \"a\""))
    let conclusion = semantics.conclude(FreshGatewayTests.answer("ETag: \"a\"", 304), to: plan)
    #expect(conclusion.status == 206 && conclusion.fields["Content-Range"] == "bytes 0-9/100")
  }

  @Test(
    arguments: [
      (1_000_000, 7_000_000, true), (1_000_000, 20_000_000, false), (2_500_000, 20_000_000, true),
    ] as [(Int64, Int64, Bool)])
  func `a part joins what is kept where that is not written again for little`(
    part: Int64, kept: Int64, pays: Bool
  ) {
    let content = StoredContent([0..<kept], of: nil)
    #expect(PartialCombination.pays(for: part, beside: content) == pays)
  }

  @Test(
    arguments: [(255, 1, true), (256, 1, false), (256, 31, false), (256, 32, true)]
      as [(Int64, Int64, Bool)])
  func `a client that asks for one byte here and there has no list of places grow without end`(
    count: Int64, part: Int64, pays: Bool
  ) {
    let content = StoredContent((0..<count).map { 2 * $0..<2 * $0 + 1 }, of: 1_000_000)
    #expect(content.extents.count == Int(count))
    #expect(PartialCombination.pays(for: part, beside: content) == pays)
  }
}
