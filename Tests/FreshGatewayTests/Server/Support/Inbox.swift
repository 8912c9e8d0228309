#if Gateway
  internal import NIOCore
  internal import Synchronization

  /// The bytes that came in over a connection, for the one task that reads them.
  final class Inbox: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private struct State {
      var bytes: [UInt8] = []
      var hasEnded = false
      var isReset = false
      var reader: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let part = unwrapInboundIn(data)
      state.withLock { state -> CheckedContinuation<Void, Never>? in
        state.bytes += part.readableBytesView
        return state.reader.take()
      }?.resume()
    }

    func channelInactive(context: ChannelHandlerContext) { end() }

    /// True when the other end has ended the connection in no order.
    var isReset: Bool { state.withLock { $0.isReset } }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      state.withLock { $0.isReset = true }
      context.close(promise: nil)
    }

    private func end() {
      state.withLock { state -> CheckedContinuation<Void, Never>? in
        state.hasEnded = true
        return state.reader.take()
      }?.resume()
    }

    /// The bytes that have arrived since the last call, at least one; empty at the end.
    func take() async -> [UInt8] {
      while true {
        let (bytes, hasEnded) = state.withLock { state in
          defer { state.bytes = [] }
          return (state.bytes, state.hasEnded)
        }
        if !bytes.isEmpty || hasEnded { return bytes }
        await withCheckedContinuation { continuation in
          let isReady = state.withLock { state in
            guard state.bytes.isEmpty, !state.hasEnded else { return true }
            state.reader = continuation
            return false
          }
          if isReady { continuation.resume() }
        }
      }
    }
  }
#endif
