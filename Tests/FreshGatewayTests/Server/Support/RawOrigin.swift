#if Gateway
  internal import NIOCore
  internal import NIOPosix
  internal import Synchronization

  /// An origin that records requests as bytes.
  ///
  /// It answers each request with 200, or answers early, after the header section.
  final class RawOrigin: Sendable {
    private let listener: any Channel
    private let record: Record

    /// The requests of all connections.
    private final class Record: Sendable {
      let requests = Mutex<[String]>([])
    }

    /// Cuts the bytes of a connection where a request ends that states a length, or has chunks.
    private final class Connection: ChannelInboundHandler {
      typealias InboundIn = ByteBuffer
      typealias OutboundOut = ByteBuffer

      private let record: Record
      private let early: String?
      private var left: Int
      private var hasAnsweredEarly = false
      private var text = ""

      init(_ record: Record, _ early: String?, _ count: Int) {
        (self.record, self.early, left) = (record, early, count)
      }

      func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        text += String(buffer: unwrapInboundIn(data))
        if let early {
          guard !hasAnsweredEarly, text.contains("\r\n\r\n") else { return }
          hasAnsweredEarly = true
          context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: early)), promise: nil)
          return drip(context)
        }
        while let length = Self.length(of: text) {
          let request = String(decoding: text.utf8.prefix(length), as: UTF8.self)
          text = String(decoding: text.utf8.dropFirst(length), as: UTF8.self)
          record.requests.withLock { $0.append(request) }
          let answer = "HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nContent-Length: 0\r\n\r\n"
          context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
        }
      }

      /// Goes on with its answer byte by byte.
      private func drip(_ context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let pause = TimeAmount.milliseconds(100)
        context.eventLoop.scheduleRepeatedTask(initialDelay: pause, delay: pause) { task in
          let (connection, context) = bound.value
          guard connection.left > 0, context.channel.isActive else { return task.cancel() }
          connection.left -= 1
          let bytes = connection.wrapOutboundOut(ByteBuffer(string: "x"))
          context.writeAndFlush(bytes, promise: nil)
        }
      }

      func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
      }

      /// The bytes of the first request; `nil` until all of it is there.
      private static func length(of text: String) -> Int? {
        guard let head = text.firstRange(of: "\r\n\r\n") else { return nil }
        let lines = text[..<head.lowerBound].lowercased().split(separator: "\r\n")
        var end: String.Index? = head.upperBound
        if lines.contains("transfer-encoding: chunked") {
          end = text[head.lowerBound...].firstRange(of: "\r\n0\r\n\r\n")?.upperBound
        } else if let line = lines.first(where: { $0.hasPrefix("content-length: ") }) {
          let length = Int(line.dropFirst("content-length: ".count)) ?? 0
          end = text.utf8.index(head.upperBound, offsetBy: length, limitedBy: text.endIndex)
        }
        return end.map { text.utf8.distance(from: text.startIndex, to: $0) }
      }
    }

    private init(_ listener: any Channel, _ record: Record) {
      (self.listener, self.record) = (listener, record)
    }

    /// - Parameters:
    ///   - early: The answer to the header section of a connection's first request; `nil` for an
    ///     answer to each whole request. The origin only reads the rest.
    ///   - count: The number of bytes that follow the early answer, ten in a second.
    static func start(
      answeringEarly early: String? = nil, dripping count: Int = 0
    ) async throws -> RawOrigin {
      let record = Record()
      let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(Connection(record, early, count))
          }
        }
        .bind(host: "127.0.0.1", port: 0).get()
      return RawOrigin(listener, record)
    }

    var url: String { "http://127.0.0.1:\(listener.localAddress?.port ?? 0)" }

    var requests: [String] { record.requests.withLock { $0 } }

    func stop() async {
      // It fails only for a listener that is closed already.
      try? await listener.close().get()
    }
  }
#endif
