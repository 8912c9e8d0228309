#if HTTP
  internal import AsyncHTTPClient
  internal import NIOCore
  internal import NIOHTTP1

  /// Ends an exchange whose origin is silent while its response is awaited, on an HTTP/1 connection or an
  /// HTTP/2 stream.
  ///
  /// Only the time counts in which more is requested. While a slow client still takes the bytes that came,
  /// nothing is read, and the origin has nothing to send. The client library's own limit would run on and cut
  /// that client off.
  ///
  /// An origin may respond before it has all of a request. After that it counts as silent, too, while it
  /// neither takes more of the request nor sends anything.
  final class SilenceWatch: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart

    private let limit: TimeAmount
    /// True while more is requested. A connection reads from its beginning, before it is watched.
    private var isReading = true
    /// True from the head of a request to its end.
    private var isSending = false
    /// True after the head of a response that came while more of the request was to follow.
    private var isAnsweredEarly = false
    /// True from the end of a request to the end of its response.
    private var awaitsAnswer = false
    private var hasAnswered = false
    /// The time since which the origin has been silent; `nil` while nothing is awaited.
    private var start: NIODeadline?
    /// A byte does not restart the timer: when it fires, it checks how long the silence has lasted. So one
    /// timer serves many exchanges.
    private var timer: Scheduled<Void>?

    init(limit: Duration) { self.limit = TimeAmount(limit) }

    /// Watches a new connection.
    static func add(to channel: any Channel, limit: Duration) -> EventLoopFuture<Void> {
      channel.eventLoop.submit {
        let operations = channel.pipeline.syncOperations
        let wire = try operations.handler(type: OriginWire.self)
        try operations.addHandler(SilenceWatch(limit: limit), position: .after(wire))
      }
    }

    func write(
      context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
    ) {
      switch unwrapOutboundIn(data) {
      case .head: (isSending, isAnsweredEarly, hasAnswered) = (true, false, false)
      // ``UploadPace`` watches the content of the request.
      case .body: break
      case .end:
        (isSending, isAnsweredEarly) = (false, false)
        awaitsAnswer = !hasAnswered
        begin(context)
      }
      context.write(data, promise: promise)
    }

    func read(context: ChannelHandlerContext) {
      isReading = true
      begin(context)
      context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      isReading = false
      start = nil
      switch unwrapInboundIn(data) {
      case .head(let head) where isSending:
        // After a refusal the client library sends no more.
        awaitsAnswer = head.status.code >= 300
        isAnsweredEarly = head.status.code >= 200
      case .head, .body: break
      case .end:
        (hasAnswered, awaitsAnswer) = (true, false)
        // From now on the origin has to take the rest of the request, or counts as silent.
        isAnsweredEarly = isSending
        begin(context)
      }
      context.fireChannelRead(data)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
      if isAnsweredEarly, !awaitsAnswer {
        // The origin has just taken something, or takes nothing from now on.
        if context.channel.isWritable { start = nil } else { begin(context) }
      }
      context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
      end()
      context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    private func begin(_ context: ChannelHandlerContext) {
      let isAwaited = awaitsAnswer || isAnsweredEarly && !context.channel.isWritable
      guard isAwaited, isReading || hasAnswered, start == nil else { return }
      let now = context.eventLoop.now
      start = now
      if timer == nil { set(now + limit, context) }
    }

    private func set(_ end: NIODeadline, _ context: ChannelHandlerContext) {
      let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      timer = context.eventLoop.scheduleTask(deadline: end) { bound.value.0.fire(bound.value.1) }
    }

    private func fire(_ context: ChannelHandlerContext) {
      timer = nil
      guard let start else { return }
      guard context.eventLoop.now >= start + limit else { return set(start + limit, context) }
      end()
      context.fireErrorCaught(HTTPClientError.readTimeout)
      context.close(promise: nil)
    }

    private func end() {
      timer?.cancel()
      (timer, start) = (nil, nil)
      (awaitsAnswer, isSending, isAnsweredEarly) = (false, false, false)
    }
  }
#endif
