#if Gateway
  internal import FreshHTTP
  internal import NIOCore
  internal import NIOEmbedded

  @testable import FreshGateway

  /// A connection whose client takes bytes when the test says so, and whose time is moved by hand. The channel
  /// itself knows nothing of what waits, as beneath TLS. For one thread.
  final class SlowClient {
    /// The writes that the client has not taken.
    private final class Untaken: ChannelOutboundHandler {
      typealias OutboundIn = ByteBuffer
      typealias OutboundOut = ByteBuffer

      private var writes: [(bytes: ByteBuffer, promise: EventLoopPromise<Void>?)] = []
      private(set) var count = 0
      private(set) var size = 0

      func write(
        context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
      ) {
        let bytes = unwrapOutboundIn(data)
        writes.append((bytes, promise))
        if bytes.readableBytes > 0 { count += 1 }
        size += bytes.readableBytes
      }

      func flush(context: ChannelHandlerContext) {}

      func close(
        context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?
      ) {
        if mode == .all {
          let lost = writes
          writes = []
          for write in lost { write.promise?.fail(ChannelError.ioOnClosedChannel) }
        }
        context.close(mode: mode, promise: promise)
      }

      /// Takes what one promise is for.
      func take() -> ByteBuffer? {
        guard !writes.isEmpty else { return nil }
        var taken = ByteBuffer()
        while !writes.isEmpty {
          let write = writes.removeFirst()
          size -= write.bytes.readableBytes
          taken.writeImmutableBuffer(write.bytes)
          guard let promise = write.promise else { continue }
          promise.succeed(())
          break
        }
        return taken
      }
    }

    private let channel: EmbeddedChannel
    private let untaken = Untaken()
    private(set) var taken = ByteBuffer()

    init(_ core: GatewayCore) throws {
      channel = EmbeddedChannel(handlers: [untaken, ConnectionHandler(core)])
      try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    var isOpen: Bool { channel.isActive }
    /// The bytes that were written and not taken, and how many writes there were in all.
    var waiting: Int { untaken.size }
    var writes: Int { untaken.count }

    func send(_ text: String) throws {
      try channel.writeInbound(ByteBuffer(string: text))
    }

    func wait(_ time: TimeAmount) { channel.embeddedEventLoop.advanceTime(by: time) }

    /// Takes the next piece; false when there is none.
    @discardableResult
    func take() -> Bool {
      guard let bytes = untaken.take() else { return false }
      taken.writeImmutableBuffer(bytes)
      return true
    }

    func takeAll() { while take() {} }

    func leave() throws {
      if channel.isActive { channel.close(promise: nil) }
      channel.embeddedEventLoop.run()
      _ = try channel.finish(acceptAlreadyClosed: true)
    }
  }
#endif
