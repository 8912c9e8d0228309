#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import NIOCore
  internal import Synchronization

  /// Content in flight from an origin to any number of clients.
  ///
  /// While it is kept, to be stored, it is read as fast as the origin sends it, and each joiner gets all of it. Only
  /// where its length may exceed what can be kept, the origin waits for the fastest reader. Long content goes into the
  /// file block by block, and only its end is in memory: slower readers read from the file.
  ///
  /// Once it is not kept, the fastest reader sets the pace, and bytes that all readers have taken are dropped. A reader
  /// that falls too far behind the fastest is cut off. It is told that the content is not whole, and no other client
  /// waits for it. Content may stop being kept midway, such as when there is no more room. Then all this holds from
  /// that point on, also for readers of the file.
  final class SharedBody: Sendable {
    private let state: Mutex<State>
    private let limits: Limits
    private let keptLength: Int
    private let endsInTime: Bool
    private let budget: StorageQuota
    private let spill: ContentSpill?
    private let pace: ClientPace?

    /// - Parameters:
    ///   - length: The most bytes that are kept; `nil` for content that is not kept.
    ///   - endsInTime: True when it is known to have no more bytes.
    ///   - budget: The budget of all kept content, for bytes that the slowest reader has not taken.
    ///   - spill: The place for long content; `nil` keeps all of it in memory.
    ///   - pace: The pace of the client for which the origin waits; `nil` lets it take any time.
    init(
      keeping length: Int?, endsInTime: Bool = false, _ budget: StorageQuota,
      spill: ContentSpill? = nil, pace: ClientPace? = nil, limits: Limits = Limits()
    ) {
      state = Mutex(State(isKept: length != nil))
      keptLength = length ?? 0
      self.endsInTime = endsInTime
      (self.budget, self.limits) = (budget, limits)
      self.spill = length == nil ? nil : spill
      self.pace = pace
    }

    deinit {
      let (held, room) = state.withLock { ($0.held, $0.roomTaken) }
      budget.giveBack(held)
      spill?.room.giveBack(room)
    }

    // MARK: The origin's side

    /// Adds a part; returns when there is room for another one. False when no client wants more.
    func append(_ bytes: ByteBuffer) async -> Bool {
      guard bytes.readableBytes > 0 else { return isWanted }
      let bytes = bytes.unpinned
      let deliveries = state.withLock { state -> [Delivery] in
        state.add(bytes)
        hold(bytes.readableBytes, in: &state)
        let deliveries = state.serve()
        if !state.isKept { dropTaken(&state) }
        return deliveries
      }
      for delivery in deliveries { delivery.waiter.resume(returning: .part(delivery.part)) }
      if let spill {
        await write(bytes, to: spill)
        if !state.withLock(\.isKept) { await giveUp() }
      }
      await waitForRoom()
      return isWanted
    }

    /// Writes a part into the file, and the earlier parts once they are too many for memory.
    private func write(_ bytes: ByteBuffer, to spill: ContentSpill) async {
      let parts = state.withLock { state -> [ByteBuffer] in
        guard state.isKept, state.received > ContentSpill.threshold else { return [] }
        guard !state.isSpilling else { return [bytes] }
        state.isSpilling = true
        return state.parts.map(\.bytes)
      }
      for part in parts {
        let readable = await spill.add(part)
        state.withLock { state in
          if let readable { state.spilled = readable } else { state.isKept = false }
          if state.isKept { drop(upTo: state.spilled, &state) } else { dropTaken(&state) }
        }
        if readable == nil { return }
      }
    }

    /// Ends the content.
    ///
    /// - Parameters:
    ///   - trailers: The trailers behind the last part.
    ///   - fault: The reason why it is not whole, where the origin is to blame.
    func end(isWhole: Bool, trailers: HeaderFields = [:], fault: String? = nil) {
      let deliveries = state.withLock { state -> [Delivery] in
        guard state.ending == nil else { return [] }
        (state.trailers, state.fault) = (trailers, fault)
        state.ending = isWhole ? .end : .broken
        return state.serve()
      }
      for delivery in deliveries { delivery.waiter.resume(returning: .part(delivery.part)) }
      pace?.finish()
    }

    /// The trailers, once the end is here; no copy keeps them.
    var trailers: HeaderFields { state.withLock(\.trailers) }

    /// The reason why the origin has not sent all of it, once that is known; `nil` where it has, or is not to blame.
    var fault: String? { state.withLock(\.fault) }

    /// The client whose readers were cut off, as too many other exchanges of it are slow; `nil` without any.
    var slowClient: String? { state.withLock(\.slowClient) }

    /// True as long as it is to be stored.
    var isKept: Bool { state.withLock(\.isKept) }

    /// Its length so far.
    var length: Int64 { state.withLock { $0.received } }

    /// All of it in one piece; `nil` when it is not kept.
    var whole: ByteBuffer? {
      state.withLock { state in
        guard state.isKept, state.dropped == 0 else { return nil }
        if state.parts.count == 1 { return state.parts[0].bytes }
        var whole = ByteBuffer()
        whole.reserveCapacity(Int(state.received))
        for part in state.parts { whole.writeImmutableBuffer(part.bytes) }
        return whole
      }
    }

    /// Stops keeping it: from now on it is only passed on.
    func keepNoLonger() {
      let producer = state.withLock { state -> CheckedContinuation<Void, Never>? in
        state.isKept = false
        return advance(&state)
      }
      producer?.resume()
    }

    /// All of it, once its end is here, for a record; `nil` when it is not kept. The origin's side calls it once.
    func arrived() async -> ArrivedContent? {
      guard let spill, state.withLock(\.isSpilling) else { return whole.map(ArrivedContent.bytes) }
      guard state.withLock(\.isKept) else { return nil }
      return await spill.finish().map(ArrivedContent.blocks)
    }

    /// Gives up the content in the file: a record has it by now, or none will.
    func giveUp() async {
      guard let spill else { return }
      let isRead = state.withLock { state -> Bool? in
        guard state.isSpilling, state.givenUpWhileRead != false else { return nil }
        let isRead = state.isKept || state.isReadFromFile
        guard state.givenUpWhileRead != isRead else { return nil }
        state.givenUpWhileRead = isRead
        return isRead
      }
      if let isRead { await spill.giveUp(isRead: isRead) }
    }

    /// Counts new bytes. Without room for them the content is kept no longer, and is read only as fast as readers take
    /// it.
    private func hold(_ count: Int, in state: inout State) {
      let isHeld = budget.take(count)
      if isHeld { state.held += count }
      state.isKept = state.isKept && isHeld && state.received <= Int64(keptLength)
      guard state.isKept else { return }
      guard let spill, state.received > ContentSpill.threshold else { return }
      let room = Int(state.received) - state.roomTaken
      if spill.room.take(room) { state.roomTaken += room } else { state.isKept = false }
    }

    private var isWanted: Bool { state.withLock(\.isWanted) }

    private var fastest: Int64 { state.withLock(\.fastest) }

    private func waitForRoom() async {
      // The awaited client may change meanwhile: each is judged by its own pace.
      while !Task.isCancelled {
        let (isThere, client) = state.withLock { (hasRoom($0), $0.client) }
        guard !isThere else { return }
        guard let pace, let client else {
          await waitForReaders(of: client)
          continue
        }
        let mayWait = pace.begin(
          for: client, having: { [weak self] in self?.fastest ?? 0 },
          orCutOff: { [weak self] in self?.cutOff(client) })
        guard mayWait else {
          cutOff(client)
          continue
        }
        await waitForReaders(of: client)
        pace.end(at: fastest)
      }
    }

    /// Cuts off the readers of a client, as too many other exchanges of it are slow. They can be told that the content
    /// is not whole, and kept content goes on without them.
    private func cutOff(_ client: String) {
      let producer = state.withLock { state -> CheckedContinuation<Void, Never>? in
        // The readers may have caught up meanwhile, or other clients may have joined or left.
        guard state.ending == nil, !hasRoom(state), state.client == client else { return nil }
        state.slowClient = client
        for name in state.readers.keys { state.readers[name]?.isCut = true }
        if !state.isKept {
          state.awaitsReaders = false
          dropTaken(&state)
        }
        return state.producer.take()
      }
      producer?.resume()
    }

    /// Returns once there is room, or the readers are of another client.
    private func waitForReaders(of client: String?) async {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let goesOn = state.withLock { state in
            guard !hasRoom(state), state.client == client, !Task.isCancelled else { return true }
            state.producer = continuation
            return false
          }
          if goesOn { continuation.resume() }
        }
      } onCancel: {
        state.withLock { $0.producer.take() }?.resume()
      }
    }

    // MARK: The clients' side

    /// Adds a reader at the beginning; `nil` when the beginning is gone, or the content will not be whole.
    ///
    /// - Parameter client: The client of the reader; `nil` for a reader that may take any time.
    func join(for client: String? = nil) -> Int? {
      state.withLock { state in
        let hasBeginning =
          state.dropped == 0 || state.isKept && state.isSpilling && state.dropped <= state.spilled
        guard hasBeginning, state.isWanted, !state.isBroken else { return nil }
        state.nextReader += 1
        state.readers[state.nextReader] = Reader(client: client)
        return state.nextReader
      }
    }

    /// Notes that all clients that requested it have joined or left. True when no client wants more: then none joins
    /// later.
    @discardableResult
    func stopAwaitingReaders() -> Bool {
      let (producer, isAbandoned) = state.withLock {
        state -> (CheckedContinuation<Void, Never>?, Bool) in
        state.awaitsReaders = false
        let isAbandoned = !state.isWanted && state.ending == nil
        return (hasRoom(state) ? state.producer.take() : nil, isAbandoned)
      }
      producer?.resume()
      return isAbandoned
    }

    func leave(_ reader: Int) {
      let (producer, gone) = state.withLock {
        state -> (CheckedContinuation<Void, Never>?, String?) in
        let client = state.client
        var gone = state.readers.removeValue(forKey: reader)?.client
        if state.readers.values.contains(where: { $0.client == gone }) { gone = nil }
        if !state.isKept {
          // Without its beginning no client can join any more.
          if state.dropped > 0, !state.isRead { state.awaitsReaders = false }
          dropTaken(&state)
        }
        let goesOn = hasRoom(state) || state.client != client
        return (goesOn ? state.producer.take() : nil, gone)
      }
      if let gone { pace?.leave(gone) }
      producer?.resume()
    }

    /// The next part without a wait, and whether it is the last one without trailers. `nil` where none is here, or it
    /// has more than `limit` bytes.
    func first(_ reader: Int, atMost limit: Int) -> (bytes: ByteBuffer, isEnd: Bool)? {
      let (first, producer) = state.withLock {
        state -> ((bytes: ByteBuffer, isEnd: Bool)?, CheckedContinuation<Void, Never>?) in
        guard var own = state.readers[reader], own.taken >= state.dropped,
          own.taken < state.received, case .bytes(let bytes)? = state.take(for: &own),
          bytes.readableBytes <= limit
        else { return (nil, nil) }
        state.readers[reader] = own
        var isEnd = false
        if own.taken == state.received, case .end? = state.ending {
          isEnd = state.trailers.lines.isEmpty
        }
        return ((bytes: bytes, isEnd: isEnd), advance(&state))
      }
      producer?.resume()
      return first
    }

    /// The next part; `broken` when the task is cancelled.
    func next(_ reader: Int) async -> Part {
      switch await step(reader) {
      case .part(let part): return part
      case .stored(let place, of: let readable):
        guard let bytes = await spill?.bytes(from: place, of: readable) else { return .broken }
        return take(bytes, at: place, as: reader)
      }
    }

    private func step(_ reader: Int) async -> Step {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let (step, producer) = state.withLock {
            state -> (Step?, CheckedContinuation<Void, Never>?) in
            guard !Task.isCancelled, var own = state.readers[reader] else {
              return (.part(.broken), nil)
            }
            if !own.isCut, own.taken < state.dropped, own.taken < state.spilled {
              return (.stored(own.taken, of: state.spilled), nil)
            }
            if let part = state.take(for: &own) {
              state.readers[reader] = own
              return (.part(part), advance(&state))
            }
            own.waiter = continuation
            state.readers[reader] = own
            return (nil, nil)
          }
          producer?.resume()
          if let step { continuation.resume(returning: step) }
        }
      } onCancel: {
        state.withLock { $0.readers[reader]?.waiter.take() }?.resume(returning: .part(.broken))
      }
    }

    /// Notes that a reader has taken bytes from the file.
    private func take(_ bytes: ByteBuffer, at place: Int64, as reader: Int) -> Part {
      let (isThere, producer) = state.withLock {
        state -> (Bool, CheckedContinuation<Void, Never>?) in
        guard !Task.isCancelled, state.readers[reader] != nil else { return (false, nil) }
        state.readers[reader]?.taken = place + Int64(bytes.readableBytes)
        return (true, advance(&state))
      }
      producer?.resume()
      return isThere ? .bytes(bytes) : .broken
    }

    // MARK: Inside

    private func hasRoom(_ state: State) -> Bool {
      guard state.awaitsReaders || state.isRead else { return true }
      guard state.isKept else {
        return state.received - state.fastest <= (state.isHeld ? limits.window : 0)
      }
      // Kept content does not wait for future readers.
      return endsInTime || !state.isRead
        || state.received - state.fastest <= limits.keptWindow
    }

    /// Drops what no reader needs. Returns the producer if it may go on.
    private func advance(_ state: inout State) -> CheckedContinuation<Void, Never>? {
      if !state.isKept { dropTaken(&state) }
      return hasRoom(state) ? state.producer.take() : nil
    }

    private func dropTaken(_ state: inout State) {
      let fastest = state.fastest
      let lag = state.isHeld ? limits.lag : limits.window
      for name in state.readers.keys where fastest - (state.readers[name]?.taken ?? 0) > lag {
        state.readers[name]?.isCut = true
      }
      let least = state.readers.values.filter { !$0.isCut }.map(\.taken).min()
      drop(upTo: least ?? (state.awaitsReaders ? 0 : state.received), &state)
    }

    /// Drops the parts before an offset from memory.
    private func drop(upTo needed: Int64, _ state: inout State) {
      let count = state.parts.prefix { $0.start + Int64($0.bytes.readableBytes) <= needed }.count
      guard count > 0 else { return }
      let dropped =
        state.parts[count - 1].start + Int64(state.parts[count - 1].bytes.readableBytes)
      state.parts.removeFirst(count)
      let freed = min(state.held, Int(dropped - state.dropped))
      state.dropped = dropped
      state.held -= freed
      budget.giveBack(freed)
    }
  }
#endif
