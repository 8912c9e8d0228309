#if HTTP
  internal import AsyncHTTPClient
  internal import FreshStore
  package import NIOCore
  internal import NIOHTTP1
  internal import Strategies
  internal import Synchronization

  /// Forwards requests unchanged, and passes their responses on as they come: for a gateway.
  ///
  /// It adds only `Host` and the framing, follows no redirect and decodes no content. It repeats a request
  /// only if an idle connection ended just as the request came. Informational responses and trailers are
  /// passed on only over HTTP/1: the client library drops those of HTTP/2.
  package struct HTTPForwarder: Sendable {
    private let transport: HTTPTransport
    private let exchanges: OpenExchanges

    /// Creates a forwarder. Throws `badConfiguration`.
    ///
    /// - Parameters:
    ///   - configuration: The trusted issuers, the proxies, the time to connect and the most connections to a
    ///     host. The rest has no effect here.
    ///   - silence: The longest time without a byte from an origin.
    ///   - loops: The event loops of its connections, which outlive it; `nil` for one of its own.
    ///   - refuses: True for a network address that requests must not go to: they fail with `badURL`.
    package init(
      _ configuration: HTTPConfiguration, silence: Duration, on loops: (any EventLoopGroup)? = nil,
      keptFrom refuses: @escaping @Sendable (_ address: String) -> Bool = { _ in false }
    ) throws(HTTPFetchError) {
      try configuration.validate()
      transport = try HTTPTransport(
        configuration, forwardingWithin: silence, on: loops, AddressGuard(refuses: refuses))
      exchanges = OpenExchanges(connections: configuration.maximumConnectionsPerHost)
    }

    /// Aborts the requests in flight. These, and requests that are sent from now on, count as cancelled.
    package func close() async { await transport.close() }

    /// The number of connections to origins that are in use or being made, and of requests that wait for one.
    package var usage: (connections: Int, waiting: Int) { exchanges.usage }

    /// Sends a request and returns with the head of the final response. The exchange ends when the task is
    /// cancelled or the content of the response is dropped.
    ///
    /// The request waits while others use all connections to its origin, for as long as an origin may be
    /// silent. Then it fails with a shortage. Content that breaks off is no failure of the origin either: the
    /// request counts as cancelled.
    package func send(_ request: ForwardedRequest) async throws(HTTPFetchError) -> ForwardedAnswer {
      let (address, configuration) = (request.address, transport.configuration)
      let route = configuration.proxies.route(to: address)
      let key = transport.key(for: address, over: route, request.fields)
      guard let client = transport.client(key, for: address.origin) else {
        throw .cancelled(address.redacted)
      }
      let use = ClientUse(
        transport, client, key, exchanges,
        CheckedRequest(request.method, address, request.fields, interim: request.interim))
      request.waiting.isShort = exchanges.isShort(at: address.origin)
      let pace = UploadPace()
      let host = route.proxyHost ?? address.bareHost
      let (start, began) = (configuration.clock.reading(), ContinuousClock.now)
      do {
        let addresses = try await transport.names.admit(host, within: configuration.connectTimeout)
        if route == .direct, let guarding = transport.addressGuard, !addresses.isEmpty,
          addresses.allSatisfy({ guarding.refuses("\($0)") })
        {
          throw AddressGuard.Refusal()
        }
        guard !transport.hasEnded else { throw HTTPFetchError.cancelled(address.redacted) }
        let response = try await execute(request, by: client, use, pace)
        request.waiting.isShort = false
        if response.version.major > 1 { use.noteMultiplexed() }
        transport.names.note(host)
        let answer = ForwardedAnswer(
          response, to: request, from: start, began, configuration, use, pace, transport)
        // The connection is free for others after the end was read.
        if answer.content.isEmpty { try await answer.content.drain() }
        return answer
      } catch let error as HTTPFetchError {
        throw error
      } catch is AddressGuard.Refusal {
        throw .badURL(address.redacted, reason: "its address is one that requests are kept from")
      } catch {
        if Task.isCancelled {
          use.isLost = HTTPTransport.isOutOfReach(host)
          throw .cancelled(address.redacted)
        }
        request.waiting.isUnconnected = HTTPTransport.isOfConnecting(error)
        request.waiting.isIncomplete = pace.isAwaiting
        // The sender of the content is to blame for the error.
        if pace.isBroken { throw .cancelled(address.redacted) }
        throw transport.failure(ofForwarding: error, to: address, over: route)
      }
    }

    private func execute(
      _ request: ForwardedRequest, by client: HTTPClient, _ use: ClientUse, _ pace: UploadPace
    ) async throws -> HTTPClientResponse {
      var message = use.request.message(named: use.name)
      if let content = request.content {
        message.body = .stream(
          content.paced(by: pace), length: content.length.map { .known($0) } ?? .unknown)
      }
      if !request.mayShareConnection { message.headers.add(name: "Connection", value: "close") }
      let (origin, start) = (request.address.origin, ContinuousClock.now)
      let limit = transport.forwardingSilence ?? .zero
      // Content can be read only once.
      var resends = ResendLimit(mayRepeat: request.content == nil)
      while true {
        do {
          guard request.content != nil else {
            return try await client.execute(message, deadline: .distantFuture)
          }
          return try await execute(message, by: client, watching: pace)
        } catch let error as HTTPClientError
          where error == .getConnectionFromPoolTimeout
          && (exchanges.isShort(at: origin) || exchanges.isShortOfStreams(at: origin))
        {
          request.waiting.isShort = true
          guard ContinuousClock.now - start < limit, !Task.isCancelled else {
            throw request.outOfConnections
          }
        } catch {
          guard resends.allows(use.request, after: error, isUntouched: !pace.hasBegun) else {
            throw error
          }
        }
      }
    }

    /// Sends a request with content. The origin has to take some of it from time to time.
    private func execute(
      _ message: HTTPClientRequest, by client: HTTPClient, watching pace: UploadPace
    ) async throws -> HTTPClientResponse {
      let limit = transport.forwardingSilence ?? .seconds(60)
      return try await withThrowingTaskGroup(of: HTTPClientResponse?.self) { tasks in
        tasks.addTask { try await client.execute(message, deadline: .distantFuture) }
        tasks.addTask {
          try await pace.watch(limit)
          return nil
        }
        defer { tasks.cancelAll() }
        guard let response = try await tasks.next() ?? nil else { throw UploadPace.Stalled() }
        return response
      }
    }

    /// A client for one exchange, returned at its end.
    final class ClientUse: Sendable {
      let request: CheckedRequest
      let name: String
      private let requests: CheckedRequests
      private let clients: HTTPClients
      private let client: HTTPClient
      private let key: HTTPClients.Key
      private let exchanges: OpenExchanges
      private let origin: String
      private let lost = Atomic<Bool>(false)
      private let multiplexed = Atomic<Bool>(false)

      init(
        _ transport: HTTPTransport, _ client: HTTPClient, _ key: HTTPClients.Key,
        _ exchanges: OpenExchanges, _ request: CheckedRequest
      ) {
        (clients, requests) = (transport.clients, transport.requests)
        (self.client, self.key) = (client, key)
        (self.exchanges, origin) = (exchanges, request.address.origin)
        self.request = request
        name = requests.begin(request)
        exchanges.begin(at: origin)
      }

      /// Notes that the connection carries other exchanges, too.
      func noteMultiplexed() {
        multiplexed.store(true, ordering: .relaxed)
        exchanges.noteMultiplexed(at: origin)
      }

      /// True when the exchange was given up while its origin was out of reach.
      var isLost: Bool {
        get { lost.load(ordering: .relaxed) }
        set { lost.store(newValue, ordering: .relaxed) }
      }

      deinit {
        requests.end(name)
        exchanges.end(at: origin, isMultiplexed: multiplexed.load(ordering: .relaxed))
        clients.giveBack(client, of: key, isLost: isLost)
      }
    }
  }

  extension HTTPTransport {
    /// The error for a failure of a forwarded exchange.
    func failure(
      ofForwarding error: any Error, to address: HTTPAddress, over route: ProxyRoute
    ) -> HTTPFetchError {
      // The end of this transport is not a failure of the origin.
      guard !hasEnded else { return .cancelled(address.redacted) }
      let isReadTimeout = (error as? HTTPClientError) == .readTimeout
      if isReadTimeout || error is UploadPace.Stalled {
        return .timedOut(address.redacted, after: forwardingSilence ?? .zero)
      }
      return Self.failure(error, at: address, configuration, via: route.proxyName)
    }
  }

  /// The number of a forwarder's exchanges in flight, by origin.
  final class OpenExchanges: Sendable {
    private struct Counts {
      /// All exchanges, also those that wait for a connection.
      var all = 0
      /// The exchanges that share one connection.
      var multiplexed = 0
    }

    private let counts = Mutex<[String: Counts]>([:])
    private let connections: Int

    /// - Parameter connections: The most connections to an origin.
    init(connections: Int) { self.connections = connections }

    func begin(at origin: String) { counts.withLock { $0[origin, default: Counts()].all += 1 } }

    func noteMultiplexed(at origin: String) {
      counts.withLock { $0[origin]?.multiplexed += 1 }
    }

    func end(at origin: String, isMultiplexed: Bool) {
      counts.withLock { counts in
        guard var count = counts[origin] else { return }
        count.all -= 1
        if isMultiplexed { count.multiplexed -= 1 }
        counts[origin] = count.all > 0 ? count : nil
      }
    }

    /// The number of connections that are in use or being made, and of exchanges that wait for one, over all
    /// origins.
    var usage: (connections: Int, waiting: Int) {
      counts.withLock { counts in
        counts.values.reduce(into: (connections: 0, waiting: 0)) { usage, count in
          let own = count.all - count.multiplexed
          usage.connections += min(own, connections) + (count.multiplexed > 0 ? 1 : 0)
          usage.waiting += max(0, own - connections)
        }
      }
    }

    /// True when others use all connections.
    func isShort(at origin: String) -> Bool {
      counts.withLock { ($0[origin]?.all ?? 0) > connections }
    }

    /// The same for an exchange that got no connection in time: an origin allows only so many streams on each.
    func isShortOfStreams(at origin: String) -> Bool {
      counts.withLock { ($0[origin]?.multiplexed ?? 0) > 0 }
    }
  }
#endif
