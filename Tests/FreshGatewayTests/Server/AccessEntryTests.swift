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
        == "{\"time\":\"Sun, 06 Nov 1994 08:49:37 GMT\",\"peer\":\"127.0.0.1\",\"method\":\"GET\","
        + "\"target\":\"/a\\\"b\\u000ac\",\"version\":\"HTTP/1.1\",\"status\":200,\"bytes\":7,"
        + "\"seconds\":1.234000,\"cache\":\"freshstore; hit; ttl=5\"}")
  }

  @Test func `a client that left before the end is named`() {
    var entry = entry
    entry.hasLeft = true
    #expect(entry.common.hasSuffix(" 1.234000 left"))
    #expect(entry.json.hasSuffix(",\"left\":true}"))
  }
}
