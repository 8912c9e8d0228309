internal import FreshHTTP
internal import Testing

@testable import FreshGateway

@Suite struct SentOnTests {
  @Test func `methods that are not known, and their answers, pass through as they are`() throws {
    let asked = try request("If-None-Match: \"a\" | Range: bytes=0-1 | X: y", "PROPFIND")
    let plan = try #require(
      semantics.decide(asked, among: [candidate("Cache-Control: max-age=60")]).forward)
    #expect(plan.fields == asked.fields && !plan.mayBeShared)
    let conclusion = semantics.conclude(answer("ETag: \"a\" | Z: 1", 207), to: plan)
    #expect(conclusion.status == 207 && conclusion.fields["Z"] == "1")
  }

  @Test func `RFC 9110 15.1: statuses that are not known pass through`() throws {
    let plan = try #require(semantics.decide(try request(), among: []).forward)
    let conclusion = semantics.conclude(answer("Z: 1", 299), to: plan)
    #expect(conclusion.status == 299 && conclusion.fields["Z"] == "1" && conclusion.kept == nil)
  }

  @Test func `RFC 9110 7.6.3: Via names the gateway, and a request that comes back is refused`()
    throws
  {
    let sent = SentOnFields.withVia(fields("Via: 1.1 a"), version: .http2, by: "freshstore")
    #expect(sent["Via"] == "1.1 a, 2 freshstore")
    let back = try request("Via: 1.1 a, 2 freshstore")
    #expect(semantics.decide(back, among: []).summary == "refuse 508")
    let hidden = SentOnFields.withVia(fields("Via: 1.1 \"a"), version: .http11, by: "freshstore")
    #expect(SentOnFields.haveCome(hidden, through: "freshstore"))
    #expect(
      semantics.decide(try request("Via: 1.1 other"), among: []).summary == "forward uri-miss")
  }

  @Test(arguments: [
    ("OPTIONS", "0", "refuse 200"), ("TRACE", "0", "refuse 501"),
    ("OPTIONS", "2", "forward method"),
    ("OPTIONS", "x", "forward method"), ("PROPFIND", "0", "forward method"),
    ("GET", "0", "forward uri-miss"),
  ])
  func `RFC 9110 7.6.2: Max-Forwards ends the way of OPTIONS and TRACE`(
    method: String, left: String, expected: String
  ) throws {
    let asked = try request("Max-Forwards: \(left)", method)
    let decision = semantics.decide(asked, among: [])
    #expect(decision.summary == expected)
    #expect(decision.forward?.fields["Max-Forwards"] != "0" || method != "OPTIONS")
    if left == "2" { #expect(decision.forward?.fields["Max-Forwards"] == "1") }
  }

  @Test func `RFC 9110 14.5: a part that is put goes on as it is, and makes its target invalid`()
    throws
  {
    let asked = try request("Content-Range: bytes 0-4/10 | Content-Length: 5", "PUT")
    let plan = try #require(
      semantics.decide(asked, among: [candidate("Cache-Control: max-age=60")]).forward)
    #expect(plan.fields["Content-Range"] == "bytes 0-4/10" && !plan.mayBeShared)
    let conclusion = semantics.conclude(answer("", 204), to: plan)
    #expect(conclusion.kept == nil)
    #expect(conclusion.invalidation.keys == ["http://origin.example/page"])
  }

  @Test func `an answer with contradicting lengths is passed on without them, and not kept`() throws
  {
    let plan = try #require(semantics.decide(try request(), among: []).forward)
    let text = "Cache-Control: max-age=60 | Content-Length: 5 | Content-Length: 6"
    let conclusion = semantics.conclude(answer(text), to: plan)
    #expect(conclusion.fields["Content-Length"] == nil && conclusion.refusal == .ambiguousLength)
  }

  @Test func `only a general request for a GET may serve others as well`() throws {
    func isShared(_ asked: String, _ method: String = "GET") throws -> Bool {
      try #require(semantics.decide(try request(asked, method), among: []).forward).mayBeShared
    }
    #expect(try isShared("If-None-Match: \"a\""))
    for asked in [
      "Range: bytes=0-1", "If-Match: \"a\"", "Cache-Control: no-store", "Content-Length: 1",
    ] {
      #expect(try !isShared(asked), "\(asked)")
    }
    #expect(try !isShared("", "HEAD"))
  }

  @Test func `any fields, however odd, come to a decision`() throws {
    var generator = SeededBytes(state: 42)
    let names = [
      "Cache-Control", "CDN-Cache-Control", "Surrogate-Control", "Age", "Date", "Expires", "Vary",
      "ETag", "Last-Modified", "Content-Range", "Range", "If-Range", "If-None-Match", "If-Match",
      "If-Modified-Since", "Cache-Groups", "Content-Length", "Connection", "Location", "Via",
    ]
    let pieces = [
      "max-age=", "s-maxage=1", "no-cache=\"", "private", "\"", ",", ";", "=",
      "99999999999999999999",
      "-", "bytes=", "0-", "bytes 0-9/10", "W/\"a\"", date(0), date(-9), "*", " ", "\\", "?1", ":",
      "x",
      "stale-if-error=9", "\u{e4}", "1.5", "-1", "/", "must-understand",
    ]
    func line() -> HeaderFields.Line {
      let value = (0..<generator.below(6)).map { _ in pieces[generator.below(pieces.count)] }
      return HeaderFields.Line(name: names[generator.below(names.count)], value: value.joined())
    }
    for _ in 0..<300 {
      func some() -> HeaderFields { HeaderFields((0..<generator.below(5)).map { _ in line() }) }
      let statuses = [200, 206, 304, 404, 500, 503]
      func origin() -> OriginAnswer {
        OriginAnswer(
          status: statuses[generator.below(statuses.count)], fields: some(), receivedAt: arrival,
          delay: .seconds(generator.below(9)))
      }
      let methods = ["GET", "HEAD", "POST"]
      let incoming = IncomingRequest(
        methods[generator.below(3)], "/",
        fields: HeaderFields(fields("Host: a").lines + some().lines))
      do {
        let request = try RequestReading(site: .origin(address("http://a"))).read(
          incoming, now: arrival)
        var candidates: [Candidate] = []
        for _ in 0..<generator.below(3) {
          do {
            let plain = try FreshGatewayTests.request()
            let kept = try Storing(policy: GatewayPolicy()).stored(origin(), for: plain)
            candidates.append(
              Candidate(
                kept.status == 206 ? kept : kept.with(.whole(100), policy: GatewayPolicy()),
                residentTime: .seconds(generator.below(99))))
          } catch is StoringRefusal {}
        }
        let decision = semantics.decide(request, among: candidates)
        if let plan = decision.forward {
          let conclusion = semantics.conclude(origin(), to: plan)
          for line in conclusion.fields.lines { #expect(FieldSyntax.isFieldValue(line.value)) }
          _ = semantics.conclude(plan, without: "down")
        }
      } catch is RequestRefusal {}
    }
  }

  @Test func `RFC 9110 6.5.1: what decides of a message does not go on behind it`() {
    let sent = TrailerFields.sent(
      of: fields("X-Sum: 1 | Content-Length: 5 | Vary: A | Connection: B | B: 2 | C: 3"))
    #expect(sent == fields("X-Sum: 1 | C: 3"))
    let shared = TrailerFields.sent(of: fields("X-Sum: 1 | X-User: a | D: 4"), besides: ["x-user"])
    #expect(shared == fields("X-Sum: 1 | D: 4"))
  }
}

/// A small generator of the same numbers every time.
private struct SeededBytes {
  var state: UInt64

  mutating func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }
}
