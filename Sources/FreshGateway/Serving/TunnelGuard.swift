#if Gateway
  internal import NIOCore

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
#endif
