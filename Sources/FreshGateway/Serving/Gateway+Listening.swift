#if Gateway
  internal import FreshHTTP
  internal import NIOCore
  internal import NIOPosix
  internal import Platform
  internal import Synchronization

  /// The listening sockets of a gateway, for clients and for operators.
  extension Gateway {
    /// Returns why the gateway must not listen there, and the remedy.
    static func problem(
      of listeners: [any Channel], _ admin: (any Channel)?, _ site: Site
    ) -> String? {
      // The port is what clients are kept from, so another address or an inherited socket makes no difference.
      if let admin, listeners.contains(where: { localPort(of: $0) == localPort(of: admin) }) {
        return "--admin must not listen on a port of clients; name another port"
      }
      guard case .origin(let origin) = site else { return nil }
      let isOwn = (listeners + (admin.map { [$0] } ?? [])).contains { listener in
        localPort(of: listener) == origin.port
          && OwnAddress.leads(origin.bareHost, to: listener.localAddress?.ipAddress ?? "")
      }
      return isOwn
        ? "--origin is where this gateway itself listens; name the server behind it, or listen elsewhere"
        : nil
    }

    /// Listens on the given sockets, or without any on the endpoint.
    static func listen(
      _ group: MultiThreadedEventLoopGroup, _ pause: AcceptPause, on sockets: [Int32],
      or endpoint: GatewayOptions.Endpoint,
      _ prepare: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) async throws(GatewayError) -> [any Channel] {
      guard !sockets.isEmpty else { return [try await bind(group, pause, endpoint, prepare)] }
      var listeners: [any Channel] = []
      for socket in sockets {
        do throws(GatewayError) {
          listeners.append(try await adopt(group, pause, socket, prepare))
        } catch {
          for listener in listeners { await close(listener) }
          throw error
        }
      }
      return listeners
    }

    static func listenToOperators(
      _ group: MultiThreadedEventLoopGroup, _ pause: AcceptPause, _ core: GatewayCore
    ) async throws(GatewayError) -> (any Channel)? {
      let options = core.options
      let prepare: @Sendable (any Channel) -> EventLoopFuture<Void> = { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(AdminHandler(core))
        }
      }
      let listener: any Channel
      if let socket = options.adminSocket {
        listener = try await adopt(group, pause, socket, prepare)
      } else if let endpoint = options.admin {
        listener = try await bind(group, pause, endpoint, prepare)
      } else {
        return nil
      }
      core.adminPort.store(localPort(of: listener), ordering: .relaxed)
      return listener
    }

    private static func bootstrap(
      _ group: MultiThreadedEventLoopGroup, _ pause: AcceptPause,
      _ prepare: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) -> ServerBootstrap {
      ServerBootstrap(group: group)
        .serverChannelInitializer { listener in
          listener.eventLoop.makeCompletedFuture {
            try listener.pipeline.syncOperations.addHandler(AcceptPauseHandler(pause))
          }
        }
        .serverChannelOption(.backlog, value: 1024)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
        .childChannelInitializer(prepare)
    }

    private static func bind(
      _ group: MultiThreadedEventLoopGroup, _ pause: AcceptPause,
      _ endpoint: GatewayOptions.Endpoint,
      _ prepare: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) async throws(GatewayError) -> any Channel {
      do {
        return try await bootstrap(group, pause, prepare)
          .bind(host: endpoint.host, port: endpoint.port).get()
      } catch {
        throw .listening(
          "\(endpoint.host):\(endpoint.port) cannot be listened on: \(words(of: error))")
      }
    }

    /// Takes over a socket that already listens.
    private static func adopt(
      _ group: MultiThreadedEventLoopGroup, _ pause: AcceptPause, _ socket: Int32,
      _ prepare: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) async throws(GatewayError) -> any Channel {
      do {
        return try await bootstrap(group, pause, prepare).withBoundSocket(socket).get()
      } catch {
        throw .listening(
          "the socket \(socket) that was handed over cannot be used: \(words(of: error))")
      }
    }

    static func localPort(of listener: any Channel) -> Int {
      listener.localAddress?.port ?? 0
    }

    /// True for a listener that only this machine's own programs reach; `nil` when its address does not tell.
    static func isOfThisMachine(_ listener: any Channel) -> Bool? {
      guard let address = listener.localAddress?.ipAddress else { return nil }
      return address.hasPrefix("127.") || address == "::1"
    }

    /// True when programs on other machines may reach one of the listeners.
    static func areForOthers(_ listeners: [any Channel]) -> Bool {
      listeners.contains { isOfThisMachine($0) != true }
    }

    private static func words(of error: any Error) -> String {
      guard let error = error as? IOError else { return "there is no such address" }
      return switch error.errnoCode {
      case EADDRINUSE: "another program listens there; end it, or name another port"
      case EADDRNOTAVAIL: "this machine has no such address; name one of its own, or 0.0.0.0"
      case EACCES: "this user may not; name a port from 1024"
      default: unsafe String(cString: strerror(error.errnoCode)).lowercased()
      }
    }
  }

  /// Pauses a listener while the system allows no further connection, and tells operators once. Clients wait in the
  /// system's queue. Without the pause the system would refuse again and again.
  final class AcceptPause: Sendable {
    /// Long compared with the work of one attempt, and short compared with a client's patience.
    private static let pause = TimeAmount.milliseconds(100)
    /// After this time without a refusal, the next one is reported again.
    private static let calm = TimeAmount.minutes(1)

    private let last = Mutex<NIODeadline?>(nil)
    private let tell: @Sendable (String) -> Void

    init(tell: @escaping @Sendable (String) -> Void) { self.tell = tell }

    /// The errors after which the library keeps the listener. Any other error ends it.
    private static let passing: Set<Int32> = [ECONNABORTED, EMFILE, ENFILE, ENOBUFS, ENOMEM]

    /// Notes a refusal, and makes the listener try again later.
    fileprivate func pause(_ listener: any Channel, after error: IOError) {
      let code = error.errnoCode
      guard Self.passing.contains(code) else { return tell(Self.words(of: code)) }
      // A client that left before it was accepted shows no shortage.
      if code != ECONNABORTED, isNews() { tell(Self.words(of: code)) }
      _ = listener.setOption(.autoRead, value: false)
      listener.eventLoop.scheduleTask(in: Self.pause) {
        _ = listener.setOption(.autoRead, value: true)
      }
    }
  }

  extension AcceptPause {
    private func isNews() -> Bool {
      let now = NIODeadline.now()
      return last.withLock { last in
        defer { last = now }
        return last.map { now - $0 > Self.calm } ?? true
      }
    }

    /// Describes an error to operators.
    static func words(of code: Int32) -> String {
      let reason = unsafe String(cString: strerror(code)).lowercased()
      guard passing.contains(code) else {
        return "a listener has ended, and takes no connection any more: \(reason); "
          + "start the gateway again"
      }
      let words = "no more connections are taken for now: \(reason)"
      guard code == EMFILE else { return words }
      return "\(words); raise the limit of open files (ulimit -n), or lower --max-connections"
    }
  }

  /// Receives the refusals of one listener.
  final class AcceptPauseHandler: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private let pause: AcceptPause

    init(_ pause: AcceptPause) { self.pause = pause }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      guard let error = error as? IOError else { return context.fireErrorCaught(error) }
      pause.pause(context.channel, after: error)
    }
  }
#endif
