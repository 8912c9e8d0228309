#if Gateway
  internal import NIOCore
  internal import Synchronization

  /// The content of a request on its way from its connection to the origin.
  final class Upload: Sendable {
    /// The client has gone, or has not sent all that it has announced.
    struct Broken: Error {}

    private struct State {
      var parts: [ByteBuffer] = []
      var size = 0
      var hasEnded = false
      var isBroken = false
      var isDemanded = false
      var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())
    private let room: Int
    private let demand: @Sendable (_ isFirst: Bool) -> Void

    /// - Parameters:
    ///   - room: The bytes that are enough.
    ///   - demand: Called when more is wanted; by any thread.
    init(
      room: Int = Upload.greatestSize, _ demand: @escaping @Sendable (_ isFirst: Bool) -> Void
    ) {
      (self.room, self.demand) = (room, demand)
    }

    /// False while enough waits to be sent on.
    var hasRoom: Bool { state.withLock { $0.size < room } }

    /// True once all of it is here.
    var isWhole: Bool { state.withLock { $0.hasEnded && !$0.isBroken } }

    func add(_ part: ByteBuffer) {
      let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
        state.parts.add(part)
        state.size += part.readableBytes
        return state.waiter.take()
      }
      waiter?.resume()
    }

    func end(isBroken: Bool = false) {
      let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
        guard !state.hasEnded else { return nil }
        state.hasEnded = true
        state.isBroken = isBroken
        return state.waiter.take()
      }
      waiter?.resume()
    }

    /// The next part; `nil` at the end. For one task.
    func next() async throws -> ByteBuffer? {
      while true {
        let (part, isOver, isFirst) = try state.withLock { state in
          if state.isBroken { throw Broken() }
          let isFirst = !state.isDemanded
          state.isDemanded = true
          guard !state.parts.isEmpty else { return (ByteBuffer?.none, state.hasEnded, isFirst) }
          let part = state.parts.removeFirst()
          state.size -= part.readableBytes
          return (part, false, isFirst)
        }
        if isOver { return nil }
        demand(isFirst)
        if let part { return part }
        await wait()
        try Task.checkCancellation()
      }
    }

    private func wait() async {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let isReady = state.withLock { state in
            guard state.parts.isEmpty, !state.hasEnded, !Task.isCancelled else { return true }
            state.waiter = continuation
            return false
          }
          if isReady { continuation.resume() }
        }
      } onCancel: {
        state.withLock { $0.waiter.take() }?.resume()
      }
    }

    static let greatestSize = 256 << 10
  }
#endif
