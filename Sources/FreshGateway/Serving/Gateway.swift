#if Gateway
  package import FreshStore
  internal import FreshHTTP
  internal import NIOCore
  internal import NIOPosix
  internal import NIOSSL
  internal import Platform
  internal import Synchronization

  /// An HTTP cache in front of one origin, or of any.
  package final class Gateway: Sendable {
    /// The address that the gateway listens on.
    package let host: String
    package let port: Int
    /// True when the gateway speaks TLS.
    package let isSecure: Bool
    /// The port of the listener for operators; `nil` without one.
    package let adminPort: Int?
    /// True when programs on other machines may reach the gateway.
    package let isForOthers: Bool
    /// True when programs on other machines may reach the listener for operators; false without one.
    package let isAdminForOthers: Bool

    private let core: GatewayCore
    private let group: MultiThreadedEventLoopGroup
    private let identity: ServerIdentity?
    private let listeners: [any Channel]
    private let admin: (any Channel)?
    private let flushing: RepeatedTask?
    private let looking: RepeatedTask
    private let hasEnded = Mutex(false)

    private init(
      _ core: GatewayCore, _ group: MultiThreadedEventLoopGroup, _ identity: ServerIdentity?,
      _ listeners: [any Channel], _ admin: (any Channel)?
    ) {
      (self.core, self.group, self.identity) = (core, group, identity)
      (self.listeners, self.admin) = (listeners, admin)
      let address = listeners.first?.localAddress
      let isHandedOver = !core.options.sockets.isEmpty
      host = isHandedOver ? address?.ipAddress ?? "" : core.options.listen.host
      port = address?.port ?? core.options.listen.port
      adminPort = admin.map { Self.localPort(of: $0) }
      isSecure = core.options.certificate != nil
      isForOthers = Self.areForOthers(listeners)
      isAdminForOthers = admin.map { Self.isOfThisMachine($0) == false } ?? false
      looking = group.next().scheduleRepeatedTask(
        initialDelay: .seconds(1), delay: .milliseconds(500)
      ) { _ in core.slowClients.look() }
      let log = core.options.log
      flushing = log.map { log in
        group.next().scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { _ in
          log.flush()
        }
      }
    }

    /// Starts to listen. The store must stay open while the gateway serves, and the caller closes it.
    package static func start(
      _ options: GatewayOptions, on store: Store
    ) async throws(GatewayError) -> Gateway {
      let group = MultiThreadedEventLoopGroup(numberOfThreads: max(1, options.threads))
      do throws(GatewayError) {
        return try await start(options, on: store, group)
      } catch {
        await shutDown(group)
        throw error
      }
    }

    private static func start(
      _ options: GatewayOptions, on store: Store, _ group: MultiThreadedEventLoopGroup
    ) async throws(GatewayError) -> Gateway {
      let core = try GatewayCore(options, store, on: group)
      await core.tryStore()
      do throws(GatewayError) {
        let identity = try options.certificate.map {
          (certificate) throws(GatewayError) in try ServerIdentity(certificate)
        }
        let pause = AcceptPause(tell: options.tell)
        // The addresses that clients are kept from must be known before a client is served.
        let admin = try await listenToOperators(group, pause, core)
        do throws(GatewayError) {
          let listeners = try await listen(group, pause, on: options.sockets, or: options.listen) {
            channel in
            channel.eventLoop.makeCompletedFuture {
              let pipeline = channel.pipeline.syncOperations
              guard let identity else { return try pipeline.addHandler(ConnectionHandler(core)) }
              let choice = ProtocolChoice(core)
              try pipeline.addHandler(PlainRequestGuard(choice))
              try pipeline.addHandler(
                NIOSSLServerHandler(context: identity.context),
                name: ChannelHandlerContext.security)
              try pipeline.addHandler(choice)
            }
          }
          if let problem = Self.problem(of: listeners, admin, core.reading.site) {
            for listener in listeners { await close(listener) }
            throw .badOption(problem)
          }
          if !Self.areForOthers(listeners) {
            core.machine.areGuarded.store(false, ordering: .relaxed)
          }
          core.tell(identity?.warning(at: core.store.now().wall))
          return Gateway(core, group, identity, listeners, admin)
        } catch {
          if let admin { await close(admin) }
          throw error
        }
      } catch {
        await core.forwarder.close()
        throw error
      }
    }

    /// Reads the certificate and its key again, for new connections. Unusable files change nothing. Warns of a
    /// certificate that expires soon. Blocks.
    package func reread() throws(GatewayError) {
      try identity?.reread()
      core.tell(identity?.warning(at: core.store.now().wall))
    }

    /// Tries a store again that could not be written, so that operators learn of its recovery without a response to
    /// store. The caller repeats this now and then. It costs a small write after a failure, and else nothing.
    package func retryStore() async { await core.retryStore() }

    /// The message to operators when the process ends at once; `nil` for none. It waits for no task.
    package var lastWords: String? { core.lastWords }

    /// The counters since the start.
    var figures: GatewayFigures.Snapshot { core.figures.snapshot }

    /// The number of marks that the store has not accepted yet.
    var owedInvalidations: Int { core.owed.count }

    /// The number of requests in shared flights: those that were sent, and those that wait for them.
    var waiting: Int { core.flights.waiting }

    /// The number of requests that wait until other requests of their client have ended.
    var waitingForShares: Int { core.shares.waiting }

    /// Accepts no more connections, answers the requests in flight, stores the results, and ends. Aborts what exceeds
    /// the limit.
    ///
    /// A second call does nothing.
    ///
    /// - Returns: False when the store has not accepted all changes. Operators were told what to do.
    @discardableResult
    package func drain(within limit: Duration) async -> Bool {
      guard isFirstToEnd else { return true }
      core.isDraining.store(true, ordering: .relaxed)
      for listener in listeners { await Self.close(listener) }
      await settle(within: limit)
      return await end()
    }

    /// Returns when all connections and runs have ended, or the time is over.
    private func settle(within limit: Duration) async {
      await Self.race(
        { [core] in
          await core.connections.drain()
          await core.runs.drain()
        }, within: limit)
    }

    /// Ends the gateway at once. A second call does nothing.
    package func close() async {
      guard isFirstToEnd else { return }
      for listener in listeners { await Self.close(listener) }
      _ = await end()
    }

    /// A second end must do nothing: a channel of a stopped loop would never report that it is closed.
    private var isFirstToEnd: Bool {
      hasEnded.withLock { hasEnded in
        defer { hasEnded = true }
        return !hasEnded
      }
    }

    private func end() async -> Bool {
      if let admin { await Self.close(admin) }
      flushing?.cancel()
      looking.cancel()
      core.connections.cutOff()
      await core.forwarder.close()
      // Aborted connections end on the loops.
      await settle(within: .seconds(2))
      await Self.shutDown(group)
      let isSettled = await core.settleOwed()
      if let log = core.options.log {
        await Self.race({ await log.close() }, within: .seconds(2))
      }
      return isSettled
    }

    /// Returns when the work is done, or cancels it when the time is over.
    private static func race(
      _ work: @escaping @Sendable () async -> Void, within limit: Duration
    ) async {
      await withTaskGroup(of: Void.self) { tasks in
        tasks.addTask { await work() }
        tasks.addTask {
          // The sleep is cancelled when the work is done.
          try? await Task.sleep(for: limit)
        }
        await tasks.next()
        tasks.cancelAll()
      }
    }

    static func close(_ channel: any Channel) async {
      // Closing fails only for a channel that is closed already.
      try? await channel.close().get()
    }

    private static func shutDown(_ group: MultiThreadedEventLoopGroup) async {
      // The shutdown fails only for a group that is already shut down.
      try? await group.shutdownGracefully()
    }
  }
#endif
