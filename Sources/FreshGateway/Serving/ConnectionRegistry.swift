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

  /// Returns the number of a new connection; `nil` when there are too many, or the gateway is ending.
  ///
  /// - Parameters:
  ///   - evictsOldest: True to end the oldest connection when there are too many.
  ///   - end: Ends the connection after its request in flight, or at once when the gateway ends.
  func open(
    _ peer: String, evictingOldest evictsOldest: Bool = false,
    end: @escaping @Sendable (_ isCutOff: Bool) -> Void
  ) -> Int? {
    if evictsOldest { evictOldest()?(true) }
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

  /// Stops counting the oldest connection, and returns what ends it; `nil` when there is room.
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

  /// Accepts no more connections, and ends each one after its request.
  func beginDraining() {
    for end in ends() { end(false) }
  }

  /// Accepts no more connections, and ends each one now.
  func cutOff() {
    for end in ends() { end(true) }
  }

  private func ends() -> [@Sendable (_ isCutOff: Bool) -> Void] {
    state.withLock { state in
      state.isDraining = true
      return state.open.values.map(\.end)
    }
  }

  /// Accepts no more connections, and ends each one after its request. Returns when all have ended, or the task is
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

  /// A connection's slot among the open ones, for any protocol. Used only on the connection's event loop.
  final class ConnectionSlot {
    /// The peer's address. A version 4 address in the form of version 6, as a socket for both reports it, has its plain
    /// form here.
    let peer: String
    /// The local port of the connection.
    let port: Int?
    /// Called when the gateway ends: the connection ends after its request in flight, or now.
    var whenEnding: (_ isCutOff: Bool) -> Void = { _ in }

    /// The account of the memory that the gateway holds for the connection.
    let memory: ClientMemory.Account

    private let core: GatewayCore
    private var number: Int?

    init(_ core: GatewayCore, _ context: ChannelHandlerContext) {
      self.core = core
      let address = context.remoteAddress?.ipAddress ?? "-"
      peer = PeerNetwork.plain(address)?.text ?? address
      port = context.localAddress?.port
      let loop = context.eventLoop
      // The context would retain its handler, which retains this slot.
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

    /// False for a connection that exceeds a limit, and must end.
    var isGranted: Bool { number != nil }

    /// Frees the slot at the end of the connection.
    func leave() {
      whenEnding = { _ in }
      guard let number else { return }
      self.number = nil
      core.connections.close(number)
      core.figures.noteConnection(isOpen: false)
    }
  }

  extension ChannelHandlerContext {
    /// Ends the connection at once, without the closing message of TLS.
    ///
    /// - Parameter isReset: True to show the client that the answer is incomplete.
    func abort(isReset: Bool = false) {
      if isReset, let socket = channel as? any SocketOptionProvider {
        // After a failure the connection ends normally.
        _ = socket.setSoLinger(Linger.reset)
      }
      channel.abort()
    }

    /// The name of the TLS handler.
    static let security = "TLS"
  }

  extension Channel {
    /// Ends the connection at once, without the closing message of TLS. Called on its event loop.
    func abort() {
      do {
        try pipeline.syncOperations.context(name: ChannelHandlerContext.security)
          .close(promise: nil)
      } catch {
        // The connection has no TLS.
        close(promise: nil)
      }
    }
  }
#endif
