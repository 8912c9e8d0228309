#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import NIOCore
  internal import NIOHPACK
  internal import NIOHTTP2
  internal import Strategies

  /// One stream of HTTP/2: one request, and its answer.
  final class StreamHandler: ChannelDuplexHandler, ClientWire {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    /// The number of body bytes that a client may send before the origin wants them. As many more may wait for the
    /// origin.
    static let window = 65_535

    private enum Phase {
      /// Waits for the header section, or for the frame that tells whether there is a body.
      case reading
      /// An exchange answers.
      case answering
      /// The handler writes an answer that was ready.
      case writing
      /// The request is answered or broken; further input is dropped.
      case ended
    }

    private let connection: StreamConnection
    private let writer: StreamWriter
    private var context: ChannelHandlerContext?
    private var phase = Phase.reading
    private var request: ClientRequest
    private var hasHead = false
    private var hasWholeRequest = false
    /// The body bytes received so far.
    private var received: Int64 = 0
    /// True when some of the answer is written: no other answer can replace it.
    private var hasBegun = false
    /// True when the gateway has reset the stream.
    private var isReset = false
    private var isReadPending = false
    /// When the last input came.
    private var lastMove: NIODeadline

    init(_ connection: StreamConnection) {
      self.connection = connection
      writer = StreamWriter(connection.memory)
      let now = NIODeadline.now()
      lastMove = now
      request = ClientRequest(
        connection.core, from: connection.peer, nil, version: .http2, connection.memory, at: now)
    }

    private var core: GatewayCore { connection.core }

    // MARK: The stream

    func handlerAdded(context: ChannelHandlerContext) {
      self.context = context
      lastMove = context.eventLoop.now
      connection.open(self)
      writer.whenChanged = { [connection] difference, isTaken in
        connection.note(difference, isTaken: isTaken)
      }
    }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    /// Called when both directions have ended, or either side has reset the stream.
    func channelInactive(context: ChannelHandlerContext) {
      connection.close(self)
      if !writer.hasEnded {
        phase = .ended
        request.end()
      }
      context.fireChannelInactive()
    }

    /// The error ends the stream, and `channelInactive` follows.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      if error is NIOHTTP2Errors.StreamClosed, !isReset { connection.noteReset() }
    }

    /// Aborts an answer that has begun, because the gateway ends. A client that waits for an answer still gets one.
    func cutOff() {
      guard hasBegun, phase != .ended else { return }
      request.isCutOff = true
      reset(.cancel)
    }

    /// Resets the stream, so that the client does not take the answer for complete.
    private func reset(_ code: HTTP2ErrorCode) {
      phase = .ended
      isReset = true
      request.end()
      context?.writeAndFlush(wrapOutboundOut(.rstStream(code)), promise: nil)
    }

    /// Ends the request after its answer was taken.
    private func conclude() {
      phase = .ended
      request.end()
      guard writer.hasEnded else { return reset(.internalError) }
      // The rest of the request is useless (RFC 9113 section 8.1).
      if !hasWholeRequest { reset(.noError) }
      readOn()
    }

    // MARK: Reading

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard phase != .ended else { return }
      lastMove = context.eventLoop.now
      switch unwrapInboundIn(data) {
      case .headers(let part) where !hasHead:
        hasHead = true
        read(part.headers, isEnd: part.endStream, context)
      case .headers: readEnd(context)
      case .data(let part):
        guard case .byteBuffer(let bytes) = part.data else { return }
        read(bytes, isEnd: part.endStream, context)
      default: break
      }
      expectEnd()
    }

    func read(context: ChannelHandlerContext) {
      if mayRead { context.read() } else { isReadPending = true }
    }

    /// An upload is read as fast as the origin takes it: reading opens the stream's window.
    private var mayRead: Bool { phase == .ended || request.upload?.hasRoom ?? true }

    private func readOn() {
      guard isReadPending, mayRead, let context else { return }
      isReadPending = false
      context.read()
    }

    private func read(_ headers: HPACKHeaders, isEnd: Bool, _ context: ChannelHandlerContext) {
      hasWholeRequest = isEnd
      let reader = StreamHead(isProxy: core.servesAnyOrigin, limits: core.limits.head)
      do throws(RequestRefusal) {
        let head = try reader.read(headers)
        request = ClientRequest(
          core, from: connection.peer, head, version: .http2, connection.memory,
          at: context.eventLoop.now)
        // Some clients end a request without a body by an empty frame.
        if isEnd || head.tellsOfContent {
          try begin(head, hasContent: !isEnd, context)
        } else {
          try request.hold()
        }
      } catch {
        refuse(error)
      }
    }

    private func read(_ bytes: ByteBuffer, isEnd: Bool, _ context: ChannelHandlerContext) {
      if bytes.readableBytes > 0 {
        received += Int64(bytes.readableBytes)
        guard received <= core.limits.head.content else { return refuse(Self.tooLarge) }
        guard begin(hasContent: true, context) else { return }
        request.upload?.add(bytes)
      }
      if isEnd { readEnd(context) }
    }

    /// Notes the end of the request. Trailers are dropped, as with HTTP/1.
    private func readEnd(_ context: ChannelHandlerContext) {
      hasWholeRequest = true
      guard begin(hasContent: false, context) else { return }
      request.upload?.end()
    }

    /// Begins a request that has waited for more input. False when it is refused.
    private func begin(hasContent: Bool, _ context: ChannelHandlerContext) -> Bool {
      guard phase == .reading, let head = request.head else { return phase != .ended }
      do throws(RequestRefusal) {
        try begin(head, hasContent: hasContent, context)
        return true
      } catch {
        refuse(error)
        return false
      }
    }

    // MARK: Answering

    private func begin(
      _ head: IncomingRequest, hasContent: Bool, _ context: ChannelHandlerContext
    ) throws(RequestRefusal) {
      let read = try core.reading.read(
        head, now: core.store.now().wall, from: connection.peer, at: connection.port,
        hasContent: hasContent)
      if case .length(let length) = read.framing, length > core.limits.head.content {
        throw Self.tooLarge
      }
      if case .tunnel(_, let port) = read.target {
        let refusal = core.refusal(ofTunnelTo: port)
        throw RequestRefusal(
          refusal?.status ?? 501, refusal?.words ?? "tunnels are made over HTTP/1.1 alone")
      }
      phase = .answering
      let ready = request.begin(
        read, for: ClientChannel(self, on: context.eventLoop), room: Self.window)
      if let ready { write(ready) }
    }

    /// Writes an answer that is ready.
    private func write(_ ready: ClientRequest.ReadyAnswer) {
      phase = .writing
      let decision = core.options.log == nil ? nil : ready.plan.fields.decision
      // The header section stays in memory until the answer is taken, and the client may open no window.
      let head = request.head?.size ?? 0
      connection.memory.add(head)
      write(ready.plan, ready.content) { [self] taken in
        connection.memory.remove(head, isTaken: taken.isWhole)
        request.note(taken, of: ready.plan.status, ready.served, decision)
        guard phase == .writing else { return }
        if taken.isWhole { conclude() } else { reset(.internalError) }
      }
    }

    private func write(
      _ plan: AnswerPlan, _ content: ContentBytes?,
      end: @escaping (_ taken: AnswerPart.Delivery) -> Void
    ) {
      guard let context, let parts = RenderedAnswer.parts(plan, content) else {
        return end(.nothing)
      }
      hasBegun = true
      let head = HPACKHeaders(plan.status, plan.fields, date: core.date)
      // A refusal of a HEAD has a text too, but it must not be sent.
      guard !parts.isEmpty, request.head?.method != "HEAD" else {
        return writer.write(head, isEnd: true, context) {
          end(AnswerPart.Delivery(isBegun: $0, isWhole: $0))
        }
      }
      write(head, parts, isEnd: true, context, end)
    }

    /// Writes a header section together with content.
    private func write(
      _ head: HPACKHeaders, _ content: [ByteBuffer], isEnd: Bool, _ context: ChannelHandlerContext,
      _ end: @escaping (_ taken: AnswerPart.Delivery) -> Void
    ) {
      var isBegun = false
      writer.write(head, isEnd: false, flushes: false, context) { isBegun = $0 }
      writer.write(content, isEnd: isEnd, context) { count, isWhole in
        end(AnswerPart.Delivery(content: count, isBegun: isBegun, isWhole: isWhole))
      }
    }

    func send(_ part: AnswerPart, _ taken: EventLoopPromise<AnswerPart.Delivery>) {
      guard phase == .answering, !writer.hasEnded, let context else {
        return taken.succeed(.nothing)
      }
      request.noteBegun(part.status)
      switch part {
      case .whole(let plan, let content): write(plan, content) { taken.succeed($0) }
      case .head(let status, let fields, let hasContent):
        hasBegun = true
        let head = HPACKHeaders(status, fields, date: core.date)
        writer.write(head, isEnd: !hasContent, context) {
          taken.succeed(AnswerPart.Delivery(isBegun: $0, isWhole: $0))
        }
      case .opening(let status, let fields, let bytes, let isEnd):
        hasBegun = true
        let head = HPACKHeaders(status, fields, date: core.date)
        write(head, [bytes], isEnd: isEnd, context) { taken.succeed($0) }
      case .content(let bytes):
        writer.write([bytes], isEnd: false, context) { count, isWhole in
          taken.succeed(AnswerPart.Delivery(content: count, isBegun: count > 0, isWhole: isWhole))
        }
      case .end(let trailers) where !trailers.lines.isEmpty:
        writer.write(HPACKHeaders(trailers: trailers), isEnd: true, context) {
          taken.succeed(AnswerPart.Delivery(isBegun: $0, isWhole: $0))
        }
      case .end:
        writer.write([], isEnd: true, context) { _, isWhole in
          taken.succeed(AnswerPart.Delivery(isBegun: isWhole, isWhole: isWhole))
        }
      }
      expectEnd()
    }

    func sendInterim(_ status: Int, _ fields: HeaderFields) {
      // HTTP/2 has no change of protocols (RFC 9113 section 8.6).
      guard phase == .answering, !hasBegun, status != 101, let context else { return }
      writer.write(HPACKHeaders(interim: status, fields), isEnd: false, context)
    }

    func resume(sendingContinue: Bool) {
      guard phase == .answering, let context else { return }
      if sendingContinue, !hasWholeRequest { sendInterim(100, [:]) }
      lastMove = context.eventLoop.now
      readOn()
      expectEnd()
    }

    func finish(_ ending: Exchange.Ending) {
      // A refusal has replaced the answer.
      guard phase != .writing else { return }
      if phase == .answering, ending.status == 0, !hasBegun {
        return refuse(RequestRefusal(502, "the answer of the origin was lost"))
      }
      // This includes a client that left before its answer, or right after it.
      if !request.isNoted { request.note(ending) }
      guard phase == .answering else { return }
      if ending.isBroken { reset(.internalError) } else { conclude() }
    }

    private func refuse(_ refusal: RequestRefusal) {
      guard phase == .reading || phase == .answering else { return }
      core.figures.noteRefusal()
      // An answer has begun: no other can replace it.
      guard !hasBegun else { return reset(.protocolError) }
      request.end()
      let plan = core.semantics.own(refusal.status, refusal.reason, for: nil)
      write(ClientRequest.ReadyAnswer(plan: plan, content: nil, served: .own))
      expectEnd()
    }

    private static let tooLarge = RequestRefusal(413, "the content is too large")

    // MARK: Time

    /// When the stream has waited long enough.
    var end: NIODeadline {
      guard isInFlight else { return .distantFuture }
      let limits = core.limits
      var end = NIODeadline.distantFuture
      if writer.untaken > 0 { end = writer.lastTaken + TimeAmount(limits.stallTime) }
      switch phase {
      case .reading: end = min(end, lastMove + TimeAmount(limits.headTime))
      case .answering:
        let lastMove = max(lastMove, writer.lastTaken)
        end = min(end, request.deadline(isWhole: hasWholeRequest, lastMove: lastMove))
      case .writing: end = min(end, request.began + TimeAmount(limits.totalTime))
      case .ended: break
      }
      return end
    }

    /// False when the stream is answered or broken, and will end when the connection reports it.
    var isInFlight: Bool { phase != .ended }

    private func expectEnd() { connection.expect(end) }

    /// Ends the stream because its time is over.
    func runOut() {
      let isOver =
        request.began + TimeAmount(core.limits.totalTime) <= context?.eventLoop.now ?? .now()
      let isStalled = !hasWholeRequest && (phase == .reading || request.upload?.hasRoom ?? false)
      guard !hasBegun, isStalled || isOver else {
        request.isCutOff = true
        return reset(.cancel)
      }
      refuse(.late(isStalled: isStalled))
    }
  }

  extension IncomingRequest {
    /// True when a request on an open stream surely has a body, or a body that is worth asking for.
    fileprivate var tellsOfContent: Bool {
      method != "GET" && method != "HEAD" || fields.first("Content-Length") != nil || awaitsContinue
    }
  }
#endif
