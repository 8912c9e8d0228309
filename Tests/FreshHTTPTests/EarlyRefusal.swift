#if HTTP
  internal import NIOCore
  internal import NIOPosix

  /// A server that refuses a request as soon as it has begun, closes its own side of the connection, and
  /// keeps reading the rest of the request (RFC 9112 section 9.6).
  struct EarlyRefusal {
    private let channel: any Channel

    var port: Int { channel.localAddress?.port ?? 0 }

    init(_ group: any EventLoopGroup = NIOSingletons.posixEventLoopGroup) async throws {
      channel = try await ServerBootstrap(group: group)
        .childChannelOption(.allowRemoteHalfClosure, value: true)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(Handler())
          }
        }
        .bind(host: "127.0.0.1", port: 0).get()
    }

    func stop() async throws { try await channel.close() }

    private final class Handler: ChannelInboundHandler {
      typealias InboundIn = ByteBuffer
      typealias OutboundOut = ByteBuffer
      private var hasAnswered = false

      func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasAnswered else { return }
        hasAnswered = true
        let answer =
          "HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
        context.close(mode: .output, promise: nil)
      }
    }
  }
#endif
