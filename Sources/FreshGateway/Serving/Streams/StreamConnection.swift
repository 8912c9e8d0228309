#if Gateway
  internal import NIOCore
  internal import NIOHTTP2

  /// A connection of HTTP/2: its lifetime, and how much may wait on it. Its streams carry the requests
  /// (``StreamHandler``).
  final class StreamConnection: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    let core: GatewayCore
    private let slot: ConnectionSlot
    private var context: ChannelHandlerContext?
    private var streams: [ObjectIdentifier: StreamHandler] = [:]
    private var latestStream = HTTP2StreamID.rootStream
    /// The writes of all streams, including ended ones, that the system has not taken.
    private var untaken = 0
    /// When the last stream ended, or the last write was taken.
    private var lastMove = NIODeadline.uptimeNanoseconds(0)
    /// The streams that the client has reset since ``resetsBegun``.
    private var resets = 0
    private var resetsBegun = NIODeadline.uptimeNanoseconds(0)
    private var isReadPending = false
    /// True when no further stream may open.
    private var isDraining = false
    private var isEnding = false
    private let timer = DeadlineTimer()

    private init(_ core: GatewayCore, _ slot: ConnectionSlot) {
      (self.core, self.slot) = (core, slot)
    }

    /// Makes a channel speak HTTP/2.
    static func add(
      to channel: any Channel, _ core: GatewayCore, _ slot: ConnectionSlot
    ) throws {
      let connection = StreamConnection(core, slot)
      let bound = NIOLoopBound(connection, eventLoop: channel.eventLoop)
      let pipeline = channel.pipeline.syncOperations
      try pipeline.addHandler(EarlySettings())
      // Only this way of setting it up tells which frames are written. Nothing iterates over the streams.
      _ = try pipeline.configureAsyncHTTP2Pipeline(
        mode: .server, streamDelegate: nil, frameDelegate: FailureWatch(connection: bound),
        configuration: NIOHTTP2Handler.Configuration(core.limits)
      ) { stream in
        stream.eventLoop.makeCompletedFuture {
          let number = try stream.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)
          bound.value.latestStream = max(bound.value.latestStream, number ?? .rootStream)
          try stream.pipeline.syncOperations.addHandler(StreamHandler(bound.value))
        }
      }
      try pipeline.addHandler(connection)
    }

    /// Notices when the library reports a fault of the whole connection to the client.
    private struct FailureWatch: NIOHTTP2FrameDelegate {
      let connection: NIOLoopBound<StreamConnection>

      func wroteFrame(_ frame: HTTP2Frame) {
        guard case .goAway(_, let code, _) = frame.payload, code != .noError else { return }
        connection.eventLoop.execute { connection.value.finish() }
      }
    }

    var peer: String { slot.peer }
    /// The memory that the gateway holds for this connection.
    var memory: ClientMemory.Account { slot.memory }
    /// The local port of the connection.
    var port: Int? { slot.port }

    // MARK: The connection

    func handlerAdded(context: ChannelHandlerContext) {
      self.context = context
      lastMove = context.eventLoop.now
      timer.whenDue = { [weak self] in self?.look() }
      slot.whenEnding = { [weak self] isCutOff in
        guard let self else { return }
        isCutOff ? cutOff() : drain()
      }
      setTimer()
    }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelInactive(context: ChannelHandlerContext) {
      isEnding = true
      timer.cancel()
      slot.leave()
      context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      // A fault of one stream has ended that stream. GOAWAY reports a fault of the whole connection.
      guard error is any NIOHTTP2Error else { return context.close(promise: nil) }
      core.figures.noteRefusal()
    }

    /// Ends the connection after its open streams. The client opens further streams elsewhere.
    private func drain() {
      guard !isDraining, !isEnding else { return }
      isDraining = true
      sendAway(.noError)
      endIfDone()
    }

    /// Tells the client to open no more streams, and which streams have arrived. Later streams are refused, and the
    /// client may repeat them.
    private func sendAway(_ code: HTTP2ErrorCode) {
      let payload = HTTP2Frame.FramePayload.goAway(
        lastStreamID: latestStream, errorCode: code, opaqueData: nil)
      context?.writeAndFlush(
        wrapOutboundOut(HTTP2Frame(streamID: .rootStream, payload: payload)), promise: nil)
    }

    /// Aborts the streams that have begun to answer, because the gateway ends.
    private func cutOff() {
      for stream in Array(streams.values) { stream.cutOff() }
      drain()
    }

    private func endIfDone() {
      guard isDraining, isIdle, let context else { return }
      let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
      // The last stream first reports its own end.
      context.eventLoop.execute {
        if bound.value.isIdle { bound.value.finish() }
      }
    }

    private func finish() {
      guard !isEnding, let context else { return }
      isEnding = true
      timer.cancel()
      readOn()
      context.close(promise: nil)
    }

    // MARK: Pace

    /// A client that takes nothing is not read: each frame may require another one as its answer.
    private func mayRead(_ context: ChannelHandlerContext) -> Bool {
      isEnding || context.channel.isWritable
    }

    func read(context: ChannelHandlerContext) {
      if mayRead(context) { context.read() } else { isReadPending = true }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
      readOn()
      context.fireChannelWritabilityChanged()
    }

    private func readOn() {
      guard isReadPending, let context, mayRead(context) else { return }
      isReadPending = false
      context.read()
    }

    // MARK: Streams

    /// True when no stream is open, and the system has taken all writes.
    private var isIdle: Bool { streams.isEmpty && untaken == 0 }

    func open(_ stream: StreamHandler) {
      streams[ObjectIdentifier(stream)] = stream
    }

    func close(_ stream: StreamHandler) {
      guard streams.removeValue(forKey: ObjectIdentifier(stream)) != nil, let context else {
        return
      }
      lastMove = context.eventLoop.now
      setTimer()
      endIfDone()
    }

    /// Notes that a stream has written something, or that a write was taken or lost.
    func note(_ difference: Int, isTaken: Bool) {
      untaken += difference
      guard difference < 0, let context else { return }
      if isTaken { lastMove = context.eventLoop.now }
      endIfDone()
    }

    // MARK: Time

    /// When the connection itself has waited long enough.
    private var end: NIODeadline {
      guard !streams.values.contains(where: \.isInFlight) else { return .distantFuture }
      return lastMove + TimeAmount(isIdle ? core.limits.idleTime : core.limits.stallTime)
    }

    /// Notes that the client has reset a stream. A client that resets too many makes the gateway begin useless work
    /// (CVE-2023-44487), so its connection ends.
    func noteReset() {
      guard let context, !isEnding else { return }
      let now = context.eventLoop.now
      if now >= resetsBegun + Self.resetTime { (resetsBegun, resets) = (now, 0) }
      resets += 1
      // Further resets may follow the one that exceeds the limit.
      guard resets == core.limits.streamResets + 1 else { return }
      core.figures.noteRefusal()
      sendAway(.enhanceYourCalm)
    }

    private static let resetTime = TimeAmount.seconds(30)

    /// One timer serves the connection and all of its streams.
    private func setTimer() { expect(end) }

    /// Checks the streams at this time or earlier.
    func expect(_ end: NIODeadline) {
      guard !isEnding, let context else { return }
      timer.set(end, on: context.eventLoop)
    }

    private func look() {
      guard !isEnding, let context else { return }
      let now = context.eventLoop.now
      for stream in Array(streams.values) where now >= stream.end { stream.runOut() }
      guard now >= end else {
        let next = streams.values.map(\.end).min() ?? .distantFuture
        return expect(min(next, end))
      }
      guard !isIdle else { return drain() }
      // The client does not take even the end of its streams.
      isEnding = true
      context.abort()
    }
  }
#endif
