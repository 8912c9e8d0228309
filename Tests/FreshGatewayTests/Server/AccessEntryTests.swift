internal import Strategies
internal import Testing

@testable import FreshGateway

/// A line of the log is one request, whatever a client has sent.
@Suite struct AccessEntryTests {
  private let entry = AccessEntry(
    peer: "127.0.0.1", at: arrival, method: "GET", target: "/a\"b\nc", version: .http11,
    status: 200,
    length: 7, duration: .milliseconds(1234), decision: "freshstore; hit; ttl=5")

  @Test func `the common form has the decision and the time behind it`() {
    #expect(
      entry.common
        == "127.0.0.1 - - [06/Nov/1994:08:49:37 +0000] \"GET /a\\\"b\\u000ac HTTP/1.1\" 200 7 "
        + "\"freshstore; hit; ttl=5\" 1.234000")
  }

  @Test func `the JSON form is one object a line`() {
    #expect(
      entry.json
        == "{\"time\":\"1994-11-06T08:49:37.000Z\",\"peer\":\"127.0.0.1\","
        + "\"client\":\"127.0.0.1\",\"host\":null,\"method\":\"GET\","
        + "\"target\":\"/a\\\"b\\u000ac\",\"version\":\"HTTP/1.1\",\"status\":200,\"bytes\":7,"
        + "\"seconds\":1.234000,\"cache\":\"freshstore; hit; ttl=5\","
        + "\"userAgent\":null,\"referer\":null}")
  }

  @Test func `the JSON form tells of the client and of the origin what is known`() {
    var entry = entry
    (entry.client, entry.host) = ("203.0.113.7", "www.example")
    (entry.userAgent, entry.referer) = ("a \"b\"", "http://c/")
    entry.origin.time = .milliseconds(20)
    entry.origin.error = "connection refused"
    for part in [
      #""peer":"127.0.0.1","client":"203.0.113.7","host":"www.example""#,
      #""userAgent":"a \"b\"","referer":"http://c/""#,
      #""originSeconds":0.020000,"originError":"connection refused"}"#,
    ] { #expect(entry.json.contains(part)) }
    #expect(entry.common.hasPrefix("203.0.113.7 - - "))
  }

  @Test(arguments: [
    ("\u{7F}", "\\u007f"), ("\u{80}", "\\u0080"), ("\u{9B}", "\\u009b"), ("\u{9F}", "\\u009f"),
    ("\u{2028}", "\\u2028"), ("\u{2029}", "\\u2029"), ("\u{202E}", "\\u202e"),
    ("\u{E0001}", "\\udb40\\udc01"), ("é", "é"), ("\u{A0}", "\u{A0}"), ("👩\u{200D}💻", "👩\u{200D}💻"),
  ])
  func `what ends a line somewhere, or acts on a terminal, is escaped in both forms`(
    text: String, escaped: String
  ) {
    var entry = entry
    (entry.target, entry.userAgent, entry.referer) = ("/\(text)", "a\(text)", "b\(text)")
    #expect(entry.common.contains("\"GET /\(escaped) HTTP/1.1\""))
    for part in [
      "\"target\":\"/\(escaped)\"", "\"userAgent\":\"a\(escaped)\"",
      "\"referer\":\"b\(escaped)\"",
    ] { #expect(entry.json.contains(part)) }
  }

  @Test(arguments: [
    ("", "10.0.0.1"), ("203.0.113.7", "203.0.113.7"), ("1.1.1.1, 203.0.113.7", "203.0.113.7"),
    ("203.0.113.7, 10.0.0.2", "203.0.113.7"), ("10.0.0.3, 10.0.0.2", "10.0.0.3"),
    ("a b", "10.0.0.1"),
  ])
  func `the client behind peers that are believed is the nearest that is none`(
    field: String, client: String
  ) throws {
    let trusted = [try #require(PeerNetwork("10.0.0.0/8"))]
    let fields = fields(field.isEmpty ? "A: 1" : "X-Forwarded-For: \(field)")
    #expect(ForwardedClient("10.0.0.1", fields, trusting: trusted).origin(among: trusted) == client)
  }

  @Test func `a client that left before the end is named`() {
    var entry = entry
    entry.hasLeft = true
    #expect(entry.common.hasSuffix(" 1.234000 left"))
    #expect(entry.json.hasSuffix(",\"left\":true}"))
  }

  @Test func `an answer that is broken is named`() {
    var entry = entry
    (entry.isBroken, entry.origin.error) = (true, "its answer breaks off")
    #expect(entry.common.hasSuffix(" 1.234000 broken"))
    #expect(entry.json.hasSuffix(",\"originError\":\"its answer breaks off\",\"broken\":true}"))
  }
}
