#if Gateway
  internal import FreshHTTP
  internal import FreshStore
  internal import NIOCore
  internal import Synchronization

  /// A connection of the listener for operators: health, figures and status. It ends after one answer.
  final class AdminHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let core: GatewayCore
    private var decoder: RequestDecoder
    private var number: Int?
    private var timer: Scheduled<Void>?
    private var isHead = false
    private var hasAnswered = false

    init(_ core: GatewayCore) {
      self.core = core
      decoder = RequestDecoder(core.limits.head)
    }

    func channelActive(context: ChannelHandlerContext) {
      let loop = context.eventLoop
      let bound = NIOLoopBound(context, eventLoop: loop)
      // Idle connections must not keep operators out, so the oldest connection makes room.
      number = core.adminConnections.open(
        context.remoteAddress?.ipAddress ?? "-", evictingOldest: true
      ) { [core] _ in
        core.figures.noteRefusal()
        loop.execute { bound.value.close(promise: nil) }
      }
      guard number != nil else { return context.close(promise: nil) }
      end(in: core.limits.headTime, context)
    }

    /// Ends the connection after this time. Replaces an earlier limit.
    private func end(in time: Duration, _ context: ChannelHandlerContext) {
      timer?.cancel()
      let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
      timer = context.eventLoop.scheduleTask(in: TimeAmount(time)) {
        bound.value.close(promise: nil)
      }
    }

    func channelInactive(context: ChannelHandlerContext) {
      timer?.cancel()
      leave()
    }

    /// Stops counting the connection.
    private func leave() {
      if let number { core.adminConnections.close(number) }
      number = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard !hasAnswered else { return }
      decoder.append(unwrapInboundIn(data))
      do throws(RequestRefusal) {
        guard case .head(let request) = try decoder.next() else { return }
        answer(request, context)
      } catch {
        send(error.status, "\(error.reason)\n", context)
      }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      context.close(promise: nil)
    }

    private func answer(_ request: IncomingRequest, _ context: ChannelHandlerContext) {
      isHead = request.method == "HEAD"
      // The `Via` field shows that the request came through this gateway, whatever its host name resolves to: a client
      // sent it.
      guard !SentOnFields.haveCome(request.fields, through: core.policy.name) else {
        return send(403, "clients have no way here\n", context)
      }
      if let purge = Self.purge(request) { return run(purge, context) }
      guard request.method == "GET" || isHead else {
        return send(405, "GET is the only method here, but for POST /purge/...\n", context)
      }
      let path = request.target.prefix { $0 != "?" }
      // Health is no secret, and load balancers ask for it by any host name.
      guard path == "/healthz" || isKnown(request.fields.first("Host")) else {
        let words = "ask by an address, by localhost, or by the name in --admin or --host\n"
        return send(421, words, context)
      }
      switch path {
      case "/healthz":
        let status = GatewayStatus(core)
        let failure = core.isDraining.load(ordering: .relaxed) ? "draining" : status.failure
        // A gateway that cannot store still answers, and serves stale copies while it does not ask its origin. No
        // balancer has to leave it, so the status stays 200.
        var lines = [failure ?? "ok"]
        if let keeping = status.keeping ?? status.keepingLong {
          lines.append("store: \(keeping.words)")
        }
        if let backOff = status.backOff { lines.append("origin: \(backOff)") }
        if let overdue = status.fleet?.overdue { lines.append("fleet: \(overdue.words)") }
        send(failure == nil ? 200 : 503, lines.map { $0 + "\n" }.joined(), context)
      case "/metrics":
        let type = "text/plain; version=0.0.4; charset=utf-8"
        send(200, GatewayStatus(core).metrics, context, as: type)
      case "/status":
        send(200, GatewayStatus(core).json, context, as: "application/json")
      default:
        send(404, "see /healthz, /metrics and /status\n", context)
      }
    }

    /// False for a host name that is not known to belong to the listener. Any site can point its own name here, and its
    /// pages in a browser would then read the answer (DNS rebinding). A name without a dot belongs to no site.
    private func isKnown(_ authority: String?) -> Bool {
      guard let authority else { return true }
      do throws(RequestRefusal) {
        let host = try core.reading.site.origin(.http, authority).bareHost
        let own = core.options.admin.map { FieldSyntax.lowercased($0.host) }
        return PeerNetwork.plain(host) != nil || !host.utf8.contains(UInt8(ascii: "."))
          || host.hasSuffix(".localhost") || host == own || core.options.names.contains(host)
      } catch {
        return false
      }
    }

    /// The purge that a request means; `nil` for any other request. It is a `PURGE`, or a `POST` to `/purge/` followed
    /// by a path or a whole address.
    private static func purge(_ request: IncomingRequest) -> IncomingRequest? {
      if request.method == Purge.method { return request }
      let place = "/purge/"
      guard request.method == "POST", request.target.hasPrefix(place) else { return nil }
      var purge = request
      purge.method = Purge.method
      let rest = request.target.dropFirst(place.count)
      let isWhole = rest.hasPrefix("http://") || rest.hasPrefix("https://")
      purge.target = isWhole ? String(rest) : "/\(rest)"
      // The `Host` field names the listener for operators, and not the purged address.
      if isWhole { purge.fields.set("Host", nil) }
      purge.version = isWhole ? .http10 : request.version
      return purge
    }

    private func run(_ incoming: IncomingRequest, _ context: ChannelHandlerContext) {
      do throws(RequestRefusal) {
        let request = try core.reading.read(incoming, now: core.store.now().wall)
        guard let operation = core.operation(for: request) else {
          return send(403, "this gateway was started without purges\n", context)
        }
        hasAnswered = true
        leave()
        // A purge continues when its client leaves.
        end(in: core.limits.totalTime, context)
        let loop = context.eventLoop
        let bound = NIOLoopBound((self, context), eventLoop: loop)
        Task {
          let plan = await operation()
          loop.execute {
            let (handler, context) = bound.value
            guard context.channel.isActive else { return }
            handler.send(plan, context)
          }
        }
      } catch {
        send(error.status, "\(error.reason)\n", context)
      }
    }

    private func send(_ plan: AnswerPlan, _ context: ChannelHandlerContext) {
      let words = if case .text(let words) = plan.content { words } else { "" }
      send(plan.status, words, context)
    }

    private func send(
      _ status: Int, _ text: String, _ context: ChannelHandlerContext,
      as type: String = "text/plain; charset=utf-8"
    ) {
      hasAnswered = true
      // A further connection must not evict this one before its answer is sent.
      leave()
      end(in: core.limits.stallTime, context)
      let fields: HeaderFields = [
        "Content-Type": type, "Content-Length": "\(text.utf8.count)", "Cache-Control": "no-store",
      ]
      let head = AnswerHead(
        status, fields, hasContent: !isHead, to: .http11, keepsConnection: false)
      var buffer = ByteBuffer()
      head.write(into: &buffer, to: .http11, date: core.date)
      if !isHead { buffer.writeString(text) }
      let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
      context.writeAndFlush(wrapOutboundOut(buffer)).whenComplete { _ in
        bound.value.close(promise: nil)
      }
    }
  }
#endif
