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
    /// Where it listens.
    package let host: String
    package let port: Int
    /// True when it speaks TLS.
    package let isSecure: Bool
    /// The port of the figures; `nil` where there are none.
    package let adminPort: Int?
    /// True when others than this machine's own programs may reach it.
    package let isForOthers: Bool
    /// The same of the listener for operators; false where there is none.
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

    /// Listens; the store stays open as long as it serves, and is the caller's to close.
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
        // No client is served before it is known what to keep clients from.
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

    /// Reads the certificate and its key again: connections from now on use them. Files that cannot be used
    /// change nothing. Tells where it ends soon. Blocks.
    package func reread() throws(GatewayError) {
      try identity?.reread()
      core.tell(identity?.warning(at: core.store.now().wall))
    }

    /// Tries the store again where it could not be written, so that operators hear of its recovery also while nothing
    /// is to be stored; to be called now and then. Cost: nothing while all is well, else a small write.
    package func retryStore() async { await core.retryStore() }

    /// What to tell operators where the process ends at once; `nil` for nothing. It waits for no task.
    package var lastWords: String? { core.lastWords }

    /// What it has done since it began.
    var figures: GatewayFigures.Snapshot { core.figures.snapshot }

    /// The marks that the store has not taken yet.
    var owedInvalidations: Int { core.owed.count }

    /// The requests for what others may wait for, too: those that were sent, and all that wait beside them.
    var waiting: Int { core.flights.waiting }

    /// The requests that wait until others of their client have ended.
    var waitingForShares: Int { core.shares.waiting }

    /// Takes no more connections, answers what is under way, stores what has come of it, and ends; what takes
    /// longer is cut off.
    ///
    /// Once it has ended, it does nothing.
    ///
    /// - Returns: False where the store has not taken what was changed; what to do was told.
    @discardableResult
    package func drain(within limit: Duration) async -> Bool {
      guard isFirstToEnd else { return true }
      core.isDraining.store(true, ordering: .relaxed)
      for listener in listeners { await Self.close(listener) }
      await settle(within: limit)
      return await end()
    }

    /// Returns once all connections and all that is under way have ended, or the time is over.
    private func settle(within limit: Duration) async {
      await Self.race(
        { [core] in
          await core.connections.drain()
          await core.runs.drain()
        }, within: limit)
    }

    /// Ends at once; once it has ended, it does nothing.
    package func close() async {
      guard isFirstToEnd else { return }
      for listener in listeners { await Self.close(listener) }
      _ = await end()
    }

    /// A channel of a loop that was shut down would never say that it is closed.
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
      // What was cut off ends on the loops.
      await settle(within: .seconds(2))
      await Self.shutDown(group)
      let isSettled = await core.settleOwed()
      if let log = core.options.log {
        await Self.race({ await log.close() }, within: .seconds(2))
      }
      return isSettled
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

    static func close(_ channel: any Channel) async {
      // It fails only for one that is closed already, which is the wanted state.
      try? await channel.close().get()
    }

    private static func shutDown(_ group: MultiThreadedEventLoopGroup) async {
      // It fails only for a group that was shut down before.
      try? await group.shutdownGracefully()
    }
  }
#endif
