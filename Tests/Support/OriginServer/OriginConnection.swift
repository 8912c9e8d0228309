#if HTTP
  internal import NIOCore

  /// One connection: bytes in, requests to the handler one after the other, its answers out.
  final class OriginConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let channel: any Channel
    private let record: OriginRecord
    private let requests: AsyncStream<OriginServer.Request>.Continuation
    private let answering: Task<Void, Never>
    private var parser = RequestParser()

    init(_ channel: any Channel, _ record: OriginRecord, _ handler: @escaping OriginServer.Handler)
    {
      let stream = AsyncStream.makeStream(of: OriginServer.Request.self)
      self.channel = channel
      self.record = record
      requests = stream.continuation
      answering = Self.answer(stream.stream, on: channel, record, handler)
    }

    func channelActive(context: ChannelHandlerContext) {
      if !record.open(channel) {
        context.close(promise: nil)
      }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      parser.append(unwrapInboundIn(data).readableBytesView)
      while let request = parser.next() {
        requests.yield(request)
      }
      if parser.isStuck {
        context.close(promise: nil)
      }
    }

    func channelInactive(context: ChannelHandlerContext) {
      record.closed(channel)
      requests.finish()
      answering.cancel()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      context.close(promise: nil)
    }

    private static func answer(
      _ requests: AsyncStream<OriginServer.Request>, on channel: any Channel,
      _ record: OriginRecord, _ handler: @escaping OriginServer.Handler
    ) -> Task<Void, Never> {
      Task {
        for await request in requests {
          record.add(request)
          let response = await handler(request)
          guard await send(response, to: channel, for: request) else { break }
        }
        // It fails only for a connection that is already closed.
        try? await channel.close().get()
      }
    }

    /// False when the connection has to be closed.
    private static func send(
      _ response: OriginServer.Response, to channel: any Channel, for request: OriginServer.Request
    ) async -> Bool {
      for step in response.steps {
        switch step {
        case .send(let bytes):
          do {
            try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
          } catch {
            return false
          }
        case .wait(let gate): await gate.wait()
        case .close: return false
        }
        if Task.isCancelled { return false }
      }
      return request["Connection"]?.lowercased() != "close"
    }
  }
#endif
