#if Gateway
  internal import OriginServer
  internal import Testing

  @testable import FreshGateway

  /// Bytes of an origin's fields that are none of ASCII.
  @Suite(.timeLimit(.minutes(1))) struct UndecodedAnswerTests {
    @Test func `a value of other bytes than UTF-8 is left out, and any other goes on unchanged`()
      async throws
    {
      try await withGateway({ _ in }) { _ in
        let head =
          "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nX-City: M\u{FC}nchen\r\nX-Name: caf"
        let rest = "\r\nX-Last: z\r\nContent-Length: 2\r\n\r\nhi"
        return .init(raw: [.send(Array(head.utf8) + [0xE9] + Array(rest.utf8))])
      } test: { bench in
        // At first from the origin, then from the copy.
        for answer in [try await bench.ask("/a"), try await bench.askUntilHit("/a")] {
          #expect(answer.text == "hi")
          #expect(answer["X-City"] == "M\u{FC}nchen")
          #expect(answer["X-Name"] == nil)
          #expect(answer["X-Last"] == "z")
        }
      }
    }
  }
#endif
