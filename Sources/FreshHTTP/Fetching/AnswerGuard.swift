#if HTTP
  internal import NIOCore
  internal import NIOHTTP1
  internal import NIOHTTP2

  /// Ends a connection of HTTP/1, or a stream of HTTP/2, whose origin answers with what no recipient can follow, before the client library
  /// sees it: that library takes its own order of heads, content and ends for granted, and ends the process
  /// where an origin breaks it.
  ///
  /// To stand right behind what makes answers of bytes.
  final class AnswerGuard: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    private var isInAnswer = false
    private var hasRefused = false

    /// Guards a new connection.
    static func add(to channel: any Channel) -> EventLoopFuture<Void> {
      channel.eventLoop.submit {
        let operations = channel.pipeline.syncOperations
        let decoder = try operations.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
        try operations.addHandler(AnswerGuard(), position: .after(decoder))
      }
    }

    /// Guards a new stream of HTTP/2.
    static func add(toStream channel: any Channel) -> EventLoopFuture<Void> {
      channel.eventLoop.submit {
        let operations = channel.pipeline.syncOperations
        let codec = try operations.handler(type: HTTP2FramePayloadToHTTP1ClientCodec.self)
        try operations.addHandler(AnswerGuard(), position: .after(codec))
      }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard !hasRefused else { return }
      switch unwrapInboundIn(data) {
      case .head(var head):
        guard !isInAnswer else { return refuse(.order, context) }
        if let error = Self.refusal(of: head) { return refuse(error, context) }
        if head.status.code < 200 {
          // It has no content: a decompressor would begin with one that never ends.
          head.headers.remove(name: "Content-Encoding")
        } else {
          isInAnswer = true
        }
        context.fireChannelRead(wrapInboundOut(.head(head)))
      case .body:
        guard isInAnswer else { return refuse(.order, context) }
        context.fireChannelRead(data)
      case .end:
        guard isInAnswer else { return refuse(.order, context) }
        isInAnswer = false
        context.fireChannelRead(data)
      }
    }

    private func refuse(_ error: AnswerFault, _ context: ChannelHandlerContext) {
      hasRefused = true
      context.fireErrorCaught(error)
      context.close(promise: nil)
    }

    /// Why a head cannot be followed; `nil` for any other.
    static func refusal(of head: HTTPResponseHead) -> AnswerFault? {
      // Nobody asks for another protocol here, so 101 is no answer either (RFC 9110 section 15.2.2).
      guard (100...999).contains(head.status.code), head.status.code != 101 else {
        return .status
      }
      // RFC 9112 section 6.1: faulty in HTTP/1.0; and content in a coding that nobody takes off is not the content.
      let codings = head.headers["Transfer-Encoding"]
      guard !codings.isEmpty else { return nil }
      guard head.version != .http1_0, codings.count == 1,
        FieldSyntax.equalIgnoringCase(codings[0], "chunked")
      else { return .transferCoding }
      return nil
    }
  }
#endif
