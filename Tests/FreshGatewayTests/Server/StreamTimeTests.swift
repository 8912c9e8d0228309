#if Gateway
  internal import FreshHTTP
  internal import FreshStoreTesting
  internal import NIOCore
  internal import NIOEmbedded
  internal import NIOTLS
  internal import Testing

  @testable import FreshGateway

  /// Nobody holds a stream, or a connection of HTTP/2, by doing nothing. Time is that of the event loop, and moved by
  /// hand.
  @Suite struct StreamTimeTests {
    /// A connection whose handshake has chosen HTTP/2. For one thread.
    private final class Connection {
      private let channel: EmbeddedChannel
      private var bytes: [UInt8] = []

      init(_ store: TemporaryStore, settings: [UInt8] = []) throws {
        var options = GatewayOptions()
        options.origin = "http://origin.example"
        options.http.clock = store.clock
        let core = try GatewayCore(options, store.store)
        channel = EmbeddedChannel(handler: ProtocolChoice(core))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        channel.pipeline.fireUserInboundEventTriggered(
          TLSUserEvent.handshakeCompleted(negotiatedProtocol: "h2"))
        try send(
          Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
            + FrameClient.frame(.settings, on: 0, settings))
      }

      var isOpen: Bool { channel.isActive }

      func send(_ bytes: [UInt8]) throws { try channel.writeInbound(ByteBuffer(bytes: bytes)) }

      func wait(_ time: TimeAmount) { channel.embeddedEventLoop.advanceTime(by: time) }

      struct Frame {
        let kind: FrameClient.Kind?
        let stream: Int
        let payload: [UInt8]
      }

      /// The frames that were written since the last time.
      func written() throws -> [Frame] {
        while let part = try channel.readOutbound(as: IOData.self) {
          guard case .byteBuffer(let buffer) = part else { continue }
          bytes += buffer.readableBytesView
        }
        var frames: [Frame] = []
        while bytes.count >= 9 {
          let length = Int(bytes[0]) << 16 | Int(bytes[1]) << 8 | Int(bytes[2])
          frames.append(
            Frame(
              kind: FrameClient.Kind(rawValue: bytes[3]), stream: Int(bytes[8]),
              payload: Array(bytes[9..<(9 + length)])))
          bytes.removeFirst(9 + length)
        }
        return frames
      }

      /// Those of one stream.
      func written(on stream: Int) throws -> [Frame] {
        var frames: [Frame] = []
        for frame in try written() where frame.stream == stream { frames.append(frame) }
        return frames
      }

      func leave() throws { _ = try channel.finish(acceptAlreadyClosed: true) }
    }

    private static let reset: [UInt8] = FrameClient.number(8, 4)

    @Test func `a connection without streams ends in time, and says so`() async throws {
      try await TemporaryStore.run { store in
        let connection = try Connection(store)
        connection.wait(.seconds(59))
        #expect(connection.isOpen)
        #expect(try connection.written().allSatisfy { $0.kind != .goAway })
        connection.wait(.seconds(2))
        #expect(!connection.isOpen)
        #expect(try connection.written().last?.kind == .goAway)
        try connection.leave()
      }
    }

    @Test func `a request whose content is awaited in vain is refused`() async throws {
      try await TemporaryStore.run { store in
        let connection = try Connection(store)
        try connection.send(
          FrameClient.frame(
            .headers, on: 1, flags: FrameClient.endHeaders,
            FrameClient.block(":method: GET | :scheme: https | :path: /a | :authority: g")))
        connection.wait(.seconds(9))
        #expect(try connection.written().allSatisfy { $0.stream == 0 })
        connection.wait(.seconds(2))
        let answer = try connection.written(on: 1)
        #expect(answer.map(\.kind) == [.headers, .data, .reset])
        // The rest is not wanted, and nothing is wrong.
        #expect(answer.last?.payload == [0, 0, 0, 0])
        #expect(connection.isOpen)
        try connection.leave()
      }
    }

    @Test func `a stream whose window stays closed is reset, and the connection goes on`()
      async throws
    {
      try await TemporaryStore.run { store in
        // No stream has a window to begin with.
        let connection = try Connection(store, settings: [0, 4, 0, 0, 0, 0])
        let ask = FrameClient.block(":method: OPTIONS | :scheme: https | :path: * | :authority: g")
        let flags = FrameClient.endHeaders | FrameClient.endStream
        try connection.send(FrameClient.frame(.headers, on: 1, flags: flags, ask))
        connection.wait(.seconds(30))
        let head = try connection.written(on: 1)
        #expect(head.map(\.kind) == [.headers])
        connection.wait(.seconds(31))
        let end = try connection.written(on: 1)
        #expect(end.map(\.kind) == [.reset])
        #expect(end.last?.payload == Self.reset)
        #expect(connection.isOpen)
        try connection.send(
          FrameClient.frame(.headers, on: 3, flags: flags, ask)
            + FrameClient.frame(.windowUpdate, on: 3, FrameClient.number(1000, 4)))
        let answer = try connection.written(on: 3)
        #expect(answer.map(\.kind) == [.headers, .data])
        try connection.leave()
      }
    }
  }
#endif
