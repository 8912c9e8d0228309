#if HTTP
  internal import NIOHTTP1
  internal import Testing

  @testable import FreshHTTP

  @Suite struct AnswerGuardTests {
    @Test(
      arguments: [
        (0, []), (50, []), (99, []), (101, []), (200, ["gzip, chunked"]), (200, ["gzip"]),
        (200, ["chunked", "chunked"]), (200, ["identity"]), (304, ["chunked, gzip"]),
      ] as [(Int, [String])])
    func `a head that no recipient can follow is refused`(status: Int, codings: [String]) {
      #expect(AnswerGuard.refusal(of: Self.head(status, codings)) != nil)
    }

    @Test(
      arguments: [
        (100, []), (103, []), (200, []), (200, ["chunked"]), (200, ["Chunked"]), (599, []),
        (999, []),
      ] as [(Int, [String])])
    func `any other head goes on`(status: Int, codings: [String]) {
      #expect(AnswerGuard.refusal(of: Self.head(status, codings)) == nil)
    }

    @Test func `RFC 9112 6.1: a transfer coding in HTTP 1.0 is refused`() {
      var head = Self.head(200, ["chunked"])
      head.version = .http1_0
      #expect(AnswerGuard.refusal(of: head) != nil)
    }

    private static func head(_ status: Int, _ codings: [String]) -> HTTPResponseHead {
      HTTPResponseHead(
        version: .http1_1, status: HTTPResponseStatus(statusCode: status),
        headers: HTTPHeaders(codings.map { ("Transfer-Encoding", $0) }))
    }
  }
#endif
