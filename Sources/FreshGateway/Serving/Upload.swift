#if Gateway
  internal import NIOCore
  internal import Synchronization

  /// The body of a request between its connection and the origin.
  final class Upload: Sendable {
    /// The client has left, or has not sent the whole announced body.
    struct Broken: Error {}

    private struct State {
      var parts: [ByteBuffer] = []
      var size = 0
      /// The number of bytes received in all.
      var received: Int64 = 0
      var hasEnded = false
      var isBroken = false
      var isCutOff = false
      var isDemanded = false
      var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())
    private let client: String
    private let pace: ClientPace?
    private let room: Int
    private let memory: ClientMemory.Account?
    private let demand: @Sendable (_ isFirst: Bool) -> Void

    /// - Parameters:
    ///   - client: The sender.
    ///   - pace: Tracks whether the client keeps up; `nil` for a client without a limit.
    ///   - room: The number of waiting bytes at which reading stops.
    ///   - memory: The account for waiting bytes; `nil` for none.
    ///   - demand: Called when more is wanted. Any thread may call it.
    init(
      of client: String = "-", _ pace: ClientPace? = nil, room: Int = Upload.greatestSize,
      _ memory: ClientMemory.Account? = nil,
      _ demand: @escaping @Sendable (_ isFirst: Bool) -> Void
    ) {
      (self.client, self.pace) = (client, pace)
      (self.room, self.memory, self.demand) = (room, memory, demand)
    }

    deinit { memory?.remove(state.withLock(\.size), isTaken: false) }

    /// False while enough bytes wait to be sent on.
    var hasRoom: Bool { state.withLock { $0.size < room } }

    /// True when the whole body is here.
    var isWhole: Bool { state.withLock { $0.hasEnded && !$0.isBroken } }

    /// True when the upload was aborted because too many of its client's exchanges are slow.
    var isCutOff: Bool { state.withLock { $0.isCutOff } }

    /// True when no more will come.
    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    func add(_ part: ByteBuffer) {
      memory?.add(part.readableBytes)
      let part = part.unpinned
      let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
        state.parts.add(part)
        state.size += part.readableBytes
        state.received += Int64(part.readableBytes)
        return state.waiter.take()
      }
      waiter?.resume()
    }

    /// - Parameter isCutOff: True to abort the upload because too many of its client's exchanges are slow.
    func end(isBroken: Bool = false, isCutOff: Bool = false) {
      let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
        guard !state.hasEnded else { return nil }
        state.hasEnded = true
        (state.isBroken, state.isCutOff) = (isBroken, isCutOff)
        return state.waiter.take()
      }
      waiter?.resume()
      pace?.finish()
    }

    private var received: Int64 { state.withLock { $0.received } }

    private func cutOff() { end(isBroken: true, isCutOff: true) }

    /// Asks the client for the body, and returns when its end is here, or as much as may wait. False when the upload is
    /// broken, or the task is cancelled. Called by the task that then calls `next()`.
    func begin() async -> Bool {
      let isFirst = state.withLock { state in
        guard !state.hasEnded, state.size < room, !state.isDemanded else { return false }
        state.isDemanded = true
        return true
      }
      if isFirst { demand(true) }
      while !Task.isCancelled {
        let isBegun = state.withLock { state -> Bool? in
          if state.isBroken { return false }
          return state.hasEnded || state.size >= room ? true : nil
        }
        if let isBegun { return isBegun }
        await wait { [room] in $0.size < room }
      }
      return false
    }

    /// Returns the next part; `nil` at the end. Only one task may call it.
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
        if let part {
          memory?.remove(part.readableBytes)
          return part
        }
        await waitForClient()
        try Task.checkCancellation()
      }
    }

    /// Waits for a part while the origin waits too.
    private func waitForClient() async {
      guard let pace else { return await wait { $0.parts.isEmpty } }
      let mayWait = pace.begin(
        for: client, having: { [weak self] in self?.received ?? 0 },
        orCutOff: { [weak self] in self?.cutOff() })
      guard mayWait else { return cutOff() }
      await wait { $0.parts.isEmpty }
      pace.end(at: received)
    }

    /// Waits for one more part, or for the end, when too little is here.
    private func wait(while isShort: @Sendable (State) -> Bool) async {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let isReady = state.withLock { state in
            guard isShort(state), !state.hasEnded, !Task.isCancelled else { return true }
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
