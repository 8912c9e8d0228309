#if HTTP
  internal import NIOCore

  /// Keeps requests from addresses that they must not go to.
  ///
  /// A name may have another address each time it is looked up: what counts is the one that a connection has. No request
  /// is sent before that is known; the connection is open then, with TLS also its handshake is over.
  struct AddressGuard: Sendable {
    struct Refusal: Error {}

    /// True for an address that requests are kept from.
    let refuses: @Sendable (_ address: String) -> Bool

    /// Fails, and closes the connection, when it leads to such an address.
    func check(_ channel: any Channel) -> EventLoopFuture<Void> {
      guard let address = channel.remoteAddress?.ipAddress, refuses(address) else {
        return channel.eventLoop.makeSucceededVoidFuture()
      }
      // The client forgets a connection that fails here; it does not close it.
      return channel.close().recover { _ in }.flatMapThrowing { throw Refusal() }
    }
  }
#endif
