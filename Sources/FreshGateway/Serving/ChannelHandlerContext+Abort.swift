#if Gateway
  internal import NIOCore
  internal import Platform

  extension ChannelHandlerContext {
    /// Ends the connection at once, without the farewell of TLS.
    ///
    /// - Parameter isReset: True has the client see that what it got is not whole.
    func abort(isReset: Bool = false) {
      if isReset, let socket = channel as? any SocketOptionProvider {
        // A failure leaves an ordinary end.
        _ = socket.setSoLinger(Linger.reset)
      }
      channel.abort()
    }

    /// The name of the handler of TLS.
    static let security = "TLS"
  }

  extension Channel {
    /// Ends the connection at once, without the farewell of TLS; on its loop.
    func abort() {
      do {
        try pipeline.syncOperations.context(name: ChannelHandlerContext.security)
          .close(promise: nil)
      } catch {
        // It speaks no TLS.
        close(promise: nil)
      }
    }
  }
#endif
