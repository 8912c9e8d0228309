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
#endif
