#if Gateway
  internal import NIOCore

  /// One end of a tunnel: what comes in here goes out at the other end, no faster than that takes it.
  ///
  /// Both ends are on one event loop. The first that closes closes the other, once what came before is sent, or could not
  /// be for as long as nothing may pass.
  final class TunnelEnd: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// What both ends share.
    private final class Line {
      let idleTime: TimeAmount
      var lastTraffic = NIODeadline.now()
      var timer: Scheduled<Void>?

      init(_ idleTime: TimeAmount) { self.idleTime = idleTime }
    }

    private let line: Line
    /// Called once, with the bytes that were sent here; closes the connection where this does not.
    private let hasEnded: ((_ length: Int) -> Void)?
    private var other: TunnelEnd?
    private var context: ChannelHandlerContext?
    private var isReadPending = false
    private var isEnding = false
    private var length = 0

    private init(_ line: Line, hasEnded: ((_ length: Int) -> Void)?) {
      (self.line, self.hasEnded) = (line, hasEnded)
    }

    /// - Parameters:
    ///   - idleTime: How long nothing may pass.
    ///   - hasEnded: Called once, with the bytes that were sent to the near end; closes it.
    static func pair(
      idleTime: Duration, hasEnded: @escaping (_ length: Int) -> Void
    ) -> (near: TunnelEnd, far: TunnelEnd) {
      let line = Line(TimeAmount(idleTime))
      let ends = (near: TunnelEnd(line, hasEnded: hasEnded), far: TunnelEnd(line, hasEnded: nil))
      (ends.near.other, ends.far.other) = (ends.far, ends.near)
      return ends
    }

    func handlerAdded(context: ChannelHandlerContext) {
      self.context = context
      if hasEnded != nil { watch(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
      self.context = nil
      other = nil
    }

    /// Sends bytes here.
    func send(_ bytes: ByteBuffer) {
      guard let context, !isEnding, bytes.readableBytes > 0 else { return }
      length += bytes.readableBytes
      context.write(wrapOutboundOut(bytes), promise: nil)
    }

    func flush() { context?.flush() }

    // MARK: What comes in

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      line.lastTraffic = context.eventLoop.now
      other?.send(unwrapInboundIn(data))
    }

    func channelReadComplete(context: ChannelHandlerContext) { other?.flush() }

    func channelInactive(context: ChannelHandlerContext) {
      end()
      context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      context.close(promise: nil)
    }

    // MARK: Pace

    func read(context: ChannelHandlerContext) {
      if other?.isWritable ?? false { context.read() } else { isReadPending = true }
    }

    private var isWritable: Bool { context?.channel.isWritable ?? false }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
      if context.channel.isWritable { other?.readOn() }
      context.fireChannelWritabilityChanged()
    }

    private func readOn() {
      guard isReadPending, let context else { return }
      isReadPending = false
      context.read()
    }

    // MARK: The end

    private func watch(_ context: ChannelHandlerContext) {
      let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
      line.timer = context.eventLoop.scheduleTask(deadline: line.lastTraffic + line.idleTime) {
        bound.value.look()
      }
    }

    private func look() {
      guard let context, !isEnding else { return }
      guard context.eventLoop.now >= line.lastTraffic + line.idleTime else { return watch(context) }
      end()
      context.close(promise: nil)
    }

    /// This end has closed, or is about to.
    private func end() {
      guard !isEnding else { return }
      isEnding = true
      line.timer?.cancel()
      let other = other
      self.other = nil
      hasEnded?(length)
      other?.close()
    }

    /// Closes once all is sent. Whoever takes nothing more would else never let it go.
    private func close() {
      guard !isEnding else { return }
      isEnding = true
      line.timer?.cancel()
      other = nil
      guard let context else { return }
      let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      let late = context.eventLoop.scheduleTask(in: line.idleTime) {
        bound.value.1.close(promise: nil)
      }
      context.writeAndFlush(wrapOutboundOut(ByteBuffer())).whenComplete { _ in
        late.cancel()
        let (end, context) = bound.value
        end.hasEnded?(end.length)
        context.close(promise: nil)
      }
    }
  }
#endif
