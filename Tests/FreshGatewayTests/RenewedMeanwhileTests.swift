internal import FreshHTTP
internal import Strategies
internal import Testing

@testable import FreshGateway

/// A 304 arrives after other copies have replaced the copies that the origin was asked about.
@Suite struct RenewedMeanwhileTests {
  private let asking = "Cache-Control: no-cache | ETag: \"a\""

  /// A request that was planned with one copy.
  private func plan(_ text: String, asked: String = "") throws -> ForwardPlan {
    try #require(semantics.decide(try request(asked), among: [try candidate(text)]).forward)
  }

  @Test(arguments: [
    ("HEAD", "", 200), ("GET", "Range: bytes=0-9", 206), ("GET", "If-None-Match: \"a\"", 304),
    ("GET", "", 200),
  ])
  func `a request stays what its client has sent, whatever copy has come meanwhile`(
    method: String, asked: String, status: Int
  ) throws {
    let request = try request(asked, method)
    let sent = try #require(semantics.decide(request, among: []).forward)
    let copy = try candidate(
      "Cache-Control: max-age=1, stale-while-revalidate=60 | ETag: \"a\"", after: 5)
    #expect(
      semantics.decide(request, among: [copy]).summary == "answer \(status) and revalidate")
    let anew = try #require(semantics.plannedAnew(request, among: [copy]))
    #expect(anew.request == request && anew.method == method && anew.asked == [0])
    let failed = try #require(semantics.replanned(sent, among: [copy]))
    #expect(failed.request == request && failed.method == method)
    for plan in [anew, failed] {
      let conclusion = semantics.conclude(plan, without: "it is down")
      #expect(conclusion.status == status)
      guard case .copy(let reply, from: 0) = conclusion.reply else {
        Issue.record("no copy stands in")
        continue
      }
      #expect((reply.content == .none) == (method == "HEAD" || status == 304))
    }
    let fresh = try candidate("Cache-Control: max-age=60")
    #expect(semantics.plannedAnew(request, among: [fresh]) == nil)
  }

  @Test func `a 304 confirms the copy that has the validator now`() throws {
    let latest = try candidate("\(asking) | X-New: 1", at: 3)
    let now = try plan(asking).about([latest])
    #expect(now.asked == [0] && now.chosen == 0)
    let conclusion = semantics.conclude(answer("ETag: \"a\"", 304, at: 5), to: now)
    #expect(conclusion.status == 200)
    #expect(conclusion.fields["X-New"] == "1")
    #expect(conclusion.changes.count == 1)
  }

  @Test(arguments: [("bytes=0-9", true), ("bytes=50-59", false), ("bytes=0-50", false)])
  func `it is about no part that has not what is wanted`(range: String, isAsked: Bool) throws {
    let part = try candidate(
      "\(asking) | Content-Range: bytes 0-9/100 | Content-Length: 10", 206, at: 3)
    let now = try plan(asking, asked: "Range: \(range)").about([part])
    #expect(now.asked.isEmpty == !isAsked)
  }

  @Test(arguments: [
    // A renewal may bring a validator that was not there before.
    ("ETag: \"a\"", "ETag: \"a\" | Last-Modified: \(date(-60))", true),
    ("Last-Modified: \(date(-60))", "ETag: \"a\" | Last-Modified: \(date(-60))", true),
    ("ETag: \"a\"", "ETag: \"b\"", false), ("ETag: \"a\"", "ETag: W/\"a\"", false),
    (
      "ETag: \"a\" | Last-Modified: \(date(-60))", "ETag: \"b\" | Last-Modified: \(date(-60))",
      false
    ),
    ("Last-Modified: \(date(-60))", "Last-Modified: \(date(-50))", false),
    ("ETag: \"a\"", "X: none", false),
  ])
  func `it is about no copy with other validators`(old: String, new: String, isAsked: Bool) throws {
    let now = try plan("Cache-Control: no-cache | \(old)").about([
      candidate("\(new) | Cache-Control: max-age=60")
    ])
    #expect(now.asked.isEmpty == !isAsked)
  }

  @Test(arguments: [
    ("max-age=60", "", true), ("max-age=60", "Cookie: a", true), ("no-cache", "", false),
    ("public, no-cache", "Cookie: a", true), ("max-age=0", "", false),
  ])
  func `a copy that came after the request answers it, where it is for anybody`(
    terms: String, asked: String, isAnswer: Bool
  ) throws {
    let latest = try candidate("Cache-Control: \(terms) | ETag: \"b\"", after: 5)
    let now = try plan(asking, asked: asked).about([latest])
    #expect((semantics.validated(now, within: .seconds(5)) != nil) == isAnswer)
    #expect(semantics.validated(now, within: .seconds(4)) == nil)
    let marked = try candidate("Cache-Control: \(terms) | ETag: \"b\"", after: 5, mark: .stale)
    #expect(semantics.validated(now.about([marked]), within: .seconds(5)) == nil)
  }

  @Test(arguments: [
    ("Age: 20", "no-cache", false), ("Age: 20", "max-age=10", false), ("Age: 20", "", true),
    ("Age: 0", "no-cache", true), ("X: 1", "max-age=0", true),
  ])
  func `a copy that a cache behind the gateway gave meanwhile is no answer to a reload`(
    age: String, asked: String, isAnswer: Bool
  ) throws {
    let latest = try candidate("Cache-Control: max-age=60 | ETag: \"b\" | \(age)")
    let now = try plan(asking, asked: asked.isEmpty ? "" : "Cache-Control: \(asked)").about([
      latest
    ])
    #expect((semantics.validated(now, within: .zero) != nil) == isAnswer)
  }
}
