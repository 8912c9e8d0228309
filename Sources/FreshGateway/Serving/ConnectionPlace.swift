#if Gateway
  internal import NIOCore

  /// The place of a connection among those that are open, from its beginning to its end, whatever it speaks. For its
  /// event loop alone.
  final class ConnectionPlace {
    /// Its address; that of version 4 where a socket for both versions tells it as one of version 6.
    let peer: String
    /// The port that the client has come to.
    let port: Int?
    /// Told that the gateway ends: after what is under way, or now.
    var whenEnding: (_ isCutOff: Bool) -> Void = { _ in }

    /// What it has the gateway hold.
    let memory: ClientMemory.Account

    private let core: GatewayCore
    private var number: Int?

    init(_ core: GatewayCore, _ context: ChannelHandlerContext) {
      self.core = core
      let address = context.remoteAddress?.ipAddress ?? "-"
      peer = PeerNetwork.plain(address)?.text ?? address
      port = context.localAddress?.port
      let loop = context.eventLoop
      // Not its context, which has the handler that has this.
      let channel = context.channel
      memory = core.memory.open { [core] in
        core.figures.noteRefusal()
        loop.execute { channel.abort() }
      }
      let bound = NIOLoopBound(self, eventLoop: loop)
      number = core.connections.open(peer) { isCutOff in
        loop.execute { bound.value.whenEnding(isCutOff) }
      }
      if number != nil { core.figures.noteConnection(isOpen: true) }
    }

    /// False for one connection too many, which may not stay.
    var isTaken: Bool { number != nil }

    /// The connection has ended.
    func leave() {
      whenEnding = { _ in }
      guard let number else { return }
      self.number = nil
      core.connections.close(number)
      core.figures.noteConnection(isOpen: false)
    }
  }
#endif
