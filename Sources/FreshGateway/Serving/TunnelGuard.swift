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

    /// The address alone, as it lies in `sockaddr_in` (ip(7)) and `sockaddr_in6` (ipv6(7)).
    private static func bytes(of address: SocketAddress) -> [UInt8] {
      let place: Range<Int>
      switch address.protocol {
      case .inet: place = 4..<8
      case .inet6: place = 8..<24
      default: return []
      }
      return unsafe address.withSockAddr { (start, size) in
        unsafe Array(UnsafeRawBufferPointer(start: start, count: size)[place])
      }
    }
  }
#endif
