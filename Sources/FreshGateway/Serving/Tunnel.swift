#if Gateway
  internal import FreshHTTP
  internal import NIOCore
  internal import NIOPosix
  internal import Synchronization

  /// A tunnel that a client has asked for, until it is open or refused.
  struct Tunnel {
    let core: GatewayCore
    let handler: ConnectionHandler
    let context: ChannelHandlerContext
    let request: GatewayRequest

    /// Connects, tells the client, and joins both connections.
    func open(to host: String, _ port: Int) {
      // An address of version 6 has brackets.
      let host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
      let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
      let machine = core.machine
      ClientBootstrap(group: context.eventLoop)
        .resolver(NameResolver(on: context.eventLoop))
        .connectTimeout(TimeAmount(min(core.limits.originTime, .seconds(10))))
        .channelOption(.autoRead, value: false)
        .channelOption(.tcpOption(.tcp_nodelay), value: 1)
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(TunnelGuard(machine))
          }
        }
        .connect(host: host, port: port)
        .hop(to: context.eventLoop)
        .whenComplete { result in
          switch result {
          case .success(let channel): bound.value.join(channel)
          case .failure(let error): bound.value.refuse(error)
          }
        }
    }

    /// False when the client has left, or was told that the tunnel took too long.
    private var isAwaited: Bool { context.channel.isActive && handler.phase == .answering }

    private func join(_ channel: any Channel) {
      guard isAwaited else {
        channel.close(promise: nil)
        return handler.noteAbandoned()
      }
      let handler = handler
      let (near, far) = TunnelEnd.pair(idleTime: core.limits.tunnelIdleTime) { length in
        // The end of a tunnel can only be the end of the connection.
        handler.finish(
          Exchange.Ending(status: 200, length: length, served: .passed, isBroken: true))
      }
      do {
        try context.pipeline.syncOperations.addHandler(near, position: .before(handler))
        try channel.pipeline.syncOperations.addHandler(far)
      } catch {
        channel.close(promise: nil)
        return handler.finish(Exchange.Ending(isBroken: true))
      }
      // The response has neither a length nor chunks (RFC 9110 section 9.3.6).
      near.send(ByteBuffer(staticString: "HTTP/1.1 200 Connection established\r\n\r\n"))
      near.flush()
      far.send(handler.leaveToTunnel())
      far.flush()
      channel.setOption(.autoRead, value: true).whenFailure { _ in channel.close(promise: nil) }
    }

    private func refuse(_ error: any Error) {
      guard isAwaited else { return handler.noteAbandoned() }
      let isForbidden = Self.isForbidden(error)
      let plan = core.semantics.own(
        isForbidden ? 403 : 502,
        isForbidden ? "tunnels do not lead there" : "the tunnel's end cannot be reached",
        for: request)
      let answer = RenderedAnswer(
        plan, nil, to: request.version, keepsConnection: false, date: core.date)
      for buffer in answer.buffers {
        context.write(handler.wrapOutboundOut(buffer), promise: nil)
      }
      context.flush()
      handler.finish(
        Exchange.Ending(
          status: plan.status, length: answer.length, decision: plan.fields.decision))
    }

    /// True when none of a name's addresses is allowed.
    private static func isForbidden(_ error: any Error) -> Bool {
      if error is TunnelGuard.Refusal { return true }
      guard let error = error as? NIOConnectionError else { return false }
      return error.connectionErrors.contains { $0.error is TunnelGuard.Refusal }
    }
  }

  extension GatewayCore {
    /// Returns why a tunnel is not made; `nil` for one that may be made.
    func refusal(ofTunnelTo port: Int) -> (status: Int, words: String)? {
      guard let tunnels = options.tunnels else { return (501, "tunnels are not made") }
      // The port of operators is refused for any host, because the final address of a name or a translated address is
      // not known here. Nothing in a tunnel would show that it comes from a client.
      guard tunnels.ports.contains(port), port != adminPort.load(ordering: .relaxed) else {
        return (403, "tunnels do not lead to this port")
      }
      return nil
    }
  }

  /// Keeps a connection from addresses that a tunnel may not lead to. Each address of a name is checked here before a
  /// packet is sent to it.
  final class TunnelGuard: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    struct Refusal: Error {}

    private let machine: MachineAddresses

    init(_ machine: MachineAddresses) { self.machine = machine }

    func connect(
      context: ChannelHandlerContext, to address: SocketAddress, promise: EventLoopPromise<Void>?
    ) {
      guard let text = address.ipAddress, !machine.keep(from: text) else {
        promise?.fail(Refusal())
        return
      }
      context.connect(to: address, promise: promise)
    }
  }

  /// One end of a tunnel. Input here is sent at the other end, no faster than that end takes it.
  ///
  /// Both ends are on one event loop. When one end closes, the other closes after it has sent all earlier input, or
  /// when this takes longer than the idle time.
  final class TunnelEnd: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The state that both ends share.
    private final class Line {
      let idleTime: TimeAmount
      var lastTraffic = NIODeadline.now()
      var timer: Scheduled<Void>?

      init(_ idleTime: TimeAmount) { self.idleTime = idleTime }
    }

    private let line: Line
    /// Called once, with the number of bytes sent here. It closes the connection if this handler does not.
    private let hasEnded: ((_ length: Int) -> Void)?
    private var other: TunnelEnd?
    private var context: ChannelHandlerContext?
    private var isReadPending = false
    private var isEnding = false
    private var length = 0

    private init(_ line: Line, hasEnded: ((_ length: Int) -> Void)?) {
      (self.line, self.hasEnded) = (line, hasEnded)
    }

    /// - Parameters:
    ///   - idleTime: How long nothing may pass.
    ///   - hasEnded: Called once, with the number of bytes sent to the near end. It closes that end.
    static func pair(
      idleTime: Duration, hasEnded: @escaping (_ length: Int) -> Void
    ) -> (near: TunnelEnd, far: TunnelEnd) {
      let line = Line(TimeAmount(idleTime))
      let ends = (near: TunnelEnd(line, hasEnded: hasEnded), far: TunnelEnd(line, hasEnded: nil))
      (ends.near.other, ends.far.other) = (ends.far, ends.near)
      return ends
    }

    func handlerAdded(context: ChannelHandlerContext) {
      self.context = context
      if hasEnded != nil { watch(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
      self.context = nil
      other = nil
    }

    func send(_ bytes: ByteBuffer) {
      guard let context, !isEnding, bytes.readableBytes > 0 else { return }
      length += bytes.readableBytes
      context.write(wrapOutboundOut(bytes), promise: nil)
    }

    func flush() { context?.flush() }

    // MARK: Received bytes

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      line.lastTraffic = context.eventLoop.now
      other?.send(unwrapInboundIn(data))
    }

    func channelReadComplete(context: ChannelHandlerContext) { other?.flush() }

    func channelInactive(context: ChannelHandlerContext) {
      end()
      context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      context.close(promise: nil)
    }

    // MARK: Pace

    func read(context: ChannelHandlerContext) {
      if other?.isWritable ?? false { context.read() } else { isReadPending = true }
    }

    private var isWritable: Bool { context?.channel.isWritable ?? false }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
      if context.channel.isWritable { other?.readOn() }
      context.fireChannelWritabilityChanged()
    }

    private func readOn() {
      guard isReadPending, let context else { return }
      isReadPending = false
      context.read()
    }

    // MARK: The end

    private func watch(_ context: ChannelHandlerContext) {
      let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
      line.timer = context.eventLoop.scheduleTask(deadline: line.lastTraffic + line.idleTime) {
        bound.value.look()
      }
    }

    private func look() {
      guard let context, !isEnding else { return }
      guard context.eventLoop.now >= line.lastTraffic + line.idleTime else { return watch(context) }
      end()
      context.close(promise: nil)
    }

    /// Ends this end, which has closed or is about to.
    private func end() {
      guard !isEnding else { return }
      isEnding = true
      line.timer?.cancel()
      let other = other
      self.other = nil
      hasEnded?(length)
      other?.close()
    }

    /// Closes after all bytes are sent. The time limit is for a peer that takes no more bytes.
    private func close() {
      guard !isEnding else { return }
      isEnding = true
      line.timer?.cancel()
      other = nil
      guard let context else { return }
      let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      let late = context.eventLoop.scheduleTask(in: line.idleTime) {
        bound.value.1.close(promise: nil)
      }
      context.writeAndFlush(wrapOutboundOut(ByteBuffer())).whenComplete { _ in
        late.cancel()
        let (end, context) = bound.value
        end.hasEnded?(end.length)
        context.close(promise: nil)
      }
    }
  }
#endif
