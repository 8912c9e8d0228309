#if HTTP
  internal import AsyncHTTPClient
  internal import FreshStore
  internal import NIOCore
  internal import NIOHTTP1
  internal import NIOHTTPCompression
  internal import NIOPosix
  internal import Synchronization

  /// The one place that sends requests: async-http-client on an event loop of its own.
  ///
  /// It follows no redirects, keeps no cookies and retries nothing: ``FetchPlan`` and the store
  /// decide those. Each way out of the machine has a client, because a client has one proxy.
  final class HTTPTransport: Sendable {
    private let configuration: HTTPConfiguration
    private let group: MultiThreadedEventLoopGroup
    private let clients: [ProxyRoute: HTTPClient]
    private let isClosed = Mutex(false)

    init(_ configuration: HTTPConfiguration) {
      let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
      self.group = group
      self.configuration = configuration
      clients = Dictionary(
        uniqueKeysWithValues: configuration.proxies.routes.map { route in
          let settings = Self.settings(configuration, route)
          return (
            route, HTTPClient(eventLoopGroupProvider: .shared(group), configuration: settings)
          )
        })
    }

    /// A transport that is let go without ``close()`` shuts down in the background.
    deinit {
      guard !isClosed.withLock({ $0 }) else { return }
      let (clients, group) = (clients, group)
      Task.detached { await Self.shutDown(clients.values, group) }
    }

    /// Breaks off what is under way and returns when the event loop has ended.
    func close() async {
      let wasClosed = isClosed.withLock { isClosed in
        defer { isClosed = true }
        return isClosed
      }
      if !wasClosed {
        await Self.shutDown(clients.values, group)
      }
    }

    /// Sends one request and reads the answer: the whole body where it is the value, else no more
    /// of it than a message needs.
    func answer(
      to fields: HeaderFields, method: String = "GET", body: [UInt8]? = nil,
      at address: HTTPAddress
    ) async throws(HTTPFetchError) -> HTTPAnswer {
      guard !isClosed.withLock({ $0 }),
        let client = clients[configuration.proxies.route(to: address)]
      else {
        throw .transport(address.redacted, description: "the source was closed")
      }
      // The client would still send the request of a task that is cancelled already.
      guard !Task.isCancelled else { throw .cancelled(address.redacted) }
      var request = HTTPClientRequest(url: address.text)
      request.headers = HTTPHeaders(fields.lines.map { ($0.name, $0.value) })
      request.method = HTTPMethod(rawValue: method)
      if let body { request.body = .bytes(body) }
      do {
        let start = configuration.clock.now()
        // The deadline is the caller's, who cancels this task; it covers the body, too.
        let response = try await client.execute(request, deadline: .distantFuture)
        let arrival = configuration.clock.now()
        let status = Int(response.status.code)
        let body =
          HTTPAnswer.bodyIsValue(status)
          ? try await wholeBody(of: response, at: address) : await beginning(of: response)
        return HTTPAnswer(
          status: status,
          fields: HeaderFields(
            response.headers.map { HeaderFields.Line(name: $0.name, value: $0.value) }),
          body: body, responseTime: arrival.wall,
          responseDelay: .milliseconds(arrival.sinceBoot - start.sinceBoot))
      } catch let error as HTTPFetchError {
        throw error
      } catch {
        throw Self.failure(error, at: address, configuration)
      }
    }

    private func wholeBody(of response: HTTPClientResponse, at address: HTTPAddress) async throws
      -> [UInt8]
    {
      let limit = configuration.maximumBodyBytes
      let isEncoded = response.headers.contains(name: "Content-Encoding")
      let stated = response.headers.first(name: "Content-Length").flatMap { Int($0) }
      if !isEncoded, let stated, stated > limit {
        throw HTTPFetchError.tooLarge(address.redacted, limit: limit)
      }
      var body: [UInt8] = []
      for try await part in response.body {
        guard body.count + part.readableBytes <= limit else {
          throw HTTPFetchError.tooLarge(address.redacted, limit: limit)
        }
        body.append(contentsOf: part.readableBytesView)
      }
      return body
    }

    /// What a message can use of a body; one that breaks off leaves what came, because the status
    /// says what matters.
    private func beginning(of response: HTTPClientResponse) async -> [UInt8] {
      var body: [UInt8] = []
      do {
        for try await part in response.body {
          body.append(contentsOf: part.readableBytesView.prefix(Self.prefixBytes))
          if body.count >= Self.prefixBytes { break }
        }
      } catch {
        return body
      }
      return body
    }

    private static let prefixBytes = 1024

    private static func settings(_ configuration: HTTPConfiguration, _ route: ProxyRoute)
      -> HTTPClient.Configuration
    {
      var pool = HTTPClient.Configuration.ConnectionPool()
      pool.retryConnectionEstablishment = false
      // Less than the five seconds after which the hastiest of common origins close an idle
      // connection: one closed just as it is used again would fail the fetch.
      pool.idleTimeout = .seconds(4)
      pool.concurrentHTTP1ConnectionsPerHostSoftLimit = configuration.maximumConnectionsPerHost
      return HTTPClient.Configuration(
        redirectConfiguration: .disallow,
        timeout: .init(connect: .init(configuration.connectTimeout)), connectionPool: pool,
        proxy: proxy(route),
        decompression: .enabled(limit: .size(configuration.maximumBodyBytes)))
    }

    private static func proxy(_ route: ProxyRoute) -> HTTPClient.Configuration.Proxy? {
      switch route {
      case .direct: nil
      case .http(let host, let port, let credentials):
        .server(
          host: host, port: port,
          authorization: credentials.map { .basic(username: $0.user, password: $0.password) })
      case .socks(let host, let port): .socksServer(host: host, port: port)
      }
    }

    private static func shutDown(
      _ clients: some Sequence<HTTPClient> & Sendable, _ group: MultiThreadedEventLoopGroup
    ) async {
      for client in clients {
        // It fails only for a client that was shut down before, which is the state wanted.
        try? await client.shutdown()
      }
      // It fails only for a group that was shut down before.
      try? await group.shutdownGracefully()
    }
  }
#endif
