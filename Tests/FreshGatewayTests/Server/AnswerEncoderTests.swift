#if Gateway
  internal import FreshHTTP
  internal import NIOCore
  internal import Testing

  @testable import FreshGateway

  /// The parts of an answer are the same bytes, however many of them are written at once.
  @Suite struct AnswerEncoderTests {
    private func text(
      _ parts: [AnswerPart], to version: IncomingRequest.Version = .http11
    ) -> String {
      var encoder = AnswerEncoder(to: version, keepsConnection: true)
      return parts.flatMap { encoder.encode($0, date: "now").buffers }
        .map { String(buffer: $0) }.joined()
    }

    @Test(arguments: [true, false], [true, false])
    func `content that goes with its head is framed as content that follows it`(
      hasLength: Bool, isEnd: Bool
    ) {
      let fields: HeaderFields = hasLength ? ["Content-Length": "3"] : ["A": "b"]
      let content = ByteBuffer(string: "one")
      for version in [IncomingRequest.Version.http11, .http10] {
        var parts = [AnswerPart.head(200, fields, hasContent: true), .content(content)]
        if isEnd { parts.append(.end(trailers: [:])) }
        let atOnce = text([.opening(200, fields, content, isEnd: isEnd)], to: version)
        #expect(atOnce == text(parts, to: version))
      }
    }

    @Test func `what was taken of a head with its content is told apart`() {
      var encoder = AnswerEncoder(to: .http11, keepsConnection: true)
      let encoded = encoder.encode(
        .opening(200, [:], ByteBuffer(string: "one"), isEnd: true), date: "now")
      let size = encoded.buffers.reduce(0) { $0 + $1.readableBytes }
      #expect(encoded.taken(0) == .nothing)
      #expect(encoded.taken(encoded.lead) == AnswerPart.Delivery(isBegun: true))
      #expect(encoded.taken(encoded.lead + 2) == AnswerPart.Delivery(content: 2, isBegun: true))
      #expect(
        encoded.taken(size) == AnswerPart.Delivery(content: 3, isBegun: true, isWhole: true))
    }
  }
#endif
