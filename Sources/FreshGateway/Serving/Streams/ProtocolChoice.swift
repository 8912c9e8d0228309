#if Gateway
  internal import NIOCore
  internal import NIOTLS

  /// A connection of TLS until its handshake tells what is spoken within: HTTP/2, or HTTP/1.1 (RFC 7301, RFC 9113
  /// section 3.2).
  final class ProtocolChoice: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// What the handshake offers, the best first.
    static let names = [http2, "http/1.1"]
    private static let http2 = "h2"

    private let core: GatewayCore
    /// `nil` before the connection is open, and once it is another handler's.
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
        // Its handshake would cost more than an answer is worth.
        core.figures.noteRefusal()
        return context.abort()
      }
      // Nothing is under way.
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

    /// Has what came without TLS refused by a handler in front of that; false where the connection is about to end.
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

  /// A connection to a port of TLS until something has come: whoever begins with a request as it is without TLS is told
  /// so.
  final class PlainRequestGuard: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let choice: ProtocolChoice

    init(_ choice: ProtocolChoice) { self.choice = choice }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      // Every method that clients have begins with such a letter (RFC 9110 section 9), and no record of TLS does (RFC
      // 8446 section 5.1).
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
