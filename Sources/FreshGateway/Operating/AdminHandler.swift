#if Gateway
  internal import FreshHTTP
  internal import NIOCore

  /// A connection of the listener for operators: health, figures and status. It ends after one answer.
  final class AdminHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let core: GatewayCore
    private var decoder: RequestDecoder
    private var number: Int?
    private var timer: Scheduled<Void>?
    private var hasAnswered = false

    init(_ core: GatewayCore) {
      self.core = core
      decoder = RequestDecoder(core.limits.head)
    }

    func channelActive(context: ChannelHandlerContext) {
      number = core.adminConnections.open(context.remoteAddress?.ipAddress ?? "-") { _ in }
      guard number != nil else {
        core.figures.noteRefusal()
        return context.close(promise: nil)
      }
      let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
      timer = context.eventLoop.scheduleTask(in: TimeAmount(core.limits.headTime)) {
        bound.value.close(promise: nil)
      }
    }

    func channelInactive(context: ChannelHandlerContext) {
      timer?.cancel()
      if let number { core.adminConnections.close(number) }
      number = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard number != nil, !hasAnswered else { return }
      decoder.append(unwrapInboundIn(data))
      do throws(RequestRefusal) {
        guard case .head(let request) = try decoder.next() else { return }
        answer(request, context)
      } catch {
        send(error.status, "text/plain; charset=utf-8", "\(error.reason)\n", context)
      }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      context.close(promise: nil)
    }

    private func answer(_ request: IncomingRequest, _ context: ChannelHandlerContext) {
      let text = "text/plain; charset=utf-8"
      guard request.method == "GET" || request.method == "HEAD" else {
        return send(405, text, "GET is the only method here\n", context)
      }
      let hasContent = request.method == "GET"
      switch request.target.prefix(while: { $0 != "?" }) {
      case "/healthz":
        let status = GatewayStatus(core)
        let isWell = status.failure == nil
        send(
          isWell ? 200 : 503, text, (status.failure ?? "ok") + "\n", context,
          hasContent: hasContent)
      case "/metrics":
        send(
          200, "text/plain; version=0.0.4; charset=utf-8", GatewayStatus(core).metrics, context,
          hasContent: hasContent)
      case "/status":
        send(200, "application/json", GatewayStatus(core).json, context, hasContent: hasContent)
      default:
        send(
          404, text, "see /healthz, /metrics and /status\n", context, hasContent: hasContent)
      }
    }

    private func send(
      _ status: Int, _ type: String, _ text: String, _ context: ChannelHandlerContext,
      hasContent: Bool = true
    ) {
      hasAnswered = true
      let fields: HeaderFields = [
        "Content-Type": type, "Content-Length": "\(text.utf8.count)", "Cache-Control": "no-store",
      ]
      let head = AnswerHead(
        status, fields, hasContent: hasContent, to: .http11, keepsConnection: false)
      var buffer = ByteBuffer()
      head.write(into: &buffer, to: .http11, date: core.date)
      if hasContent { buffer.writeString(text) }
      let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
      context.writeAndFlush(wrapOutboundOut(buffer)).whenComplete { _ in
        bound.value.close(promise: nil)
      }
    }
  }
#endif
