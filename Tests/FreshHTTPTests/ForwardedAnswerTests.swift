#if HTTP
  internal import Testing

  @testable import FreshHTTP

  @Suite struct ForwardedAnswerTests {
    @Test(
      arguments: [
        (["Content-Length": "5"], true), ([:], true), (["Transfer-Encoding": "chunked"], true),
        (["Transfer-Encoding": "gzip, Chunked"], true), (["Transfer-Encoding": "gzip"], false),
        (["Transfer-Encoding": "chunked, gzip"], false),
        (["Transfer-Encoding": "gzip", "Content-Length": "5"], false),
      ] as [(HeaderFields, Bool)])
    func `a coding that is not chunked hides the end of content`(
      fields: HeaderFields, showsItsEnd: Bool
    ) {
      #expect(ForwardedAnswer.showsItsEnd(fields) == showsItsEnd)
    }
  }
#endif
