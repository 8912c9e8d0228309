#if HTTP
  internal import NIOCore
  internal import NIOEmbedded
  internal import NIOHTTP1
  internal import Testing

  @testable import FreshHTTP

  /// The parts of an answer on a stream of HTTP/2.
  @Suite struct AnswerGuardTests {
    /// The fault that the guard finds in the parts; `nil` without one.
    private func fault(_ parts: [HTTPClientResponsePart]) -> AnswerFault? {
      let channel = EmbeddedChannel(handler: AnswerGuard())
      do {
        for part in parts { try channel.writeInbound(part) }
        return nil
      } catch {
        return error as? AnswerFault
      }
    }

    private static func head(_ status: Int) -> HTTPClientResponsePart {
      .head(HTTPResponseHead(version: .http2, status: HTTPResponseStatus(statusCode: status)))
    }

    @Test(arguments: [0, 50, 99, 101]) func `a status that ends no request is refused`(status: Int)
    {
      #expect(fault([Self.head(status)]) == .status)
    }

    @Test(arguments: [100, 103, 200, 599, 999]) func `any other goes on`(status: Int) {
      #expect(fault([Self.head(status)]) == nil)
    }

    @Test func `content and an end are of an answer, and one head is`() {
      let bytes = HTTPClientResponsePart.body(ByteBuffer(string: "x"))
      #expect(fault([bytes]) == .order)
      #expect(fault([.end(nil)]) == .order)
      #expect(fault([Self.head(200), Self.head(200)]) == .order)
      #expect(fault([Self.head(103), bytes]) == .order)
      #expect(fault([Self.head(103), Self.head(200), bytes, .end(nil), Self.head(200)]) == nil)
    }
  }
#endif
