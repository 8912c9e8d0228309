#if HTTP
  internal import Dispatch
  internal import FreshStore
  internal import OriginServer
  internal import Reachability
  internal import Strategies
  internal import Synchronization
  internal import Testing

  @testable import FreshHTTP

  @Suite struct NameFetchTests {
    /// Resolves every name but one to this host; the one gets no answer before the test lets it.
    private final class Resolver: Sendable {
      static let silent = "silent.example"

      let asked = Gate()
      private let released = DispatchSemaphore(value: 0)
      private let isKnown: Bool
      private let calls = Mutex<[String]>([])

      init(isKnown: Bool = false) { self.isKnown = isKnown }

      var names: [String] { calls.withLock { $0 } }
      func release() { released.signal() }

      func resolve(_ host: String) throws(HostLookupError) -> [IPAddress] {
        calls.withLock { $0.append(host) }
        guard host == Self.silent else { return [.v4(0x7F00_0001)] }
        asked.open()
        released.wait()
        // Later callers pass, too.
        released.signal()
        guard isKnown else { throw .notFound(host, "Released") }
        return [.v4(0x7F00_0001)]
      }
    }

    private func source(
      _ resolver: Resolver, connectTimeout: Duration = .seconds(600),
      proxies: ProxySettings = .none
    ) throws -> HTTPSource {
      try HTTPSource(
        HTTPConfiguration(
          connectTimeout: connectTimeout, timeout: .seconds(600), proxies: proxies),
        lookup: HostLookup(resolving: resolver.resolve))
    }

    @Test func `a name that gets no answer holds up no other host`() async throws {
      let resolver = Resolver()
      let source = try source(resolver)
      let origin = try await OriginServer.start { _ in .init(body: "there") }
      async let waiting = source.failure("http://\(Resolver.silent)/a")
      await resolver.asked.wait()
      #expect(try await source.fetch("http://localhost:\(origin.port)/a").text == "there")
      resolver.release()
      let words = "the name silent.example could not be resolved (released)"
      #expect(await waiting == .transport("http://silent.example/a", description: words))
      await source.close()
      await origin.stop()
    }

    @Test func `a name without an answer within the connection timeout is a time-out`() async throws
    {
      let resolver = Resolver()
      defer { resolver.release() }
      let source = try source(resolver, connectTimeout: .milliseconds(1))
      let failure = await source.failure("http://silent.example/a")
      #expect(failure == .timedOut("http://silent.example/a", after: .milliseconds(1)))
      await source.close()
    }

    @Test func `a name is not looked up again while its connection may be open`() async throws {
      let resolver = Resolver()
      let source = try source(resolver)
      let origin = try await OriginServer.start { _ in .init() }
      for _ in 0..<3 { _ = try await source.fetch("http://localhost:\(origin.port)/a") }
      #expect(resolver.names == ["localhost"])
      await source.close()
      await origin.stop()
    }

    @Test func `a lack of threads for a lookup is blamed on no origin`() async throws {
      let resolver = Resolver()
      let source = try HTTPSource(
        HTTPConfiguration(), lookup: HostLookup(mostThreads: 0, resolving: resolver.resolve))
      let failure = await source.failure("http://silent.example/a")
      guard case .shortage = failure else {
        Issue.record("\(String(describing: failure))")
        return
      }
      #expect(failure?.blamesOrigin == false)
      await source.close()
    }

    @Test(arguments: ["http", "https"])
    func `a fetch can be cancelled while the lookup of the proxy's name is pending`(scheme: String)
      async throws
    {
      let resolver = Resolver()
      defer { resolver.release() }
      let settings = try ProxySettings(environment: ["all_proxy": "http://silent.example:1"])
      let source = try source(resolver, proxies: settings)
      let url = "\(scheme)://news.example/a"
      let task = Task { await source.failure(url) }
      await resolver.asked.wait()
      task.cancel()
      #expect(await task.value == .cancelled(url))
      await source.close()
    }

    @Test(arguments: ["http", "https"])
    func `a fetch is refused when its source is closed during the proxy lookup`(scheme: String)
      async throws
    {
      let resolver = Resolver(isKnown: true)
      let settings = try ProxySettings(environment: ["all_proxy": "http://silent.example:1"])
      let source = try source(resolver, proxies: settings)
      let url = "\(scheme)://news.example/a"
      async let failure = source.failure(url)
      await resolver.asked.wait()
      await source.close()
      resolver.release()
      #expect(await failure == .transport(url, description: "the source was closed"))
    }

    @Test func `a proxy whose name has no address is reported as the proxy`() async throws {
      let resolver = Resolver()
      resolver.release()
      let settings = try ProxySettings(environment: ["all_proxy": "http://silent.example:1"])
      let source = try source(resolver, proxies: settings)
      let failure = await source.failure("http://news.example/a")
      let words = "the name silent.example could not be resolved (released)"
      #expect(
        failure == .proxy("http://news.example/a", proxy: "silent.example:1", description: words))
      await source.close()
    }
  }
#endif
