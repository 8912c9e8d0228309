#if Gateway
  internal import NIOCore
  internal import Platform

  /// Keeps a connection from addresses that a tunnel may not lead to. Each address that a name has passes here
  /// before a packet is sent to it.
  final class TunnelGuard: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    struct Refusal: Error {}

    func connect(
      context: ChannelHandlerContext, to address: SocketAddress, promise: EventLoopPromise<Void>?
    ) {
      guard !TunnelPolicy.isLocal(Self.bytes(of: address)) else {
        promise?.fail(Refusal())
        return
      }
      context.connect(to: address, promise: promise)
    }

    private static func bytes(of address: SocketAddress) -> [UInt8] {
      switch address {
      case .v4(let address):
        unsafe withUnsafeBytes(of: address.address.sin_addr) { bytes in unsafe Array(bytes) }
      case .v6(let address):
        unsafe withUnsafeBytes(of: address.address.sin6_addr) { bytes in unsafe Array(bytes) }
      case .unixDomainSocket: []
      }
    }
  }
#endif
