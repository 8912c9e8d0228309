#if Gateway
  internal import NIOCore
  internal import NIOHTTP2

  /// A connection of HTTP/2: when it ends, and how much may wait on it. Its streams bear the requests
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
    /// The writes of all streams, also of those that have ended, that the system has not taken.
    private var untaken = 0
    /// When the last stream ended, or a write was taken.
    private var lastMove = NIODeadline.uptimeNanoseconds(0)
    /// The streams that the client has reset since a moment.
    private var resets = 0
    private var resetsBegun = NIODeadline.uptimeNanoseconds(0)
    private var isReadPending = false
    /// True once no stream is opened any more.
    private var isDraining = false
    private var isEnding = false
    private let timer = DeadlineTimer()

    private init(_ core: GatewayCore, _ slot: ConnectionSlot) {
      (self.core, self.slot) = (core, slot)
    }

    /// Has a channel speak HTTP/2 from now on.
    static func add(
      to channel: any Channel, _ core: GatewayCore, _ slot: ConnectionSlot
    ) throws {
      let connection = StreamConnection(core, slot)
      let bound = NIOLoopBound(connection, eventLoop: channel.eventLoop)
      let pipeline = channel.pipeline.syncOperations
      try pipeline.addHandler(EarlySettings())
      // Of all ways to set it up only this one tells which frames are written. Nobody iterates over the streams.
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

    /// Notices that the library has told the client what is wrong with the whole connection.
    private struct FailureWatch: NIOHTTP2FrameDelegate {
      let connection: NIOLoopBound<StreamConnection>

      func wroteFrame(_ frame: HTTP2Frame) {
        guard case .goAway(_, let code, _) = frame.payload, code != .noError else { return }
        connection.eventLoop.execute { connection.value.finish() }
      }
    }

    var peer: String { slot.peer }
    /// What it has the gateway hold.
    var memory: ClientMemory.Account { slot.memory }
    /// The port that the client has come to.
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
      // What is wrong with one stream has ended that stream; of what is wrong with all GOAWAY tells.
      guard error is any NIOHTTP2Error else { return context.close(promise: nil) }
      core.figures.noteRefusal()
    }

    /// Ends after the streams that are open: the client opens others elsewhere.
    private func drain() {
      guard !isDraining, !isEnding else { return }
      isDraining = true
      sendAway(.noError)
      endIfDone()
    }

    /// Has the client open no more streams. The streams that it has opened meanwhile are refused, and it may ask
    /// for them again; it hears that all others have come.
    private func sendAway(_ code: HTTP2ErrorCode) {
      let payload = HTTP2Frame.FramePayload.goAway(
        lastStreamID: latestStream, errorCode: code, opaqueData: nil)
      context?.writeAndFlush(
        wrapOutboundOut(HTTP2Frame(streamID: .rootStream, payload: payload)), promise: nil)
    }

    /// The gateway ends: what has begun ends with it.
    private func cutOff() {
      for stream in Array(streams.values) { stream.cutOff() }
      drain()
    }

    private func endIfDone() {
      guard isDraining, isIdle, let context else { return }
      let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
      // The last stream is about to say so itself.
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

    /// A client that takes nothing is not read either: each frame may demand another one as its answer.
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

    /// True when no stream is open, and all that was written is taken.
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

    /// A stream has written something, or that was taken or lost.
    func note(_ difference: Int, isTaken: Bool) {
      untaken += difference
      guard difference < 0, let context else { return }
      if isTaken { lastMove = context.eventLoop.now }
      endIfDone()
    }

    // MARK: Time

    /// When the connection itself has waited for long enough.
    private var end: NIODeadline {
      guard !streams.values.contains(where: \.isInFlight) else { return .distantFuture }
      return lastMove + TimeAmount(isIdle ? core.limits.idleTime : core.limits.stallTime)
    }

    /// The client has reset a stream. One that does so again and again has work begun that nobody waits for
    /// (CVE-2023-44487), and is sent away.
    func noteReset() {
      guard let context, !isEnding else { return }
      let now = context.eventLoop.now
      if now >= resetsBegun + Self.resetTime { (resetsBegun, resets) = (now, 0) }
      resets += 1
      // More of them may have come with the one that is too many.
      guard resets == core.limits.streamResets + 1 else { return }
      core.figures.noteRefusal()
      sendAway(.enhanceYourCalm)
    }

    private static let resetTime = TimeAmount.seconds(30)

    /// One timer for the connection and all of its streams.
    private func setTimer() { expect(end) }

    /// Has the streams looked at no later than that.
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
      // Not even the end of its streams is taken.
      isEnding = true
      context.abort()
    }
  }
#endif
