#if Gateway
  package import FreshStore
  internal import FreshHTTP
  internal import NIOCore
  internal import NIOPosix
  internal import NIOSSL
  internal import Synchronization

  /// An HTTP cache in front of one origin, or of any.
  package final class Gateway: Sendable {
    /// Where it listens.
    package let host: String
    package let port: Int
    /// True when it speaks TLS.
    package let isSecure: Bool
    /// The port of the figures; `nil` where there are none.
    package let adminPort: Int?

    private let core: GatewayCore
    private let group: MultiThreadedEventLoopGroup
    private let listener: any Channel
    private let admin: (any Channel)?
    private let flushing: RepeatedTask?
    private let hasEnded = Mutex(false)

    private init(
      _ core: GatewayCore, _ group: MultiThreadedEventLoopGroup, _ listener: any Channel,
      _ admin: (any Channel)?
    ) {
      (self.core, self.group, self.listener, self.admin) = (core, group, listener, admin)
      host = core.options.listen.host
      port = listener.localAddress?.port ?? core.options.listen.port
      adminPort = admin.map { $0.localAddress?.port ?? 0 }
      isSecure = core.options.certificate != nil
      let log = core.options.log
      flushing = log.map { log in
        group.next().scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { _ in
          log.flush()
        }
      }
    }

    /// Listens; the store stays open as long as it serves, and is the caller's to close.
    package static func start(
      _ options: GatewayOptions, on store: Store
    ) async throws(GatewayError) -> Gateway {
      let core = try GatewayCore(options, store)
      let group = MultiThreadedEventLoopGroup(numberOfThreads: max(1, options.threads))
      do throws(GatewayError) {
        let context = try options.certificate.map {
          (certificate) throws(GatewayError) in try tlsContext(certificate)
        }
        let listener = try await bind(group, options.listen) { channel in
          channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            if let context {
              try pipeline.addHandler(
                NIOSSLServerHandler(context: context), name: ChannelHandlerContext.security)
            }
            try pipeline.addHandler(ConnectionHandler(core))
          }
        }
        var admin: (any Channel)?
        if let endpoint = options.admin {
          do throws(GatewayError) {
            admin = try await bind(group, endpoint) { channel in
              channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(AdminHandler(core))
              }
            }
          } catch {
            await close(listener)
            throw error
          }
        }
        return Gateway(core, group, listener, admin)
      } catch {
        await core.forwarder.close()
        await shutDown(group)
        throw error
      }
    }

    private static func bind(
      _ group: MultiThreadedEventLoopGroup, _ endpoint: GatewayOptions.Endpoint,
      _ prepare: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) async throws(GatewayError) -> any Channel {
      do {
        return try await ServerBootstrap(group: group)
          .serverChannelOption(.backlog, value: 1024)
          .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
          .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
          .childChannelInitializer(prepare)
          .bind(host: endpoint.host, port: endpoint.port).get()
      } catch {
        throw .listening(
          "\(endpoint.host):\(endpoint.port) cannot be listened on: \(words(of: error))")
      }
    }

    private static func words(of error: any Error) -> String {
      (error as? IOError).map { "\($0.description)" } ?? "\(error)"
    }

    private static func tlsContext(
      _ certificate: GatewayOptions.Certificate
    ) throws(GatewayError) -> NIOSSLContext {
      do {
        let chain = try NIOSSLCertificate.fromPEMFile(certificate.chain)
        let key = try NIOSSLPrivateKey(file: certificate.key, format: .pem)
        var settings = TLSConfiguration.makeServerConfiguration(
          certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        settings.minimumTLSVersion = .tlsv12
        return try NIOSSLContext(configuration: settings)
      } catch {
        throw .badOption(
          "the certificate in \(certificate.chain.debugDescription), or its key in "
            + "\(certificate.key.debugDescription), cannot be used; name files in PEM form that belong together"
        )
      }
    }

    /// What it has done since it began.
    var figures: GatewayFigures.Snapshot { core.figures.snapshot }

    /// Takes no more connections, answers what is under way, stores what has come of it, and ends; what takes
    /// longer is cut off.
    ///
    /// Once it has ended, it does nothing.
    package func drain(within limit: Duration) async {
      guard isFirstToEnd else { return }
      await Self.close(listener)
      await Self.race(
        { [core] in
          await core.connections.drain()
          await core.runs.drain()
        }, within: limit)
      await end()
    }

    /// Ends at once; once it has ended, it does nothing.
    package func close() async {
      guard isFirstToEnd else { return }
      await Self.close(listener)
      await end()
    }

    /// A channel of a loop that was shut down would never say that it is closed.
    private var isFirstToEnd: Bool {
      hasEnded.withLock { hasEnded in
        defer { hasEnded = true }
        return !hasEnded
      }
    }

    private func end() async {
      if let admin { await Self.close(admin) }
      flushing?.cancel()
      core.connections.cutOff()
      await core.forwarder.close()
      await Self.shutDown(group)
      guard let log = core.options.log else { return }
      await Self.race({ await log.close() }, within: .seconds(2))
    }

    /// Returns once the work is done, or its time is over: then it is cancelled.
    private static func race(
      _ work: @escaping @Sendable () async -> Void, within limit: Duration
    ) async {
      await withTaskGroup(of: Void.self) { tasks in
        tasks.addTask { await work() }
        tasks.addTask {
          // Cancelled when the work is done.
          try? await Task.sleep(for: limit)
        }
        await tasks.next()
        tasks.cancelAll()
      }
    }

    private static func close(_ channel: any Channel) async {
      // It fails only for one that is closed already, which is the wanted state.
      try? await channel.close().get()
    }

    private static func shutDown(_ group: MultiThreadedEventLoopGroup) async {
      // It fails only for a group that was shut down before.
      try? await group.shutdownGracefully()
    }
  }
#endif
