#if HTTP
  internal import NIOCore
  internal import Platform
  internal import Reachability
  internal import Strategies

  /// Ends a connection without a word while its other end is provably out of reach.
  ///
  /// The kernel would send the farewell again and again, to be answered by nobody. Each time it looks for
  /// the neighbour on the way, and as long as that search goes on, which is repeated once a second, whatever
  /// is sent when the network is back waits for its next turn, over a new connection, too.
  final class SilentEnd: ChannelOutboundHandler, Sendable {
    typealias OutboundIn = NIOAny

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
      if case .all = mode, let peer = context.remoteAddress, Self.isOutOfReach(peer) {
        Self.silence(context.channel)
      }
      context.close(mode: mode, promise: promise)
    }

    /// Some microseconds.
    private static func isOutOfReach(_ peer: SocketAddress) -> Bool {
      // A Unix socket has no address, and is always in reach.
      guard let address = peer.ipAddress.flatMap({ IPAddress($0) }) else { return false }
      return RouteMonitor.look(at: [address]).isProvablyOffline
    }

    /// Where the system allows less, the farewell is as it would have been.
    private static func silence(_ channel: any Channel) {
      #if os(Linux)
        // The loopback leads nowhere else: a last packet stays on this machine. The name is `lo`, with a NUL.
        let loopback = SocketOptionValue(littleEndian: 0x6F6C)
        let device = NIOBSDSocket.Option(rawValue: SO_BINDTODEVICE)
        _ = channel.setOption(.socketOption(device), value: loopback)
      #endif
      // What was not sent yet is dropped, and nothing is sent again.
      if let options = channel as? any SocketOptionProvider {
        _ = options.setSoLinger(linger(l_onoff: 1, l_linger: 0))
      }
    }
  }
#endif
