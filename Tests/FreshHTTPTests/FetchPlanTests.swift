internal import FreshStore
internal import Strategies
internal import Testing

@testable import FreshHTTP

@Suite struct FetchPlanTests {
  private func plan(
    _ url: String = "https://example.org/a", _ previous: Previous<[UInt8]>? = nil,
    configuration: HTTPConfiguration = HTTPConfiguration()
  ) throws -> FetchPlan {
    FetchPlan(address: try HTTPAddress(url), configuration: configuration, previous: previous)
  }

  /// The copy that a 200 with these fields leaves.
  private func stored(
    _ response: String, configuration: HTTPConfiguration = HTTPConfiguration()
  ) throws -> Previous<[UInt8]> {
    var plan = try plan(configuration: configuration)
    return copy(try #require(try plan.result(of: answer(200, response))).details)
  }

  @Test func `RFC 9111 4.3.1: without validators the request is unconditional`() throws {
    let request = try plan().requestFields
    #expect(request.first("If-None-Match") == nil)
    #expect(request.first("If-Modified-Since") == nil)
  }

  @Test func `RFC 9111 4.3.1: both validators go back unchanged`() throws {
    let copy = try stored("ETag: W/\"1\" | Last-Modified: \(date(-100))")
    let request = try plan("https://example.org/a", copy).requestFields
    #expect(request.first("If-None-Match") == "W/\"1\"")
    #expect(request.first("If-Modified-Since") == date(-100))
  }

  @Test func `RFC 9111 4.3.1: validators go only to the address they came from`() throws {
    let copy = try stored("ETag: \"1\"")
    #expect(try plan("https://example.org/b", copy).requestFields.first("If-None-Match") == nil)
    #expect(try plan("https://example.org/a?b", copy).requestFields.first("If-None-Match") == nil)
  }

  @Test func `RFC 9111 4.1: validators of another variant are not sent`() throws {
    let german = HTTPConfiguration(headers: ["Accept-Language": "de"])
    let english = HTTPConfiguration(headers: ["Accept-Language": "en"])
    let copy = try stored("ETag: \"1\" | Vary: Accept-Language", configuration: german)
    let same = try plan("https://example.org/a", copy, configuration: german)
    let other = try plan("https://example.org/a", copy, configuration: english)
    #expect(same.requestFields.first("If-None-Match") == "\"1\"")
    #expect(other.requestFields.first("If-None-Match") == nil)
  }

  @Test(arguments: ["gzip", "gzip, chunked", "Chunked, GZIP", "identity", ""])
  func `RFC 9112 7: a body in an unsupported transfer coding is refused`(coding: String) throws {
    var plan = try plan()
    #expect(throws: HTTPFetchError.self) {
      try plan.result(of: answer(200, "Transfer-Encoding: \(coding)"))
    }
    #expect(try plan.result(of: answer(200, "Transfer-Encoding: chunked")) != nil)
  }

  @Test(arguments: [
    ("/a?token=s3cret/1&x=1", "/b", "/a?token=s3cret/1&x=1"),
    ("/a?s3cret/1", "/b", "s3cret/1"), ("/a?token=s3cret%2F1", "/b", "token s3cret/1"),
    ("/a?token=s3cret/1&amp=2", "/b", "/a?token=s3cret/1&amp;amp=2"),
    ("/a", "/b?sig=s3cret/1", "/b?sig=s3cret/1"), ("/a?sig=s3cret/1", "/b", "s3cret/1"),
  ])
  func `a query that an origin repeats is not quoted`(
    first: String, second: String, words: String
  ) throws {
    var plan = try plan("https://example.org\(first)")
    _ = try plan.result(of: answer(302, "Location: \(second)"))
    let error = #expect(throws: HTTPFetchError.self) {
      try plan.result(of: answer(400, "", body: "bad request: \(words) here"))
    }
    let text = try #require(error).description
    #expect(!text.contains("s3cret") && text.contains("bad request") && text.contains("here"))
  }

  @Test func `a validator that cannot be sent is not kept`() throws {
    var plan = try plan()
    let fields = HeaderFields([.init(name: "ETag", value: "\"a\u{1}b\"")])
    let answer = HTTPAnswer(
      status: 200, fields: fields, body: [], arrival: reading(), responseDelay: .zero)
    let details = try #require(try plan.result(of: answer)).details
    #expect(details.validators.isEmpty)
  }

  @Test(arguments: [
    ("Cache-Control: max-age=60", "Cache-Control: max-age=90", Expiry.after(.seconds(90))),
    ("Cache-Control: max-age=60", "", .after(.seconds(60))),
    (
      "Expires: \(date(-3540)) | Date: \(date(-3600))", "Expires: \(date(30))", .after(.seconds(30))
    ),
    ("Cache-Control: max-age=60", "Cache-Control: no-cache", .immediately),
  ])
  func `RFC 9111 4.3.4 and 3.2: a 304 replaces the stored fields it carries`(
    stored response: String, notModified: String, expected: Expiry
  ) throws {
    var plan = try plan("https://example.org/a", stored("ETag: \"1\" | \(response)"))
    let fetched = try #require(try plan.result(of: answer(304, notModified)))
    #expect(fetched.isNotModified)
    #expect(fetched.details.expiry == expected)
  }

  @Test func `RFC 9111 4.3.4: a 304 restarts the age`() throws {
    let copy = try stored("ETag: \"1\" | Cache-Control: max-age=60 | Age: 50")
    var plan = try plan("https://example.org/a", copy)
    let fetched = try #require(try plan.result(of: answer(304)))
    #expect(copy.lastUpdate == arrival.advanced(by: .seconds(-50)))
    #expect(fetched.details.lastUpdate == arrival)
  }

  @Test(
    arguments: [("text/x; a=b", "text/x; a=b"), ("json", nil), ("text/", nil)]
      as [(String, String?)])
  func `a media type that is none is not kept, as no write may have it`(
    stated: String, kept: String?
  ) throws {
    var plan = try plan()
    let fetched = try #require(try plan.result(of: answer(200, "Content-Type: \(stated)")))
    #expect(fetched.details.contentType == kept)
  }

  @Test func `RFC 9111 3.2: a 304 does not change the content type`() throws {
    let copy = try stored("ETag: \"1\" | Content-Type: application/json")
    var plan = try plan("https://example.org/a", copy)
    let fetched = try #require(try plan.result(of: answer(304, "Content-Type: text/html")))
    #expect(fetched.details.contentType == "application/json")
  }

  @Test(arguments: [
    ("\"1\"", "\"1\"", true), ("W/\"1\"", "W/\"1\"", true), ("\"1\"", "W/\"1\"", true),
    ("W/\"1\"", "\"1\"", false), ("\"1\"", "\"2\"", false), ("1", "1", true), ("1", "2", false),
  ])
  func `RFC 9111 4.3.4: a 304 about another representation does not renew the copy`(
    stored tag: String, answered: String, renews: Bool
  ) throws {
    var plan = try plan("https://example.org/a", stored("ETag: \(tag)"))
    let fetched = try plan.result(of: answer(304, "ETag: \(answered)"))
    #expect((fetched != nil) == renews)
    #expect((plan.requestFields.first("If-None-Match") == nil) == !renews)
  }

  @Test(arguments: [("\"1\"", false), ("1", false), ("W/\"1\"", true), ("", true)])
  func `RFC 9111 4.3.4: a 304 with a strong tag does not renew a copy without one`(
    answered: String, renews: Bool
  ) throws {
    let modified = "Last-Modified: \(date(-100))"
    var plan = try plan("https://example.org/a", stored(modified))
    let fetched = try plan.result(of: answer(304, "ETag: \(answered) | \(modified)"))
    #expect((fetched != nil) == renews)
    #expect((plan.requestFields.first("If-Modified-Since") == nil) == !renews)
  }

  @Test(arguments: [(date(-100), true), (date(-99), false)])
  func `RFC 9111 4.3.4: without tags the modification date decides`(
    answered: String, renews: Bool
  ) throws {
    var plan = try plan("https://example.org/a", stored("Last-Modified: \(date(-100))"))
    #expect((try plan.result(of: answer(304, "Last-Modified: \(answered)")) != nil) == renews)
  }

  @Test func `a 304 to an unconditional request is an error`() throws {
    var plan = try plan()
    #expect(throws: HTTPFetchError.unexpectedNotModified("https://example.org/a")) {
      try plan.result(of: answer(304))
    }
  }

  @Test(arguments: [404, 410])
  func `a missing object is gone, with its own lifetime and without validators`(status: Int) throws
  {
    var plan = try plan()
    let fetched = try plan.result(of: answer(status, "Cache-Control: max-age=9 | ETag: \"1\""))
    #expect(fetched?.isGone == true)
    #expect(fetched?.details.expiry == .after(.seconds(9)))
    #expect(fetched?.details.validators.isEmpty == true)
  }

  @Test(arguments: [201, 206, 300, 305, 400, 401, 403, 407, 412, 418, 429, 500, 503, 599])
  func `every other status is an error with the beginning of its body`(status: Int) throws {
    var plan = try plan()
    let expected = HTTPFetchError.status(
      status, url: "https://example.org/a", bodyPrefix: "no way", retryAfter: .seconds(7))
    #expect(throws: expected) {
      try plan.result(of: answer(status, "Retry-After: 7", body: "no\n\u{1B}way"))
    }
  }

  @Test func `an answer without a stated lifetime leaves the store's policy in force`() throws {
    #expect(try stored("").lastUpdate == arrival)
    var plan = try plan()
    #expect(try plan.result(of: answer(200))?.details.expiry == nil)
  }

  @Test func `RFC 9111 5.2.2.5: no-store keeps the value from being stored`() throws {
    var plan = try plan()
    let fetched = try plan.result(of: answer(200, "Cache-Control: no-store", body: "x"))
    #expect(fetched?.details.isStorable == false)
    #expect(fetched?.text == "x")
  }

  @Test func `an unrequested coding is an error`() throws {
    var plan = try plan()
    let expected = HTTPFetchError.unsupportedEncoding("https://example.org/a", coding: "br")
    #expect(throws: expected) { try plan.result(of: answer(200, "Content-Encoding: br")) }
  }

  @Test func `the source has no query, the address to ask again has it`() throws {
    var plan = try plan("HTTPS://example.org:443/a?token=secret#part")
    let details = try #require(try plan.result(of: answer(200))).details
    #expect(details.source == "https://example.org/a?…")
    #expect(details.address == "https://example.org/a?token=secret")
    #expect(details.metadata?.contains("secret") == false)
  }

  @Test func `the source is the address where it leaves nothing out`() throws {
    var plan = try plan("https://example.org/a")
    let details = try #require(try plan.result(of: answer(200))).details
    #expect(details.source == "https://example.org/a" && details.address == nil)
  }
}
