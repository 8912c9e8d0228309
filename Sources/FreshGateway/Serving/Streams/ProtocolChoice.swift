#if Gateway
  internal import NIOCore
  internal import NIOTLS

  /// A TLS connection until its handshake selects HTTP/2 or HTTP/1.1 (RFC 7301, RFC 9113 section 3.2).
  final class ProtocolChoice: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The protocols that the handshake offers, the best first.
    static let names = [http2, "http/1.1"]
    private static let http2 = "h2"

    private let core: GatewayCore
    /// `nil` before the connection is open, and after another handler has taken the slot over.
    private var slot: ConnectionSlot?
    private let timer = DeadlineTimer()

    init(_ core: GatewayCore) { self.core = core }

    func handlerAdded(context: ChannelHandlerContext) {
      if context.channel.isActive { open(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
      open(context)
      context.fireChannelActive()
    }

    private func open(_ context: ChannelHandlerContext) {
      guard slot == nil else { return }
      let slot = ConnectionSlot(core, context)
      self.slot = slot
      guard slot.isGranted else {
        // The handshake would cost more than an answer is worth.
        core.figures.noteRefusal()
        return context.abort()
      }
      // No request is in flight.
      slot.whenEnding = { _ in context.close(promise: nil) }
      timer.whenDue = { context.abort() }
      timer.set(context.eventLoop.now + TimeAmount(core.limits.idleTime), on: context.eventLoop)
    }

    func channelInactive(context: ChannelHandlerContext) {
      end()
      slot?.leave()
      context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    private func end() {
      timer.cancel()
      timer.whenDue = {}
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      context.close(promise: nil)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      guard case .handshakeCompleted(let name)? = event as? TLSUserEvent, let slot, slot.isGranted
      else { return context.fireUserInboundEventTriggered(event) }
      self.slot = nil
      handOver(slot, to: name, context)
    }

    /// Adds a handler behind the guard that refuses a request without TLS. False when the connection is about to end.
    func refusePlainRequest(
      behind first: PlainRequestGuard, _ context: ChannelHandlerContext
    ) -> Bool {
      guard let slot, slot.isGranted else { return false }
      self.slot = nil
      end()
      slot.whenEnding = { _ in }
      let refusal = RequestRefusal(400, "a request without TLS came to a port of TLS")
      do {
        try context.pipeline.syncOperations.addHandler(
          ConnectionHandler(core, slot, refusing: refusal), position: .after(first))
        return true
      } catch {
        // The connection has just ended.
        slot.leave()
        return false
      }
    }

    private func handOver(
      _ slot: ConnectionSlot, to name: String?, _ context: ChannelHandlerContext
    ) {
      end()
      slot.whenEnding = { _ in }
      do {
        if name == Self.http2 {
          try StreamConnection.add(to: context.channel, core, slot)
        } else {
          try context.pipeline.syncOperations.addHandler(ConnectionHandler(core, slot))
        }
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
      } catch {
        // The connection has just ended.
        slot.leave()
        context.close(promise: nil)
      }
    }
  }

  /// Watches the first bytes on a TLS port, so that a client that sends a request without TLS gets an answer.
  final class PlainRequestGuard: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let choice: ProtocolChoice

    init(_ choice: ProtocolChoice) { self.choice = choice }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      // Every method begins with an uppercase letter (RFC 9110 section 9), and no TLS record does (RFC 8446 section
      // 5.1).
      let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
      let first = unwrapInboundIn(data).readableBytesView.first
      let isPlain = first.map { letters.contains($0) } ?? false
      if !isPlain || !choice.refusePlainRequest(behind: self, context) {
        context.fireChannelRead(data)
      }
      context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }
  }
#endif
