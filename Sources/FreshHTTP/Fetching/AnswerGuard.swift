#if HTTP
  internal import NIOCore
  internal import NIOHTTP1
  internal import NIOHTTP2

  /// Ends a stream of HTTP/2 whose origin answers with what no recipient can follow, before the client library
  /// sees it: that library takes its own order of heads, content and ends for granted, and ends the process
  /// where an origin breaks it. Over HTTP/1 ``ResponseDecoder`` does the same.
  final class AnswerGuard: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    private var isInAnswer = false
    private var hasRefused = false

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
        // No request asks for another protocol, so 101 is no answer either (RFC 9110 section 15.2.2).
        guard (100...999).contains(head.status.code), head.status.code != 101 else {
          return refuse(.status, context)
        }
        isInAnswer = head.status.code >= 200
        // The library's text is bytes here, as that of HTTP/1 is; what it has lost stays U+FFFD.
        if head.headers.contains(where: { FieldText.isOpaque($0.value) }) {
          head.headers = HTTPHeaders(
            head.headers.map { ($0.name, FieldText.text(ofLibrary: $0.value)) })
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
  }
#endif
