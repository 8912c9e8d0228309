#if Gateway
  internal import FreshHTTP
  internal import NIOCore
  internal import NIOPosix
  internal import Synchronization

  /// A tunnel that a client has asked for, until it stands or is refused.
  struct Tunnel {
    let core: GatewayCore
    let handler: ConnectionHandler
    let context: ChannelHandlerContext
    let request: GatewayRequest

    /// Connects, tells the client, and joins both connections.
    func open(to host: String, _ port: Int) {
      // An address of version 6 stands in brackets.
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

    /// False once the client has gone, or was told that it has taken too long.
    private var isAwaited: Bool { context.channel.isActive && handler.phase == .answering }

    private func join(_ channel: any Channel) {
      guard isAwaited else {
        channel.close(promise: nil)
        return handler.noteAbandoned()
      }
      let handler = handler
      let (near, far) = TunnelEnd.pair(idleTime: core.limits.tunnelIdleTime) { length in
        // Nothing follows that could be told from the end of the connection.
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
      // RFC 9110 section 9.3.6: neither a length nor chunks.
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

    /// True when none of the addresses that a name has is allowed.
    private static func isForbidden(_ error: any Error) -> Bool {
      if error is TunnelGuard.Refusal { return true }
      guard let error = error as? NIOConnectionError else { return false }
      return error.connectionErrors.contains { $0.error is TunnelGuard.Refusal }
    }
  }

  extension GatewayCore {
    /// Why a tunnel is not made; `nil` for one that may be.
    func refusal(ofTunnelTo port: Int) -> (status: Int, words: String)? {
      guard let tunnels = options.tunnels else { return (501, "tunnels are not made") }
      // Whichever host: nothing that passes there would say that it comes from a client, and what a name or a
      // translated address leads to in the end is not known here.
      guard tunnels.ports.contains(port), port != adminPort.load(ordering: .relaxed) else {
        return (403, "tunnels do not lead to this port")
      }
      return nil
    }
  }

  /// Keeps a connection from addresses that a tunnel may not lead to. Each address that a name has passes here
  /// before a packet is sent to it.
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

  /// One end of a tunnel: what comes in here goes out at the other end, no faster than that takes it.
  ///
  /// Both ends are on one event loop. The first that closes closes the other, once what came before is sent, or could not
  /// be for as long as nothing may pass.
  final class TunnelEnd: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// What both ends share.
    private final class Line {
      let idleTime: TimeAmount
      var lastTraffic = NIODeadline.now()
      var timer: Scheduled<Void>?

      init(_ idleTime: TimeAmount) { self.idleTime = idleTime }
    }

    private let line: Line
    /// Called once, with the bytes that were sent here; closes the connection where this does not.
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
    ///   - hasEnded: Called once, with the bytes that were sent to the near end; closes it.
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

    /// Sends bytes here.
    func send(_ bytes: ByteBuffer) {
      guard let context, !isEnding, bytes.readableBytes > 0 else { return }
      length += bytes.readableBytes
      context.write(wrapOutboundOut(bytes), promise: nil)
    }

    func flush() { context?.flush() }

    // MARK: What comes in

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

    /// This end has closed, or is about to.
    private func end() {
      guard !isEnding else { return }
      isEnding = true
      line.timer?.cancel()
      let other = other
      self.other = nil
      hasEnded?(length)
      other?.close()
    }

    /// Closes once all is sent. Whoever takes nothing more would else never let it go.
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
