internal import FreshHTTP
internal import Testing

@testable import FreshGateway

@Suite struct CacheStatusTests {
  @Test func `RFC 9211 2: the parameters`() {
    var status = CacheStatus("cache")
    #expect(status.text == "cache")
    status.forward = .uriMiss
    status.forwardStatus = 304
    status.timeToLive = .milliseconds(-1)
    status.isStored = true
    status.isCollapsed = false
    status.key = "http://a/\"x\""
    status.detail = "a\\b\u{e4}\r\n"
    #expect(
      status.text
        == "cache; fwd=uri-miss; fwd-status=304; ttl=-1; stored; collapsed=?0; "
        + "key=\"http://a/\\\"x\\\"\"; detail=\"a\\\\b\"")
    status.isHit = true
    #expect(!status.text.contains("fwd") && !status.text.contains("stored"))
  }

  @Test func `RFC 9211 2: it stands behind those of the caches that are nearer to the origin`()
    throws
  {
    let plan = try #require(semantics.decide(try request(), among: []).forward)
    let text = "Cache-Control: max-age=60 | Cache-Status: inner; hit"
    let conclusion = semantics.conclude(answer(text), to: plan)
    #expect(
      conclusion.fields["Cache-Status"] == "inner; hit, freshstore; fwd=uri-miss; ttl=60; stored")
  }

  @Test(arguments: [
    ("POST", "", "method", "request"), ("GET", "Content-Length: 1", "bypass", "request"),
    ("GET", "Cache-Control: no-store", "uri-miss", "request-no-store"),
    ("PROPFIND", "", "method", "request"),
  ])
  func `RFC 9211 2.2: it says why a request went on, and why its answer is not kept`(
    method: String, asked: String, reason: String, detail: String
  ) throws {
    let plan = try #require(semantics.decide(try request(asked, method), among: []).forward)
    let conclusion = semantics.conclude(answer("Cache-Control: max-age=60"), to: plan)
    #expect(
      conclusion.fields["Cache-Status"] == "freshstore; fwd=\(reason); detail=\"\(detail)\"")
  }

  @Test func `RFC 9211 2.7: the key is shown on request`() throws {
    var policy = GatewayPolicy()
    policy.revealsKey = true
    let candidate = try candidate("Cache-Control: max-age=60")
    let plan = try #require(
      CacheSemantics(policy).decide(try request(), among: [candidate]).answer)
    #expect(
      plan.fields["Cache-Status"] == "freshstore; hit; ttl=60; key=\"http://origin.example/page\"")
  }
}
