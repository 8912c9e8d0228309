#if HTTP
  internal import NIOCore
  internal import NIOHTTP1

  /// The bytes of a connection of HTTP/1 to an origin: what goes out is the head that was checked
  /// (``CheckedRequest``), byte by byte; what comes in is read by ``ResponseDecoder``.
  ///
  /// It stands in the place of the encoder and the decoder of the client library, which change both: targets and
  /// fields are text to them, and answers of servers in use are none.
  final class OriginWire: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = IOData

    private let requests: CheckedRequests
    private var decoder = ResponseDecoder()
    private var request: CheckedRequest?
    private var isChunked = false
    private var isDelivering = false
    /// True from the first fault on: no byte is read or written any more.
    private var hasFailed = false

    init(_ requests: CheckedRequests) { self.requests = requests }

    /// Takes the place of the library's own on a new connection.
    static func add(
      to channel: any Channel, _ requests: CheckedRequests
    ) -> EventLoopFuture<Void> {
      channel.eventLoop.submit {
        let operations = channel.pipeline.syncOperations
        let decoder = try operations.context(
          handlerType: ByteToMessageHandler<HTTPResponseDecoder>.self)
        let encoder = try operations.context(handlerType: HTTPRequestEncoder.self)
        try operations.addHandler(OriginWire(requests), position: .before(encoder.handler))
        return operations.removeHandler(context: decoder).and(
          operations.removeHandler(context: encoder)
        ).map { _ in }
      }.flatMap { $0 }
    }

    // MARK: Out

    func write(
      context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
    ) {
      guard !hasFailed else {
        promise?.fail(AnswerFault.unsent)
        // The client library awaits no promise for a head: a connection within TLS may take long to end.
        if case .head = unwrapOutboundIn(data) { context.fireErrorCaught(AnswerFault.unsent) }
        return
      }
      switch unwrapOutboundIn(data) {
      case .head(let head): write(head, context, promise)
      case .body(let part):
        guard part.readableBytes > 0 else {
          return context.write(wrapOutboundOut(part), promise: promise)
        }
        if isChunked {
          let size = String(part.readableBytes, radix: 16)
          context.write(
            wrapOutboundOut(.byteBuffer(ByteBuffer(string: "\(size)\r\n"))), promise: nil)
          context.write(wrapOutboundOut(part), promise: nil)
          context.write(wrapOutboundOut(.byteBuffer(ByteBuffer(string: "\r\n"))), promise: promise)
        } else {
          context.write(wrapOutboundOut(part), promise: promise)
        }
      case .end:
        let last = ByteBuffer(string: isChunked ? "0\r\n\r\n" : "")
        context.write(wrapOutboundOut(.byteBuffer(last)), promise: promise)
      }
    }

    private func write(
      _ head: HTTPRequestHead, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?
    ) {
      do {
        // Bytes behind the answer before would be read as the answer to this request.
        guard !decoder.hasStrayBytes else { throw AnswerFault.unsent }
        guard let request = requests.find(head) else { throw AnswerFault.order }
        let sent = try request.head(framedBy: head)
        var buffer = context.channel.allocator.buffer(capacity: 1024)
        buffer.write(sent)
        isChunked = sent.headers.contains(name: "Transfer-Encoding")
        self.request = request
        decoder.expect(request.method)
        context.write(wrapOutboundOut(.byteBuffer(buffer)), promise: promise)
      } catch {
        promise?.fail(error)
        fail(error, context)
      }
    }

    // MARK: In

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard !hasFailed else { return }
      decoder.append(unwrapInboundIn(data))
      deliver(context)
    }

    func channelInactive(context: ChannelHandlerContext) {
      if !hasFailed {
        do throws(AnswerFault) {
          if let part = try decoder.endOfConnection() { fire(part, context) }
        } catch {
          hasFailed = true
          context.fireErrorCaught(error)
        }
      }
      hasFailed = true
      context.fireChannelInactive()
    }

    private func deliver(_ context: ChannelHandlerContext) {
      // What is told may write the next request, or read.
      guard !isDelivering else { return }
      isDelivering = true
      defer { isDelivering = false }
      do throws(AnswerFault) {
        while !hasFailed, let part = try decoder.next() { fire(part, context) }
      } catch {
        return fail(error, context)
      }
      // Of no request: the connection ends, and no request with it.
      if !hasFailed, decoder.hasStrayBytes {
        hasFailed = true
        context.close(promise: nil)
      }
    }

    private func fire(_ part: ResponseDecoder.Part, _ context: ChannelHandlerContext) {
      switch part {
      case .head(let head):
        if (102..<200).contains(head.status) { request?.note(interim: head.status, head.fields) }
        let status = HTTPResponseStatus(statusCode: head.status, reasonPhrase: head.reason)
        var headers = HTTPHeaders(head.fields)
        // The client library would give the connection to the next request as it ends.
        if head.endsWithConnection { headers.add(name: "Connection", value: "close") }
        context.fireChannelRead(
          wrapInboundOut(
            .head(
              HTTPResponseHead(
                version: head.isCurrent ? .http1_1 : .http1_0, status: status,
                headers: headers))))
      case .content(let bytes): context.fireChannelRead(wrapInboundOut(.body(bytes)))
      case .end(let trailers):
        if !trailers.lines.isEmpty { request?.note(trailers: trailers) }
        context.fireChannelRead(
          wrapInboundOut(.end(trailers.lines.isEmpty ? nil : HTTPHeaders(trailers))))
      }
    }

    private func fail(_ error: any Error, _ context: ChannelHandlerContext) {
      hasFailed = true
      context.fireErrorCaught(error)
      context.close(promise: nil)
    }
  }

  /// Gives a stream of HTTP/2 the head that was checked, in the place of what the client library has made of it.
  final class StreamWire: ChannelOutboundHandler {
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    private let requests: CheckedRequests

    init(_ requests: CheckedRequests) { self.requests = requests }

    func write(
      context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
    ) {
      guard case .head(let head) = unwrapOutboundIn(data) else {
        return context.write(data, promise: promise)
      }
      do {
        guard let request = requests.find(head) else { throw AnswerFault.order }
        let sent = try request.head(framedBy: head)
        context.write(wrapOutboundOut(.head(sent)), promise: promise)
      } catch {
        promise?.fail(error)
        context.fireErrorCaught(error)
        context.close(promise: nil)
      }
    }
  }

  extension ByteBuffer {
    /// The head of a request, as the bytes of its fields came.
    mutating func write(_ head: HTTPRequestHead) {
      writeString("\(head.method.rawValue) \(head.uri) HTTP/1.1\r\n")
      for (name, value) in head.headers {
        writeString("\(name): ")
        writeFieldValue(value)
        writeStaticString("\r\n")
      }
      writeStaticString("\r\n")
    }

    /// A value, each of its bytes as it came (``FieldText``).
    package mutating func writeFieldValue(_ value: String) {
      if FieldText.isOpaque(value) {
        writeBytes(FieldText.bytes(value))
      } else {
        writeString(value)
      }
    }
  }
#endif
