#if Gateway
  internal import NIOCore

  /// A connection to a port of TLS until something has come: whoever begins with a request as it is without TLS is told
  /// so.
  final class PlainRequestGuard: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let choice: ProtocolChoice

    init(_ choice: ProtocolChoice) { self.choice = choice }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      // Every method that clients have begins with such a letter (RFC 9110 section 9), and no record of TLS does (RFC
      // 8446 section 5.1).
      let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
      let first = unwrapInboundIn(data).readableBytesView.first
      let isPlain = first.map { letters.contains($0) } ?? false
      if !isPlain || !choice.refusePlainRequest(behind: self, context) {
        context.fireChannelRead(data)
      }
      context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
  }
#endif
