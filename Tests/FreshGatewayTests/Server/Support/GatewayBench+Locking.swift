#if Gateway
  internal import FreshStore
  internal import FreshStoreTesting
  internal import OriginServer
  internal import StoreSupport

  @testable import FreshGateway

  extension GatewayBench {
    /// True when the gateway answers from a copy, without the origin.
    func isHit(_ target: String) async throws -> Bool {
      try await ask(target, fields: "Cache-Control: only-if-cached").status == 200
    }

    /// True when another gateway has a hit with the same copies, as after a restart.
    func isHitElsewhere(_ target: String) async throws -> Bool {
      let store = try temporary.another()
      let other = try await start(store, temporary.clock, server)
      let bench = GatewayBench(gateway: other, server: server, temporary: temporary)
      let isHit = try await bench.isHit(target)
      await other.close()
      try await store.close()
      return isHit
    }
  }

  /// Runs a gateway as ``withGateway(_:_:test:)`` does, whose store fails as soon as another program, the connection
  /// that the test gets, holds the lock for a moment.
  ///
  /// - Parameter patience: How long the first write waits for that lock.
  func withLockableStore(
    isLocked: Bool = false, patience: Duration = .milliseconds(20),
    _ configure: (inout GatewayOptions) -> Void = { _ in },
    _ handler: @escaping OriginServer.Handler,
    test: (GatewayBench, RawDatabase) async throws -> Void
  ) async throws {
    try await TemporaryStore.run(configure: { configuration in
      configuration.busyTimeout = patience
      configuration.lockPatience = patience
    }) { temporary in
      let server = try await OriginServer.start(handler)
      do {
        let other = try RawDatabase(temporary.path)
        if isLocked { try other.execute("BEGIN IMMEDIATE") }
        let gateway = try await start(temporary.store, temporary.clock, server, configure)
        do {
          let bench = GatewayBench(gateway: gateway, server: server, temporary: temporary)
          try await test(bench, other)
        } catch {
          await gateway.close()
          throw error
        }
        await gateway.close()
      } catch {
        await server.stop()
        throw error
      }
      await server.stop()
    }
  }
#endif
