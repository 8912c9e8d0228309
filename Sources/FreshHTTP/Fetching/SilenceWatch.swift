#if HTTP
  internal import AsyncHTTPClient
  internal import NIOCore
  internal import NIOHTTP1

  /// Ends an exchange whose origin is silent while its answer is waited for, on a connection of HTTP/1 or a stream of
  /// HTTP/2.
  ///
  /// Only the time counts in which more is asked for: while a slow client still takes what has come, nothing is read, and
  /// the origin has nothing to say. The client library's own limit runs on meanwhile, and would cut that client off.
  ///
  /// An origin may answer before it has all of a request. From then on it is silent, too, while it neither takes more of
  /// that nor says anything.
  final class SilenceWatch: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart

    private let limit: TimeAmount
    /// True while more is asked for. A connection reads from its beginning, before it is watched.
    private var isReading = true
    /// True from the beginning of a request to its end.
    private var isSending = false
    /// True from the head of an answer on that came while more of the request was to follow.
    private var isAnsweredEarly = false
    /// True from the end of a request to that of its answer.
    private var awaitsAnswer = false
    private var hasAnswered = false
    /// Since when the origin has been silent; `nil` while nothing is waited for.
    private var start: NIODeadline?
    /// Runs on when a byte comes, and looks then how long the silence has lasted: one for many exchanges.
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
      // What its content is waited for with is the sender's concern (``UploadPace``).
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
        // Behind a refusal the client library sends no more.
        awaitsAnswer = head.status.code >= 300
        isAnsweredEarly = head.status.code >= 200
      case .head, .body: break
      case .end:
        (hasAnswered, awaitsAnswer) = (true, false)
        // What is still to be sent is taken, or the origin is silent.
        isAnsweredEarly = isSending
        begin(context)
      }
      context.fireChannelRead(data)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
      if isAnsweredEarly, !awaitsAnswer {
        // The origin has taken something, or takes nothing from now on.
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
