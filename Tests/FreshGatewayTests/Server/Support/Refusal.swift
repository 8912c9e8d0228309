#if Gateway
  internal import OriginServer
  internal import Testing

  @testable import FreshGateway

  /// Sends bytes to a new gateway: they are refused with a status, nothing of them reaches the origin, and another
  /// client, which was there before, is served as if they had never come.
  func expectRefusal(
    of text: String, with status: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await withGateway({ _ in }) { request in
      .init(200, ["Cache-Control": "no-store"], body: request.target)
    } test: { bench in
      let other = try await bench.connect()
      let client = try await bench.connect()
      try await client.send(text)
      let answer = try #require(await client.answer(), sourceLocation: sourceLocation)
      #expect(answer.status == status, sourceLocation: sourceLocation)
      #expect(answer["Connection"] == "close", sourceLocation: sourceLocation)
      #expect(await client.isEnded(), sourceLocation: sourceLocation)
      await client.close()
      try await other.send("GET /other HTTP/1.1\r\nHost: g\r\n\r\n")
      #expect(await other.answer()?.text == "/other", sourceLocation: sourceLocation)
      await other.close()
      #expect(bench.asked == ["GET /other"], sourceLocation: sourceLocation)
    }
  }
#endif
