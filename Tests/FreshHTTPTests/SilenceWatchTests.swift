#if HTTP
  internal import AsyncHTTPClient
  internal import NIOCore
  internal import NIOEmbedded
  internal import NIOHTTP1
  internal import Testing

  @testable import FreshHTTP

  /// The watch on its own, with a clock that is moved.
  @Suite struct SilenceWatchTests {
    /// Reads only when it is told to, as the client library does, and keeps errors.
    private final class Reader: ChannelDuplexHandler {
      typealias InboundIn = HTTPClientResponsePart
      typealias OutboundIn = HTTPClientRequestPart
      private(set) var failure: HTTPClientError?
      private var context: ChannelHandlerContext?

      func handlerAdded(context: ChannelHandlerContext) { self.context = context }
      func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }
      func read(context: ChannelHandlerContext) {}
      func read() { context?.read() }
      func errorCaught(context: ChannelHandlerContext, error: any Error) {
        failure = error as? HTTPClientError
      }
    }

    private struct Bench {
      let channel = EmbeddedChannel()
      let reader = Reader()

      init() throws {
        let operations = channel.pipeline.syncOperations
        try operations.addHandlers([SilenceWatch(limit: .seconds(10)), reader])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 80)).wait()
      }

      func ask(isWhole: Bool = true) throws {
        let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/")
        try channel.writeOutbound(HTTPClientRequestPart.head(head))
        if isWhole { try end() }
      }

      func end() throws { try channel.writeOutbound(HTTPClientRequestPart.end(nil)) }

      func receive(_ part: HTTPClientResponsePart) throws {
        try channel.writeInbound(part)
      }

      func wait(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

      var isWritable: Bool {
        get { channel.isWritable }
        nonmutating set {
          channel.isWritable = newValue
          channel.pipeline.fireChannelWritabilityChanged()
        }
      }

      var hasEnded: Bool { reader.failure == .readTimeout && !channel.isActive }
    }

    private static let head = HTTPClientResponsePart.head(
      HTTPResponseHead(version: .http1_1, status: .ok))
    private static let part = HTTPClientResponsePart.body(ByteBuffer(string: "a"))

    @Test func `an origin that is silent for as long as it may be is given up`() throws {
      let bench = try Bench()
      bench.reader.read()
      try bench.ask()
      bench.wait(9)
      #expect(!bench.hasEnded)
      bench.wait(1)
      #expect(bench.hasEnded)
    }

    @Test func `each byte that comes begins the time anew`() throws {
      let bench = try Bench()
      bench.reader.read()
      try bench.ask()
      for part in [Self.head, Self.part, Self.part] {
        bench.wait(9)
        try bench.receive(part)
        bench.reader.read()
      }
      #expect(!bench.hasEnded)
      bench.wait(10)
      #expect(bench.hasEnded)
    }

    @Test func `while nothing more is asked for the origin is not silent`() throws {
      let bench = try Bench()
      bench.reader.read()
      try bench.ask()
      try bench.receive(Self.head)
      bench.wait(1000)
      #expect(!bench.hasEnded)
      bench.reader.read()
      bench.wait(9)
      #expect(!bench.hasEnded)
      bench.wait(1)
      #expect(bench.hasEnded)
    }

    @Test func `a connection that waits for its next request is not given up`() throws {
      let bench = try Bench()
      bench.reader.read()
      bench.wait(1000)
      try bench.ask()
      try bench.receive(Self.head)
      try bench.receive(.end(nil))
      bench.reader.read()
      bench.wait(1000)
      #expect(!bench.hasEnded)
      try bench.ask()
      bench.wait(10)
      #expect(bench.hasEnded)
    }

    @Test func `the time begins with the end of the request, however long that takes`() throws {
      let bench = try Bench()
      bench.reader.read()
      try bench.ask(isWhole: false)
      bench.wait(1000)
      #expect(!bench.hasEnded)
      try bench.end()
      bench.wait(10)
      #expect(bench.hasEnded)
    }

    @Test func `an origin that answers early, and then takes and says nothing, is given up`()
      throws
    {
      let bench = try Bench()
      bench.reader.read()
      try bench.ask(isWhole: false)
      try bench.receive(Self.head)
      bench.reader.read()
      // It waits for more of the request.
      bench.wait(1000)
      #expect(!bench.hasEnded)
      bench.isWritable = false
      bench.wait(9)
      bench.isWritable = true
      bench.wait(1000)
      bench.isWritable = false
      bench.wait(9)
      try bench.receive(Self.part)
      // The reader takes the answer slowly.
      bench.wait(1000)
      #expect(!bench.hasEnded)
      bench.reader.read()
      bench.wait(9)
      #expect(!bench.hasEnded)
      bench.wait(1)
      #expect(bench.hasEnded)
    }

    @Test func `an origin that refuses a request before its end is waited for as after it`()
      throws
    {
      let bench = try Bench()
      bench.reader.read()
      try bench.ask(isWhole: false)
      try bench.receive(.head(HTTPResponseHead(version: .http1_1, status: .payloadTooLarge)))
      bench.reader.read()
      bench.wait(9)
      #expect(!bench.hasEnded)
      bench.wait(1)
      #expect(bench.hasEnded)
    }

    @Test func `an origin that has answered, and then takes no more of the request, is given up`()
      throws
    {
      let bench = try Bench()
      bench.reader.read()
      try bench.ask(isWhole: false)
      try bench.receive(Self.head)
      bench.isWritable = false
      try bench.receive(.end(nil))
      bench.wait(9)
      #expect(!bench.hasEnded)
      bench.wait(1)
      #expect(bench.hasEnded)
    }

    @Test func `an answer that ends before its request leaves nothing to wait for`() throws {
      let bench = try Bench()
      bench.reader.read()
      try bench.ask(isWhole: false)
      try bench.receive(Self.head)
      try bench.receive(.end(nil))
      bench.reader.read()
      try bench.end()
      bench.wait(1000)
      #expect(!bench.hasEnded)
    }
  }
#endif
