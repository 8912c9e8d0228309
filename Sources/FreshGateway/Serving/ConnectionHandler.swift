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
      /// An answer is large, and the client has not taken all of it.
      case writing
      /// The last answer is being written; what still comes is dropped.
      case closing
      /// It was written, or nothing is: the connection is about to end.
      case ending
    }

    private let core: GatewayCore
    private let writer = ConnectionWriter()
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
    /// True once an exchange has sent some of its answer: nothing can be put in front of it.
    private var hasBegun = false
    /// True for an answer whose end is that of the connection, and is to be no other.
    private var endsWithConnection = false
    /// True when the log has heard of the request.
    private var isNoted = false

    private var isProcessing = false
    private var isReadPending = false
    /// True while requests wait until the client has taken enough of the answers to those before.
    private var isWaiting = false
    /// When something last came, or the last answer had gone.
    private var lastMove = NIODeadline.uptimeNanoseconds(0)
    private var timer: Scheduled<Void>?
    private var timerEnd = NIODeadline.distantFuture

    init(_ core: GatewayCore) {
      self.core = core
      decoder = RequestDecoder(core.limits.head)
    }

    // MARK: The connection

    func handlerAdded(context: ChannelHandlerContext) {
      self.context = context
      writer.whenTaken = { [weak self] in self?.goOn() }
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
      lastMove = loop.now
      number = core.connections.open(peer) { isCutOff in
        loop.execute { isCutOff ? bound.value.cutOff() : bound.value.drain() }
      }
      guard number != nil else {
        guard core.options.certificate == nil else {
          // Its handshake would cost more than the answer is worth.
          core.figures.noteRefusal()
          phase = .ending
          return context.abort()
        }
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
      endExchange()
      context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      context.close(promise: nil)
    }

    /// Ends after the request that is under way.
    private func drain() {
      isDraining = true
      guard phase == .reading, decoder.isIdle, hasWholeRequest, let context else { return }
      if writer.unsent > 0 {
        endGently(context)
      } else {
        context.close(promise: nil)
      }
    }

    /// The gateway ends: an answer that would look whole by that is to look broken.
    private func cutOff() {
      guard phase == .answering, endsWithConnection, let context else { return }
      cut(context)
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

    /// A client that sends its next requests ahead is read only so far; one that uploads, as fast as the origin
    /// takes it.
    private var mayRead: Bool {
      switch phase {
      case .closing, .ending: true
      case .reading: !decoder.hasBytes || !isWaiting
      case .answering, .writing: hasWholeRequest ? !decoder.hasBytes : upload?.hasRoom ?? true
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
        if let context { writer.flush(context) }
        setTimer()
        readOn()
      }
      while let context {
        guard phase == .reading || !hasWholeRequest && (phase == .answering || phase == .writing)
        else { return }
        // A client that takes no answers gets no more of them.
        if phase == .reading, hasWholeRequest, writer.isFull {
          writer.flush(context)
          isWaiting = writer.isFull
          if isWaiting { return }
        }
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

    /// The client has taken some of what was written.
    private func goOn() {
      if phase == .reading { lastMove = writer.lastTaken }
      guard isWaiting, !writer.isFull else { return }
      isWaiting = false
      process()
    }

    // MARK: Answering

    private func begin(
      _ incoming: IncomingRequest, _ context: ChannelHandlerContext
    ) throws(RequestRefusal) {
      request = incoming
      began = context.eventLoop.now
      firstByte = nil
      hasWholeRequest = false
      (hasBegun, endsWithConnection, isNoted) = (false, false, false)
      let request = try core.reading.read(incoming, now: core.store.now().wall, from: peer)
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
        write(answer, served, core.options.log == nil ? nil : plan.fields.decision, context)
      case .ask(let plan, let copies): ask(request, incoming, plan, copies, keeps, context)
      }
    }

    /// Writes an answer that is ready: a small one with the next flush, one that is large bit by bit.
    private func write(
      _ answer: RenderedAnswer, _ served: Served, _ decision: String?,
      _ context: ChannelHandlerContext
    ) {
      guard answer.buffers.count > 1 else {
        writer.write(answer.buffers[0], context)
        note(answer.status, answer.length, served, decision)
        if !answer.keepsConnection { endGently(context) }
        return
      }
      phase = .writing
      writer.write(answer.buffers, context) { [self] taken in
        noteWritten(answer, taken, served, decision)
        guard phase == .writing, let context = self.context else { return }
        guard taken == answer.size else { return cut(context) }
        phase = .reading
        lastMove = context.eventLoop.now
        guard answer.keepsConnection, !isDraining else { return endGently(context) }
        process()
      }
    }

    private func noteWritten(
      _ answer: RenderedAnswer, _ taken: Int, _ served: Served, _ decision: String?
    ) {
      guard taken > 0 else { return noteAbandoned() }
      let length = max(0, taken - (answer.size - answer.length))
      note(answer.status, length, served, decision, hasLeft: taken < answer.size)
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
      if sendingContinue, !hasWholeRequest, !hasBegun {
        writer.write(ByteBuffer(staticString: "HTTP/1.1 100 Continue\r\n\r\n"), context)
      }
      lastMove = context.eventLoop.now
      process()
    }

    /// Writes a part of the exchange's answer.
    ///
    /// - Parameters:
    ///   - endsWithConnection: True when nothing but the end of the connection tells the client that it is whole.
    ///   - taken: Hears how many bytes the system took; fewer than all when the client has gone.
    func send(
      _ buffers: [ByteBuffer], endsWithConnection: Bool, _ taken: EventLoopPromise<Int>
    ) {
      guard phase == .answering, let context else { return taken.succeed(0) }
      hasBegun = true
      if endsWithConnection { self.endsWithConnection = true }
      writer.write(buffers, context) { taken.succeed($0) }
      setTimer()
    }

    /// The exchange has ended.
    func finish(_ ending: Exchange.Ending) {
      if phase == .answering, ending.status == 0, !hasBegun {
        return refuse(RequestRefusal(502, "the answer of the origin was lost"))
      }
      // Also of a client that went as soon as it had its answer, or before.
      if !isNoted {
        if ending.status > 0 {
          note(
            ending.status, ending.length, ending.served, ending.decision, hasLeft: ending.hasLeft)
        } else {
          noteAbandoned()
        }
      }
      guard phase == .answering, let context else { return }
      endExchange()
      guard !ending.isBroken else { return cut(context) }
      phase = .reading
      (hasBegun, endsWithConnection) = (false, false)
      // The content that is still to come is of no use to anybody.
      guard ending.keepsConnection, hasWholeRequest, !isDraining else { return endGently(context) }
      lastMove = context.eventLoop.now
      process()
    }

    private func endExchange() {
      // The request to the origin is given up, and has not failed.
      exchange?.cancel()
      exchange = nil
      upload?.end(isBroken: true)
      upload = nil
    }

    private func refuse(_ refusal: RequestRefusal) {
      guard let context, phase == .reading || phase == .answering || phase == .writing else {
        return
      }
      core.figures.noteRefusal()
      // An answer is on its way: nothing can be put in front of it.
      guard phase != .writing, !hasBegun else { return cut(context) }
      endExchange()
      // It is about the head of the next request.
      if phase == .reading, hasWholeRequest { request = nil }
      let plan = core.semantics.own(refusal.status, refusal.reason, for: nil)
      let answer = RenderedAnswer(
        plan, nil, to: request?.version ?? .http11, keepsConnection: false, date: core.date)
      for buffer in answer.buffers { writer.write(buffer, context) }
      note(answer.status, answer.length, .own, plan.fields.decision)
      endGently(context)
    }

    /// Ends the connection within an answer.
    private func cut(_ context: ChannelHandlerContext) {
      phase = .ending
      timer?.cancel()
      timer = nil
      if endsWithConnection {
        context.abort(isReset: true)
      } else {
        context.close(promise: nil)
      }
    }

    /// Ends the connection so that the client can still read the answer: what it has sent unread would make
    /// the system throw it away (RFC 9112 section 9.6).
    private func endGently(_ context: ChannelHandlerContext) {
      phase = .closing
      lastMove = context.eventLoop.now
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

    /// - Parameter hasLeft: True when the client has not taken all of it.
    private func note(
      _ status: Int, _ length: Int, _ served: Served, _ decision: String?, hasLeft: Bool = false
    ) {
      isNoted = true
      core.figures.note(served, status: status, length: length)
      guard let log = core.options.log else { return }
      log.add(
        AccessEntry(
          peer: peer, at: core.store.now().wall, method: request?.method ?? "-",
          target: request?.target ?? "-", version: request?.version ?? .http11, status: status,
          length: length,
          duration: request == nil ? .zero : .nanoseconds((NIODeadline.now() - began).nanoseconds),
          decision: decision, hasLeft: hasLeft))
    }

    /// The client has left before anything was sent, for which logs have a status.
    private func noteAbandoned() { note(499, 0, .abandoned, nil, hasLeft: true) }

    // MARK: Time

    /// When the connection has waited for long enough.
    private var end: NIODeadline {
      let limits = core.limits
      if phase == .ending { return .distantFuture }
      var end = NIODeadline.distantFuture
      let isTaking = writer.unsent > 0
      if isTaking { end = writer.lastTaken + TimeAmount(limits.stallTime) }
      switch phase {
      case .reading where !hasWholeRequest: end = min(end, lastMove + TimeAmount(limits.stallTime))
      case .reading where isWaiting || decoder.isIdle && isTaking: break
      case .reading where decoder.isIdle: end = min(end, lastMove + TimeAmount(limits.idleTime))
      case .reading: end = min(end, headBegan + TimeAmount(limits.headTime))
      case .answering:
        end = min(end, began + TimeAmount(limits.totalTime))
        if !hasWholeRequest, upload?.hasRoom ?? false {
          end = min(end, lastMove + TimeAmount(limits.stallTime))
        }
      case .writing: end = min(end, began + TimeAmount(limits.totalTime))
      case .closing:
        // One that is not counted may not stay.
        let time = number == nil ? limits.headTime : limits.totalTime
        end = min(end, lastMove + TimeAmount(time))
      case .ending: break
      }
      return end
    }

    /// When the first byte of the head came that is being read.
    private var headBegan: NIODeadline {
      if let firstByte { return firstByte }
      firstByte = lastMove
      return lastMove
    }
    private var firstByte: NIODeadline?

    /// One timer for the connection; it moves forward only when it fires.
    private func setTimer() {
      guard let context, phase != .ending else { return }
      if phase != .reading || isWaiting || decoder.isIdle || !hasWholeRequest { firstByte = nil }
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
      if phase == .reading, !decoder.isIdle, hasWholeRequest, writer.unsent == 0 {
        return refuse(RequestRefusal(408, "the head of the request did not come in time"))
      }
      // The client has announced more than it sends, and has no answer yet.
      let isStalled = phase == .answering && !hasWholeRequest && upload?.hasRoom ?? false
      if isStalled, !hasBegun, context.eventLoop.now < began + TimeAmount(core.limits.totalTime) {
        return refuse(RequestRefusal(408, "the content of the request did not come in time"))
      }
      cut(context)
    }
  }
#endif
