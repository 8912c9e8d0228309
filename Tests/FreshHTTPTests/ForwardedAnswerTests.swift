#if HTTP
  internal import Testing

  @testable import FreshHTTP

  @Suite struct ForwardedAnswerTests {
    @Test(
      arguments: [
        (["Content-Length": "5"], true), ([:], false), (["Transfer-Encoding": "chunked"], true),
        (["Transfer-Encoding": "gzip, Chunked"], true), (["Transfer-Encoding": "gzip"], false),
        (["Transfer-Encoding": "chunked, gzip"], false),
        (["Transfer-Encoding": "gzip", "Content-Length": "5"], false),
      ] as [(HeaderFields, Bool)])
    func `only a length, or a last coding that is chunked, shows the end of content`(
      fields: HeaderFields, showsItsEnd: Bool
    ) {
      #expect(ForwardedAnswer.hasLength(fields) == showsItsEnd)
    }
  }
#endif
