#if HTTP
  internal import NIOCore
  internal import NIOHTTP1

  /// The bytes of an HTTP/1 connection to an origin. It writes the head that was checked
  /// (``CheckedRequest``), byte by byte, and reads responses with ``ResponseDecoder``.
  ///
  /// It replaces the encoder and the decoder of the client library. That encoder changes targets and fields,
  /// as it takes them for text. That decoder refuses responses of servers in use.
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
    /// True after the first fault: no byte is read or written any more.
    private var hasFailed = false

    init(_ requests: CheckedRequests) { self.requests = requests }

    /// Replaces the library's encoder and decoder on a new connection.
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
        // The client library awaits no promise for a head, and a connection within TLS may take long to end.
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
        // Bytes after the previous response would be read as the response to this request.
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
      // A handler that is called here may write the next request, or read.
      guard !isDelivering else { return }
      isDelivering = true
      defer { isDelivering = false }
      do throws(AnswerFault) {
        while !hasFailed, let part = try decoder.next() { fire(part, context) }
      } catch {
        return fail(error, context)
      }
      // The bytes belong to no request, so only the connection ends.
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
        // The client library would reuse the connection for the next request just as it ends.
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

  /// Gives an HTTP/2 stream the head that was checked, in place of the client library's head.
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
    /// Writes the head of a request; each byte of its fields as it came.
    mutating func write(_ head: HTTPRequestHead) {
      writeString("\(head.method.rawValue) \(head.uri) HTTP/1.1\r\n")
      for (name, value) in head.headers {
        writeString("\(name): ")
        writeFieldValue(value)
        writeStaticString("\r\n")
      }
      writeStaticString("\r\n")
    }

    /// Writes a value, each of its bytes as it came (``FieldText``).
    package mutating func writeFieldValue(_ value: String) {
      if FieldText.isOpaque(value) {
        writeBytes(FieldText.bytes(value))
      } else {
        writeString(value)
      }
    }
  }
#endif
