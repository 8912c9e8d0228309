internal import Synchronization

/// The open connections, in all and by peer.
final class ConnectionRegistry: Sendable {
  private struct State {
    var open: [Int: (peer: String, end: @Sendable (_ isCutOff: Bool) -> Void)] = [:]
    var peers: [String: Int] = [:]
    var next = 0
    var isDraining = false
    var drained: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())
  private let limit: Int
  private let limitOfPeer: Int

  init(atMost limit: Int, ofOnePeer limitOfPeer: Int) {
    (self.limit, self.limitOfPeer) = (limit, limitOfPeer)
  }

  var count: Int { state.withLock { $0.open.count } }

  /// The number of a new connection; `nil` for one too many, or one that came too late.
  ///
  /// - Parameters:
  ///   - evictsOldest: True where the oldest connection ends in the place of one too many.
  ///   - end: Has it end after the request that is under way, or, as the gateway ends, now.
  func open(
    _ peer: String, evictingOldest evictsOldest: Bool = false,
    end: @escaping @Sendable (_ isCutOff: Bool) -> Void
  ) -> Int? {
    let oldest = evictsOldest ? evictOldest() : nil
    oldest?(true)
    return state.withLock { state in
      guard !state.isDraining, state.open.count < limit,
        state.peers[peer, default: 0] < limitOfPeer
      else { return nil }
      state.next += 1
      state.open[state.next] = (peer, end)
      state.peers[peer, default: 0] += 1
      return state.next
    }
  }

  /// What ends the oldest connection, which is not counted any longer; `nil` where there is room.
  private func evictOldest() -> (@Sendable (_ isCutOff: Bool) -> Void)? {
    state.withLock { state in
      guard !state.isDraining, state.open.count >= limit, let number = state.open.keys.min(),
        let oldest = state.open.removeValue(forKey: number)
      else { return nil }
      Self.uncount(oldest.peer, in: &state)
      return oldest.end
    }
  }

  private static func uncount(_ peer: String, in state: inout State) {
    let others = state.peers[peer, default: 1] - 1
    state.peers[peer] = others > 0 ? others : nil
  }

  func close(_ number: Int) {
    let drained = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard let (peer, _) = state.open.removeValue(forKey: number) else { return nil }
      Self.uncount(peer, in: &state)
      return state.open.isEmpty ? state.drained.take() : nil
    }
    drained?.resume()
  }

  /// Takes no more connections, and has each end after its request.
  func beginDraining() {
    for end in ends() { end(false) }
  }

  /// Takes no more connections, and has each end now.
  func cutOff() {
    for end in ends() { end(true) }
  }

  private func ends() -> [@Sendable (_ isCutOff: Bool) -> Void] {
    state.withLock { state in
      state.isDraining = true
      return state.open.values.map(\.end)
    }
  }

  /// Takes no more connections, and has each end after its request; returns once all have, or the task is
  /// cancelled.
  func drain() async {
    beginDraining()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDone = state.withLock { state in
          guard !state.open.isEmpty, !Task.isCancelled else { return true }
          state.drained = continuation
          return false
        }
        if isDone { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.drained.take() }?.resume()
    }
  }
}

#if Gateway
  internal import NIOCore
  internal import Platform

  /// The place of a connection among those that are open, from its beginning to its end, whatever it speaks. For its
  /// event loop alone.
  final class ConnectionSlot {
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
    var isGranted: Bool { number != nil }

    /// The connection has ended.
    func leave() {
      whenEnding = { _ in }
      guard let number else { return }
      self.number = nil
      core.connections.close(number)
      core.figures.noteConnection(isOpen: false)
    }
  }

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
