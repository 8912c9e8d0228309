#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import NIOCore
  internal import Strategies

  /// One connection of HTTP/1. It reads one request after the other, and writes their answers.
  ///
  /// An answer that needs no network is written at once, without a task. An ``Exchange`` gives all others.
  final class ConnectionHandler: ChannelDuplexHandler, ClientWire {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    enum Phase {
      /// Waits for a header section, or reads one.
      case reading
      /// An exchange answers.
      case answering
      /// The client has not taken all of a large answer.
      case writing
      /// Writes the last answer, and drops further input.
      case closing
      /// The last answer is written, or there is none. The connection is about to end.
      case ending
    }

    let core: GatewayCore
    let writer = ConnectionWriter()
    var decoder: RequestDecoder
    private(set) var phase = Phase.reading
    private(set) var context: ChannelHandlerContext?
    /// `nil` until the connection is open.
    private(set) var slot: ConnectionSlot?
    private(set) var isDraining = false

    /// The request that is being read or answered.
    private(set) var request: ClientRequest
    private var answer = AnswerEncoder(to: .http11, keepsConnection: false)
    private(set) var hasWholeRequest = true
    /// True when an exchange has sent some of its answer: no other can replace it.
    private(set) var hasBegun = false

    private var isProcessing = false
    private var isReadPending = false
    /// True while requests wait until the client has taken enough of the earlier answers.
    private(set) var isWaiting = false
    /// When input last came, or the last answer was taken.
    private(set) var lastMove = NIODeadline.uptimeNanoseconds(0)
    /// When the first byte of the current header section came.
    var firstByte: NIODeadline?
    let timer = DeadlineTimer()
    private var farewell: Scheduled<Void>?
    private let refusal: RequestRefusal?

    /// - Parameters:
    ///   - slot: The slot of a connection that is open, and counted, already.
    ///   - refusal: The answer to any request on such a connection.
    init(
      _ core: GatewayCore, _ slot: ConnectionSlot? = nil, refusing refusal: RequestRefusal? = nil
    ) {
      (self.core, self.slot, self.refusal) = (core, slot, refusal)
      decoder = RequestDecoder(core.limits.head)
      request = ClientRequest(core, from: "-", nil, nil, at: .uptimeNanoseconds(0))
    }

    // MARK: The connection

    func handlerAdded(context: ChannelHandlerContext) {
      self.context = context
      writer.whenTaken = { [weak self] in self?.goOn() }
      timer.whenDue = { [weak self] in self?.fire() }
      if let slot {
        begin(at: slot, context)
        if let refusal { refuse(refusal) }
      } else if context.channel.isActive {
        open(context)
      }
    }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelActive(context: ChannelHandlerContext) {
      open(context)
      context.fireChannelActive()
    }

    private func open(_ context: ChannelHandlerContext) {
      guard slot == nil else { return }
      let slot = ConnectionSlot(core, context)
      self.slot = slot
      begin(at: slot, context)
      if !slot.isGranted { refuse(RequestRefusal(503, "there are too many connections")) }
    }

    private func begin(at slot: ConnectionSlot, _ context: ChannelHandlerContext) {
      request = ClientRequest(core, from: slot.peer, nil, slot.memory, at: .uptimeNanoseconds(0))
      writer.memory = slot.memory
      lastMove = context.eventLoop.now
      slot.whenEnding = { [weak self] isCutOff in
        guard let self else { return }
        isCutOff ? cutOff() : drain()
      }
      setTimer()
    }

    func channelInactive(context: ChannelHandlerContext) {
      slot?.leave()
      phase = .ending
      timer.cancel()
      farewell?.cancel()
      farewell = nil
      request.end()
      context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      context.close(promise: nil)
    }

    /// Ends the connection after the request in flight.
    private func drain() {
      isDraining = true
      guard phase == .reading, decoder.isIdle, hasWholeRequest, let context else { return }
      if writer.unsent > 0 { endGently(context) } else { context.close(promise: nil) }
    }

    /// Aborts an answer that has begun, because the gateway ends. A client that waits for an answer still gets one.
    private func cutOff() {
      if let context, phase == .writing || hasBegun { cut(context) }
    }

    // MARK: Reading

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard phase == .reading || phase == .answering || phase == .writing else { return }
      lastMove = context.eventLoop.now
      decoder.append(unwrapInboundIn(data))
      process()
    }

    func read(context: ChannelHandlerContext) {
      if mayRead { context.read() } else { isReadPending = true }
    }

    /// A client that sends further requests ahead is read only up to a limit. An upload is read as fast as the origin
    /// takes it.
    private var mayRead: Bool {
      switch phase {
      case .closing, .ending: true
      case .reading: !decoder.hasBytes || !isWaiting
      case .answering, .writing:
        hasWholeRequest ? !decoder.hasBytes : request.upload?.hasRoom ?? true
      }
    }

    private func readOn() {
      guard isReadPending, mayRead, let context else { return }
      isReadPending = false
      context.read()
    }

    private func process() {
      // Writing an answer may call this function again.
      guard !isProcessing else { return }
      isProcessing = true
      defer {
        isProcessing = false
        if let context { writer.flush(context) }
        setTimer()
        readOn()
      }
      while let context {
        guard phase == .reading || !hasWholeRequest && (phase == .answering || phase == .writing)
        else { return }
        // A client that does not take its answers gets no further ones.
        if phase == .reading, hasWholeRequest, writer.isFull {
          writer.flush(context)
          isWaiting = writer.isFull
          if isWaiting { return }
        }
        do throws(RequestRefusal) {
          let known = beginKnown(context)
          if known.hasBegun { continue }
          guard let part = try decoder.next() else { return }
          switch part {
          case .head(let head): try begin(head, known.repeated, context)
          case .content(let bytes): request.upload?.add(bytes)
          case .end:
            hasWholeRequest = true
            request.upload?.end()
            // The answer may have been sent before the end of the request came.
            if isDraining { drain() }
          }
        } catch {
          return refuse(error)
        }
      }
    }

    /// Continues when the client has taken some of the output.
    private func goOn() {
      if phase == .reading { lastMove = writer.lastTaken }
      guard isWaiting, !writer.isFull else { return }
      isWaiting = false
      process()
    }

    // MARK: Answering

    var peer: String { slot?.peer ?? "-" }

    /// - Parameter repeated: The bytes of the header section, when they came before.
    private func begin(
      _ incoming: IncomingRequest, _ repeated: ByteBuffer?, _ context: ChannelHandlerContext
    ) throws(RequestRefusal) {
      note(incoming, isWhole: false, context)
      let read = try core.reading.read(
        incoming, now: core.store.now().wall, from: peer, at: slot?.port)
      try decoder.begin(read.framing)
      begin(incoming, read, repeated.flatMap { know($0, incoming, read) }, context)
    }

    /// Notes the request that is answered from now on.
    func note(_ incoming: IncomingRequest, isWhole: Bool, _ context: ChannelHandlerContext) {
      request = ClientRequest(
        core, from: peer, incoming, slot?.memory, at: context.eventLoop.now)
      firstByte = nil
      (hasWholeRequest, hasBegun) = (isWhole, false)
    }

    /// - Parameter known: The entry of a request whose bytes came before.
    func begin(
      _ incoming: IncomingRequest, _ read: GatewayRequest, _ known: KnownRequest?,
      _ context: ChannelHandlerContext
    ) {
      let keeps = incoming.allowsNext && !isDraining
      answer = AnswerEncoder(to: read.version, keepsConnection: keeps)
      phase = .answering
      if case .tunnel(let host, let port) = read.target, !read.hasContent,
        core.refusal(ofTunnelTo: port) == nil
      {
        let tunnel = Tunnel(core: core, handler: self, context: context, request: read)
        return tunnel.open(to: host, port)
      }
      let copy = core.copy(of: known, read)
      guard let ready = request.begin(read, for: ClientChannel(self, on: context.eventLoop))
      else { return }
      phase = .reading
      // A client that waits for `100 Continue` may send its body all the same, or not.
      let rendered = RenderedAnswer(
        ready.plan, ready.content, to: read.version,
        keepsConnection: keeps && !incoming.awaitsContinue, date: core.date)
      let decision = core.options.log == nil ? nil : ready.plan.fields.decision
      if let known, let copy, ready.served == .hit {
        core.keep(rendered, decision, of: known, read, from: copy)
      }
      write(rendered, ready.served, decision, context)
    }

    /// Writes an answer that is ready: a small one with the next flush, a large one piece by piece.
    func write(
      _ answer: RenderedAnswer, _ served: Served, _ decision: String?,
      _ context: ChannelHandlerContext
    ) {
      guard answer.buffers.count > 1 else {
        writer.write(answer.buffers[0], context)
        request.note(answer.status, answer.length, served, decision)
        if !answer.keepsConnection { endGently(context) }
        return
      }
      phase = .writing
      writer.write(answer.buffers, context) { [self] count in
        let delivery = answer.encoded.taken(count)
        request.note(delivery, of: answer.status, served, decision)
        guard phase == .writing, let context = self.context else { return }
        guard delivery.isWhole else { return cut(context) }
        phase = .reading
        lastMove = context.eventLoop.now
        guard answer.keepsConnection, !isDraining else { return endGently(context) }
        process()
      }
    }

    /// Hands over the bytes behind a request for a tunnel. The tunnel reads all further input.
    func leaveToTunnel() -> ByteBuffer {
      hasBegun = true
      defer { readOn() }
      return decoder.takeRest()
    }

    func resume(sendingContinue: Bool) {
      guard phase == .answering, let context else { return }
      if sendingContinue, !hasWholeRequest, !hasBegun {
        writer.write(ByteBuffer(staticString: "HTTP/1.1 100 Continue\r\n\r\n"), context)
      }
      lastMove = context.eventLoop.now
      process()
    }

    func send(_ part: AnswerPart, _ taken: EventLoopPromise<AnswerPart.Delivery>) {
      guard phase == .answering, let context else { return taken.succeed(.nothing) }
      hasBegun = true
      request.noteBegun(part.status)
      if isDraining { answer.endConnection() }
      let encoded = answer.encode(part, date: core.date)
      guard !encoded.buffers.isEmpty else { return taken.succeed(encoded.taken(0)) }
      writer.write(encoded.buffers, context) { taken.succeed(encoded.taken($0)) }
      setTimer()
    }

    func sendInterim(_ status: Int, _ fields: HeaderFields) {
      guard phase == .answering, !hasBegun, let context,
        let interim = answer.interim(status, fields)
      else { return }
      writer.write(interim, context)
      writer.flush(context)
    }

    func finish(_ ending: Exchange.Ending) {
      if phase == .answering, ending.status == 0, !hasBegun {
        return refuse(RequestRefusal(502, "the answer of the origin was lost"))
      }
      // This includes a client that left before its answer, or right after it.
      if !request.isNoted { request.note(ending) }
      guard phase == .answering, let context else { return }
      request.end()
      guard !ending.isBroken else { return cut(context) }
      phase = .reading
      hasBegun = false
      // Nobody needs the rest of the body.
      guard answer.keepsConnection, hasWholeRequest, !isDraining else { return endGently(context) }
      lastMove = context.eventLoop.now
      process()
    }

    /// Logs that the client left before anything was sent for its request.
    func noteAbandoned() { if !request.isNoted { request.noteAbandoned() } }

    func refuse(_ refusal: RequestRefusal) {
      guard let context, phase == .reading || phase == .answering || phase == .writing else {
        return
      }
      core.figures.noteRefusal()
      // An answer has begun: no other can replace it.
      guard phase != .writing, !hasBegun else { return cut(context) }
      request.end()
      // The request is answered, though its answer is not sent yet. Only its body is refused.
      if request.isNoted, !hasWholeRequest { return endGently(context) }
      // The refusal concerns the header section of the next request.
      if phase == .reading, hasWholeRequest { request.head = nil }
      var plan = core.semantics.own(refusal.status, refusal.reason, for: nil)
      // The client would take a body for the next answer (RFC 9110 section 9.3.2).
      if request.head?.method == "HEAD" { plan.content = .none }
      let answer = RenderedAnswer(
        plan, nil, to: request.head?.version ?? .http11, keepsConnection: false, date: core.date)
      for buffer in answer.buffers { writer.write(buffer, context) }
      request.note(answer.status, answer.length, .own, plan.fields.decision)
      endGently(context)
    }

    /// Aborts the connection within an answer.
    func cut(_ context: ChannelHandlerContext) {
      phase = .ending
      request.isCutOff = true
      timer.cancel()
      if hasBegun, answer.endsWithConnection {
        context.abort(isReset: true)
      } else {
        context.close(promise: nil)
      }
    }

    /// Ends the connection so that the client can still read the answer. With unread input the system would discard the
    /// answer (RFC 9112 section 9.6).
    private func endGently(_ context: ChannelHandlerContext) {
      phase = .closing
      lastMove = context.eventLoop.now
      setTimer()
      let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
      context.writeAndFlush(wrapOutboundOut(ByteBuffer())).whenComplete { _ in
        bound.value.linger()
      }
    }

    /// Waits a moment for the client to close, after the last answer was written.
    private func linger() {
      guard phase == .closing, let context else { return }
      phase = .ending
      let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
      timer.cancel()
      farewell = context.eventLoop.scheduleTask(in: .seconds(2)) {
        bound.value.close(promise: nil)
      }
      context.close(mode: .output).whenFailure { _ in bound.value.close(promise: nil) }
      readOn()
    }
  }
#endif
