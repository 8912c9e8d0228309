#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import NIOCore
  internal import Strategies

  /// One connection of a client: bytes in, requests one after the other, their answers out.
  ///
  /// What can be answered without the network is answered where it is read, without a task; all else by an
  /// ``Exchange``.
  final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum Phase {
      /// A head is awaited, or read.
      case reading
      /// An exchange answers.
      case answering
      /// The last answer is being written; what still comes is dropped.
      case closing
      /// It was written, or nothing is: the connection is about to end.
      case ending
    }

    private let core: GatewayCore
    private var decoder: RequestDecoder
    private var phase = Phase.reading
    private var context: ChannelHandlerContext?
    private var number: Int?
    private var peer = ""
    private var isDraining = false

    /// The request that is being read or answered.
    private var request: IncomingRequest?
    private var began = NIODeadline.uptimeNanoseconds(0)
    private var hasWholeRequest = true
    private var upload: Upload?
    private var exchange: Task<Void, Never>?

    private var isProcessing = false
    private var isReadPending = false
    /// When something last came, and since when the client has taken nothing.
    private var lastRead = NIODeadline.uptimeNanoseconds(0)
    private var blockedSince: NIODeadline?
    private var timer: Scheduled<Void>?
    private var timerEnd = NIODeadline.distantFuture

    init(_ core: GatewayCore) {
      self.core = core
      decoder = RequestDecoder(core.limits.head)
    }

    // MARK: The connection

    func handlerAdded(context: ChannelHandlerContext) {
      self.context = context
      if context.channel.isActive { open(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
      self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
      open(context)
      context.fireChannelActive()
    }

    private func open(_ context: ChannelHandlerContext) {
      guard number == nil else { return }
      peer = context.remoteAddress?.ipAddress ?? "-"
      let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
      let loop = context.eventLoop
      lastRead = loop.now
      number = core.connections.open(peer) { loop.execute { bound.value.drain() } }
      guard number != nil else {
        core.figures.noteRefusal()
        return refuse(RequestRefusal(503, "there are too many connections"))
      }
      core.figures.noteConnection(isOpen: true)
      setTimer()
    }

    func channelInactive(context: ChannelHandlerContext) {
      if let number {
        core.connections.close(number)
        core.figures.noteConnection(isOpen: false)
        self.number = nil
      }
      phase = .ending
      timer?.cancel()
      timer = nil
      upload?.end(isBroken: true)
      upload = nil
      exchange?.cancel()
      exchange = nil
      context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      context.close(promise: nil)
    }

    /// Ends after the request that is under way.
    private func drain() {
      isDraining = true
      guard phase == .reading, decoder.isIdle, hasWholeRequest else { return }
      context?.close(promise: nil)
    }

    // MARK: Reading

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard phase == .reading || phase == .answering else { return }
      lastRead = context.eventLoop.now
      decoder.append(unwrapInboundIn(data))
      process()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
      context.flush()
      context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
      if mayRead { context.read() } else { isReadPending = true }
    }

    /// A client that sends its next requests ahead is read only so far; one that uploads, as fast as the origin
    /// takes it.
    private var mayRead: Bool {
      switch phase {
      case .closing, .ending: true
      case .reading: !decoder.hasBytes || context?.channel.isWritable ?? false
      case .answering: hasWholeRequest ? !decoder.hasBytes : upload?.hasRoom ?? true
      }
    }

    private func readOn() {
      guard isReadPending, mayRead, let context else { return }
      isReadPending = false
      context.read()
    }

    private func process() {
      // An answer that is written within may bring this about again.
      guard !isProcessing else { return }
      isProcessing = true
      defer {
        isProcessing = false
        setTimer()
        readOn()
      }
      while let context {
        guard phase == .reading || phase == .answering && !hasWholeRequest else { return }
        // A client that takes no answers gets no more of them.
        if phase == .reading, hasWholeRequest, !context.channel.isWritable { return }
        do throws(RequestRefusal) {
          guard let part = try decoder.next() else { return }
          switch part {
          case .head(let head): try begin(head, context)
          case .content(let bytes): upload?.add(bytes)
          case .end:
            hasWholeRequest = true
            upload?.end()
          }
        } catch {
          return refuse(error)
        }
      }
    }

    // MARK: Answering

    private func begin(
      _ incoming: IncomingRequest, _ context: ChannelHandlerContext
    ) throws(RequestRefusal) {
      request = incoming
      began = context.eventLoop.now
      firstByte = nil
      hasWholeRequest = false
      let request = try core.reading.read(incoming, now: core.store.now().wall)
      try decoder.begin(request.framing)
      let keeps = incoming.allowsNext && !isDraining
      if case .tunnel(let host, let port) = request.target, !request.hasContent,
        core.refusal(ofTunnelTo: port) == nil
      {
        phase = .answering
        let tunnel = Tunnel(core: core, handler: self, context: context, request: request)
        return tunnel.open(to: host, port)
      }
      if let operation = core.operation(for: request), let address = request.address {
        phase = .answering
        let exchange = Exchange(
          core: core, client: ClientChannel(context.channel, self), request: request,
          address: address, version: request.version,
          keepsConnection: keeps && !request.hasContent, upload: nil)
        self.exchange = Task { await exchange.run(operation) }
        return
      }
      switch core.begin(request) {
      case .answer(let plan, let content, let served):
        // A client that waits to be asked for its content may send it all the same, or not.
        let answer = RenderedAnswer(
          served == .own ? plan : core.passed(plan), content, to: request.version,
          keepsConnection: keeps && !incoming.awaitsContinue, date: core.date)
        for buffer in answer.buffers { context.write(wrapOutboundOut(buffer), promise: nil) }
        note(answer.status, answer.length, served, plan.fields.decision)
        if !answer.keepsConnection { endGently(context) }
      case .ask(let plan, let copies): ask(request, incoming, plan, copies, keeps, context)
      }
    }

    /// What the client has sent behind its request for a tunnel. From now on that reads what comes.
    func leaveToTunnel() -> ByteBuffer {
      defer { readOn() }
      return decoder.takeRest()
    }

    private func ask(
      _ request: GatewayRequest, _ incoming: IncomingRequest, _ plan: ForwardPlan,
      _ copies: [HeldCopy], _ keeps: Bool, _ context: ChannelHandlerContext
    ) {
      guard let address = request.address else { return }
      phase = .answering
      let client = ClientChannel(context.channel, self)
      if request.hasContent {
        let awaitsContinue = incoming.awaitsContinue
        upload = Upload { isFirst in client.resume(sendingContinue: isFirst && awaitsContinue) }
      }
      let exchange = Exchange(
        core: core, client: client, request: request, address: address,
        version: request.version, keepsConnection: keeps, upload: upload)
      self.exchange = Task { await exchange.run(plan, copies) }
    }

    /// Goes on with the content of the request: the origin wants it.
    func resume(sendingContinue: Bool) {
      guard phase == .answering, let context else { return }
      if sendingContinue, !hasWholeRequest {
        let line = ByteBuffer(staticString: "HTTP/1.1 100 Continue\r\n\r\n")
        context.writeAndFlush(wrapOutboundOut(line), promise: nil)
      }
      lastRead = context.eventLoop.now
      process()
    }

    /// The exchange has written its answer.
    func finish(_ ending: Exchange.Ending) {
      // Also of a client that went as soon as it had its answer.
      if ending.status > 0 {
        note(ending.status, ending.length, ending.served, ending.decision)
      }
      guard phase == .answering, let context else { return }
      exchange = nil
      upload?.end(isBroken: true)
      upload = nil
      phase = .reading
      guard !ending.isBroken else {
        phase = .ending
        return context.close(promise: nil)
      }
      // The content that is still to come is of no use to anybody.
      guard ending.keepsConnection, hasWholeRequest, !isDraining else { return endGently(context) }
      lastRead = context.eventLoop.now
      process()
      context.flush()
    }

    private func refuse(_ refusal: RequestRefusal) {
      guard let context, phase == .reading || phase == .answering else { return }
      core.figures.noteRefusal()
      guard phase == .reading else {
        // An answer may be on its way: nothing can be put in front of it.
        phase = .ending
        return context.close(promise: nil)
      }
      let plan = core.semantics.own(refusal.status, refusal.reason, for: nil)
      let answer = RenderedAnswer(
        plan, nil, to: request?.version ?? .http11, keepsConnection: false, date: core.date)
      for buffer in answer.buffers { context.write(wrapOutboundOut(buffer), promise: nil) }
      note(answer.status, answer.length, .own, plan.fields.decision)
      endGently(context)
    }

    /// Ends the connection so that the client can still read the answer: what it has sent unread would make
    /// the system throw it away (RFC 9112 section 9.6).
    private func endGently(_ context: ChannelHandlerContext) {
      phase = .closing
      setTimer()
      let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
      context.writeAndFlush(wrapOutboundOut(ByteBuffer())).whenComplete { _ in
        bound.value.linger()
      }
    }

    /// The last answer is written: waits a moment for the client to close.
    private func linger() {
      guard phase == .closing, let context else { return }
      phase = .ending
      let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
      timer?.cancel()
      timer = context.eventLoop.scheduleTask(in: Self.lingering) {
        bound.value.close(promise: nil)
      }
      context.close(mode: .output).whenFailure { _ in bound.value.close(promise: nil) }
      readOn()
    }

    private static let lingering = TimeAmount.seconds(2)

    private func note(_ status: Int, _ length: Int, _ served: Served, _ decision: String?) {
      core.figures.note(served, status: status, length: length)
      guard let log = core.options.log else { return }
      log.add(
        AccessEntry(
          peer: peer, at: core.store.now().wall, method: request?.method ?? "-",
          target: request?.target ?? "-", version: request?.version ?? .http11, status: status,
          length: length,
          duration: request == nil ? .zero : .nanoseconds((NIODeadline.now() - began).nanoseconds),
          decision: decision))
    }

    // MARK: Time

    func channelWritabilityChanged(context: ChannelHandlerContext) {
      blockedSince = context.channel.isWritable ? nil : context.eventLoop.now
      if context.channel.isWritable {
        process()
        context.flush()
      } else {
        setTimer()
      }
      context.fireChannelWritabilityChanged()
    }

    /// When the connection has waited for long enough.
    private var end: NIODeadline {
      let limits = core.limits
      if phase == .ending { return .distantFuture }
      var end = NIODeadline.distantFuture
      if let blockedSince { end = blockedSince + TimeAmount(limits.stallTime) }
      switch phase {
      case .reading where !hasWholeRequest: end = min(end, lastRead + TimeAmount(limits.stallTime))
      case .reading where decoder.isIdle: end = min(end, lastRead + TimeAmount(limits.idleTime))
      case .reading: end = min(end, headBegan + TimeAmount(limits.headTime))
      case .answering:
        end = min(end, began + TimeAmount(limits.totalTime))
        if !hasWholeRequest, upload?.hasRoom ?? false {
          end = min(end, lastRead + TimeAmount(limits.stallTime))
        }
      case .closing: end = min(end, lastRead + TimeAmount(limits.totalTime))
      case .ending: break
      }
      return end
    }

    /// When the first byte of the head came that is being read.
    private var headBegan: NIODeadline {
      if let firstByte { return firstByte }
      firstByte = lastRead
      return lastRead
    }
    private var firstByte: NIODeadline?

    /// One timer for the connection; it moves forward only when it fires.
    private func setTimer() {
      guard let context, phase != .ending else { return }
      if phase != .reading || decoder.isIdle || !hasWholeRequest { firstByte = nil }
      let end = end
      guard timer == nil || end < timerEnd else { return }
      timer?.cancel()
      timer = nil
      guard end < .distantFuture else { return }
      timerEnd = end
      let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
      timer = context.eventLoop.scheduleTask(deadline: end) { bound.value.fire() }
    }

    private func fire() {
      timer = nil
      guard let context, phase != .ending else { return }
      guard context.eventLoop.now >= end else { return setTimer() }
      if phase == .reading, !decoder.isIdle, hasWholeRequest, blockedSince == nil {
        request = nil
        return refuse(RequestRefusal(408, "the head of the request did not come in time"))
      }
      phase = .ending
      context.close(promise: nil)
    }
  }
#endif
