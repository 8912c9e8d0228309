internal import FreshHTTP
internal import Testing

@testable import FreshGateway

@Suite struct StoringTests {
  @Test func `what an answer has its first reader do at that moment is kept with no copy`() throws {
    let moment = "Alt-Svc: h3=\":443\" | Clear-Site-Data: \"cache\""
    let kept = try stored("Cache-Control: max-age=60 | ETag: \"a\" | \(moment) | A: 1")
    #expect(
      kept.fields.removing(["date"]) == fields("Cache-Control: max-age=60 | ETag: \"a\" | A: 1"))
    let plan = try forwardPlan(
      [try candidate("Cache-Control: max-age=60 | ETag: \"a\"", after: 61)])
    let renewed = semantics.conclude(answer("ETag: \"a\" | \(moment)", 304), to: plan)
    #expect(renewed.changes.count == 1)
    for case .renew(_, let stored) in renewed.changes {
      #expect(stored.fields.first("Alt-Svc") == nil)
      #expect(stored.fields.first("Clear-Site-Data") == nil)
    }
    // The client that has asked gets the fields.
    let first = semantics.conclude(
      answer("Cache-Control: max-age=60 | \(moment)"),
      to: .asking(try request(), .uriMiss, [], chosen: nil))
    #expect(first.fields["Alt-Svc"] != nil && first.fields["Clear-Site-Data"] != nil)
  }

  @Test(
    arguments: [
      ("Cache-Control: max-age=60", nil), ("Expires: \(date(60))", nil),
      ("Cache-Control: s-maxage=60", nil), ("Last-Modified: \(date(-6000))", nil),
      ("ETag: \"a\"", nil), ("", .useless), ("Cache-Control: max-age=0", .useless),
      ("Expires: 0", .useless), ("Cache-Control: max-age=0, stale-if-error=9", nil),
      ("Cache-Control: no-store", .noStore),
      ("Cache-Control: no-store, max-age=60", .noStore), ("Cache-Control: private", .private),
      ("Cache-Control: private, max-age=60", .private),
      ("Cache-Control: private=\"A\", max-age=60", nil),
      ("Cache-Control: private=, max-age=60", .private),
      ("Cache-Control: no-cache | ETag: \"a\"", nil), ("Cache-Control: no-cache", .useless),
      ("Cache-Control: max-age=60 | Vary: *", .variesByEverything),
      ("Cache-Control: max-age=60 | Vary: A, *", .variesByEverything),
      ("Cache-Control: max-age=60 | Vary: (", .variesByEverything),
      ("Cache-Control: no-store | CDN-Cache-Control: max-age=60", nil),
      ("Cache-Control: max-age=60 | CDN-Cache-Control: no-store", .noStore),
      ("Cache-Control: max-age=60 | Set-Cookie: a=b", .setsCookie),
      ("Cache-Control: s-maxage=60 | Set-Cookie: a=b", nil),
      ("Cache-Control: s-maxage=0 | ETag: \"a\" | Set-Cookie: a=b", .setsCookie),
      ("Cache-Control: s-maxage=x | ETag: \"a\" | Set-Cookie: a=b", .setsCookie),
      ("Cache-Control: s-maxage=0 | ETag: \"a\"", nil),
      ("CDN-Cache-Control: max-age=60 | Set-Cookie: a=b", .setsCookie),
      ("CDN-Cache-Control: public, max-age=60 | Set-Cookie: a=b", nil),
      ("CDN-Cache-Control: s-maxage=60 | Set-Cookie: a=b", nil),
      ("Cache-Control: no-store | Surrogate-Control: content=\"ESI/1.0\" | ETag: \"a\"", .noStore),
      ("Cache-Control: private | CDN-Cache-Control: stale-if-error=9 | ETag: \"a\"", .private),
      ("ETag: \"a\" | Set-Cookie: a=b", .setsCookie),
      ("Cache-Control: public | ETag: \"a\" | Set-Cookie: a=b", nil),
      ("Cache-Control: max-age=60 | Content-Length: 5 | Content-Length: 6", .ambiguousLength),
      ("Cache-Control: max-age=60 | Content-Length: x", .ambiguousLength),
      (
        "Cache-Control: max-age=60 | Content-Length: 5 | Transfer-Encoding: chunked",
        .ambiguousLength
      ),
    ] as [(String, StoringRefusal?)])
  func `RFC 9111 3: what a shared cache may keep`(text: String, expected: StoringRefusal?) throws {
    #expect(refusal(text, for: try request()) == expected)
  }

  @Test(
    arguments: [
      ("Cache-Control: private, max-age=60", nil), ("Cache-Control: private | ETag: \"a\"", nil),
      ("Cache-Control: no-store", .noStore), ("Cache-Control: s-maxage=60", .useless),
      ("Cache-Control: max-age=60 | CDN-Cache-Control: no-store", nil),
    ] as [(String, StoringRefusal?)])
  func `RFC 9111 3 and 5.2.2.7: what a private cache may keep`(
    text: String, expected: StoringRefusal?
  )
    throws
  {
    #expect(refusal(text, for: try request("Authorization: a"), .personal) == expected)
  }

  @Test(
    arguments: [
      ("max-age=60", .authorization), ("public, max-age=60", nil), ("s-maxage=60", nil),
      ("must-revalidate, max-age=60", nil), ("proxy-revalidate, max-age=60", .authorization),
      ("no-cache", .authorization),
    ] as [(String, StoringRefusal?)])
  func `RFC 9111 3.5: an answer to an identified user is kept only when it says so`(
    control: String, expected: StoringRefusal?
  ) throws {
    let asked = try request("Authorization: Basic QWxhZGRpbg==")
    #expect(refusal("Cache-Control: \(control) | ETag: \"a\"", for: asked) == expected)
  }

  @Test(
    arguments: [
      (200, "", nil), (299, "", nil), (404, "", nil), (503, "", nil), (599, "", nil),
      (304, "", .status), (412, "", .status), (416, "", .status), (407, "", .status),
      (100, "", .status), (600, "", .status),
      (200, ", must-understand", nil), (200, ", must-understand, no-store", nil),
      (299, ", must-understand", .mustUnderstand),
      (299, ", must-understand, no-store", .mustUnderstand), (299, ", no-store", .noStore),
    ] as [(Int, String, StoringRefusal?)])
  func `RFC 9111 3 and 5.2.2.3: statuses, and those that must be understood`(
    status: Int, more: String, expected: StoringRefusal?
  ) throws {
    #expect(refusal("Cache-Control: max-age=60\(more)", status, for: try request()) == expected)
  }

  @Test(arguments: [428, 429, 431, 511])
  func `RFC 6585 3, 4, 5 and 6: what one client is refused is kept for nobody`(status: Int) throws {
    let text = "Cache-Control: public, max-age=60 | ETag: \"b\""
    #expect(refusal(text, status, for: try request()) == .status)
    #expect(refusal(text, status, for: try request(), .personal) == .status)
    // A client that waits for the answer does not get it either, and the copy stays.
    let old = try candidate("Cache-Control: max-age=1 | ETag: \"a\"", after: 5)
    let plan = try #require(semantics.decide(try request(), among: [old]).forward)
    let conclusion = semantics.conclude(answer("Cache-Control: no-cache", status), to: plan)
    #expect(conclusion.status == status && conclusion.changes.isEmpty)
    #expect(conclusion.momentary == nil)
  }

  @Test(
    arguments: [
      (200, nil), (203, nil), (204, nil), (300, nil), (301, nil), (308, nil), (404, nil),
      (405, nil), (410, nil), (414, nil), (501, nil), (201, .notCacheable), (302, .notCacheable),
      (403, .notCacheable), (500, .notCacheable), (299, .notCacheable),
    ] as [(Int, StoringRefusal?)])
  func `RFC 9110 15.1, RFC 9111 4.2.2: a lifetime is only guessed for some statuses`(
    status: Int, expected: StoringRefusal?
  ) throws {
    #expect(refusal("Last-Modified: \(date(-6000))", status, for: try request()) == expected)
    let open = "Last-Modified: \(date(-6000)) | Cache-Control: public"
    #expect(refusal(open, status, for: try request()) == nil)
  }

  @Test func `RFC 9111 5.2.1.5: nothing is kept of a request with no-store`() throws {
    let asked = try request("Cache-Control: no-store")
    #expect(refusal("Cache-Control: max-age=60", for: asked) == .requestNoStore)
  }

  @Test(arguments: ["PUT", "DELETE", "OPTIONS", "HEAD", "TRACE", "PROPFIND", "POST"])
  func `RFC 9111 3: only the answers to GET are kept`(method: String) throws {
    #expect(refusal("Cache-Control: max-age=60", for: try request("", method)) == .request)
  }

  @Test func `RFC 9110 9.3.3: the answer to a POST is kept where it is what a GET would get`()
    throws
  {
    let asked = try request("Content-Length: 3", "POST", "/a")
    let own = "Cache-Control: max-age=60 | Content-Location: /a"
    #expect(refusal(own, for: asked) == nil)
    #expect(refusal("Cache-Control: max-age=60 | Content-Location: /b", for: asked) == .request)
    #expect(refusal("ETag: \"a\" | Content-Location: /a", for: asked) == .request)
    #expect(refusal(own, 201, for: asked) == .request)
  }

  @Test(
    arguments: [
      ("bytes 0-9/100", nil), ("bytes 0-9/*", nil), ("bytes 0-9/5", .partial),
      ("bytes 9-0/100", .partial), ("bytes */100", .partial), ("lines 0-9/100", .partial),
      ("", .partial),
    ] as [(String, StoringRefusal?)])
  func `RFC 9111 3.3, RFC 9110 14.4: a part is kept when its place is known`(
    place: String, expected: StoringRefusal?
  ) throws {
    let asked = try request("Range: bytes=0-9")
    let text = "Cache-Control: max-age=60 | Content-Range: \(place)"
    #expect(refusal(text, 206, for: asked) == expected)
    #expect(refusal("\(text) | Content-Length: 11", 206, for: asked) == .partial)
  }

  @Test func `RFC 9111 3.3: an answer is kept as whole only when all of it has come`() throws {
    let policy = GatewayPolicy()
    let head = try Storing(policy: policy)
      .stored(answer("Cache-Control: max-age=60 | Content-Length: 10"), for: request())
    #expect(head.completed(length: 10, isComplete: true, policy: policy)?.content == .whole(10))
    #expect(head.completed(length: 9, isComplete: true, policy: policy) == nil)
    #expect(head.completed(length: 10, isComplete: false, policy: policy) == nil)
    let chunked = try Storing(policy: policy)
      .stored(answer("Cache-Control: max-age=60"), for: request())
    #expect(chunked.completed(length: 7, isComplete: true, policy: policy)?.content == .whole(7))
    #expect(chunked.completed(length: 7, isComplete: false, policy: policy) == nil)
    let part = try Storing(policy: policy).stored(
      answer("Cache-Control: max-age=60 | Content-Range: bytes 0-9/100", 206), for: request())
    #expect(part.completed(length: 10, isComplete: true, policy: policy) == part)
    #expect(part.completed(length: 100, isComplete: true, policy: policy) == nil)
  }

  @Test func `RFC 9111 3.1: fields of the connection and of the proxy are not kept`() throws {
    let stored = try stored(
      "Cache-Control: max-age=60 | Connection: A, close | A: 1 | B: 2 | Keep-Alive: x | TE: x "
        + "| Proxy-Authenticate: x | Proxy-Authentication-Info: x | Proxy-Connection: x "
        + "| Transfer-Encoding: chunked | Upgrade: x | Trailer: x | Age: 3 | Warning: 110 - x "
        + "| Date: \(date(0))")
    #expect(stored.fields == fields("Cache-Control: max-age=60 | B: 2 | Date: \(date(0))"))
  }

  @Test func `RFC 9111 5.2.2.4 and 5.2.2.7: fields that no-cache and private name are not kept`()
    throws
  {
    let text =
      "Cache-Control: max-age=60, no-cache=\"A\", private=\"B, Date\" | A: 1 | B: 2 | C: 3 "
      + "| Date: \(date(0))"
    let shared = try stored(text).fields
    #expect(shared["A"] == nil && shared["B"] == nil && shared["C"] == "3")
    #expect(shared["Date"] == date(0))
    let personal = try stored(text, policy: .personal).fields
    #expect(personal["A"] == nil && personal["B"] == "2")
  }

  @Test func `RFC 9111 5.2.2.5: no-store forbids every cache to keep an answer`() throws {
    for policy in [GatewayPolicy(), .personal] {
      for status in [200, 206, 301, 404] {
        let text = "Cache-Control: public, max-age=60, no-store | ETag: \"a\""
        #expect(refusal(text, status, for: try request(), policy) == .noStore)
      }
    }
  }

  @Test func `RFC 9111 5.2.2.9: public has kept what would not be kept`() throws {
    let identified = try request("Authorization: a")
    #expect(refusal("Cache-Control: public, max-age=60", for: identified) == nil)
    #expect(refusal("Cache-Control: max-age=60", for: identified) == .authorization)
    #expect(refusal("Cache-Control: public | ETag: \"a\"", 302, for: try request()) == nil)
    #expect(refusal("ETag: \"a\"", 302, for: try request()) == .notCacheable)
  }

  @Test func `RFC 9111 5.5: Warning is obsolete, and not kept`() throws {
    let kept = try stored("Cache-Control: max-age=60 | Warning: 214 - x | Warning: 110 - y | X: z")
    #expect(kept.fields["Warning"] == nil && kept.fields["X"] == "z")
  }

  @Test func `RFC 9110 6.6.1: an answer without a date is given one`() throws {
    #expect(try stored("Cache-Control: max-age=60").fields["Date"] == date(0))
  }

  @Test func `a field that would split an answer in two is dropped`() throws {
    let stored = try stored("Cache-Control: max-age=60 | X: a\r\nSet-Cookie: b | Y Z: c")
    #expect(stored.fields["X"] == nil && stored.fields["Set-Cookie"] == nil)
    #expect(stored.fields.lines.count == 2)
  }
}
