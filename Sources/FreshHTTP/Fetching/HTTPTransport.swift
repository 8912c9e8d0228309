#if HTTP
  internal import AsyncHTTPClient
  internal import FreshStore
  internal import NIOCore
  internal import NIOHTTP1
  internal import NIOPosix
  internal import NIOSSL
  internal import Reachability
  internal import Strategies
  internal import Synchronization

  /// The only sender of requests. It uses async-http-client on its own event loop, and a ``SingleConnection``
  /// for each request that this client does not send.
  ///
  /// It follows no redirects, keeps no cookies and retries nothing: ``FetchPlan``, ``RetrySchedule`` and the
  /// store decide those.
  final class HTTPTransport: HTTPAnswering {
    let configuration: HTTPConfiguration
    let group: any EventLoopGroup
    /// The event loop to shut down at the end; `nil` when the loops are the caller's.
    private let ownGroup: MultiThreadedEventLoopGroup?
    /// The socket of all requests; `nil` for the network.
    let socket: UnixSocket?
    let names: ResolvedNames
    let clients = HTTPClients()
    let requests = CheckedRequests()
    private let tls: TLSConfiguration
    /// The longest silence of an origin whose responses are forwarded; `nil` when the responses are read here.
    let forwardingSilence: Duration?
    /// The addresses that forwarded requests must not go to.
    let addressGuard: AddressGuard?
    /// The number of requests in flight, by origin.
    private let inFlight = Mutex<[String: Int]>([:])

    /// Throws `badConfiguration` for a file that cannot be used.
    init(
      _ configuration: HTTPConfiguration, lookup: HostLookup = .system,
      forwardingWithin silence: Duration? = nil, on loops: (any EventLoopGroup)? = nil,
      _ addressGuard: AddressGuard? = nil
    ) throws(HTTPFetchError) {
      let tls = try configuration.tlsConfiguration()
      // Nothing may fail from here on: an event loop has to be shut down.
      if let loops {
        group = loops
        ownGroup = nil
      } else {
        let own = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        group = own
        ownGroup = own
      }
      self.configuration = configuration
      forwardingSilence = silence
      self.addressGuard = addressGuard
      socket = configuration.socketPath.map { UnixSocket($0, tls) }
      names = ResolvedNames(lookup, idleTime: Self.idleTime)
      self.tls = tls
    }

    /// True once ``close()`` was called: no request succeeds any more.
    var hasEnded: Bool { clients.hasEnded }

    /// A transport that is released without ``close()`` shuts down in the background.
    deinit {
      guard let end = clients.end() else { return }
      let group = ownGroup
      Task.detached { await Self.shutDown(end, group) }
    }

    /// Aborts the requests in flight and returns when the event loop has ended.
    func close() async {
      if let end = clients.end() { await Self.shutDown(end, ownGroup) }
    }

    /// The client for an origin, to be returned; `nil` once the transport has ended.
    func client(_ key: HTTPClients.Key, for origin: String) -> HTTPClient? {
      clients.take(key, for: origin) {
        HTTPClient(
          eventLoopGroupProvider: .shared(group), configuration: settings(tls, key))
      }
    }

    /// The key of the client for an address.
    func key(
      for address: HTTPAddress, over route: ProxyRoute, _ fields: HeaderFields
    ) -> HTTPClients.Key {
      let isChecked = address.scheme == .https && tls.certificateVerification == .fullVerification
      return HTTPClients.Key(
        route: route, host: isChecked ? address.bareHost : nil,
        // The library that compresses the fields of HTTP/2 takes only text.
        isPlain: fields.lines.contains { FieldText.isOpaque($0.value) })
    }

    /// Sends one request and reads the response.
    func answer(
      to fields: HeaderFields, method: String, body: [UInt8]?, at address: HTTPAddress,
      part: @escaping @Sendable (_ status: Int) -> HTTPAnswer.BodyPart
    ) async throws(HTTPFetchError) -> HTTPAnswer {
      let route = socket == nil ? configuration.proxies.route(to: address) : .direct
      let key = key(for: address, over: route, fields)
      guard let client = client(key, for: address.origin) else { throw Self.closed(address) }
      var isLost = false
      defer { clients.giveBack(client, of: key, isLost: isLost) }
      // The client would still send the request of a cancelled task.
      guard !Task.isCancelled else { throw .cancelled(address.redacted) }
      let host = route.proxyHost ?? address.bareHost
      let start = configuration.clock.reading()
      do {
        if socket == nil { try await names.admit(host, within: configuration.connectTimeout) }
        // A connection on an event loop that has ended would never be reported.
        guard !hasEnded else { throw Self.closed(address) }
        let answer = try await WordsLimit.run(configuration.clock) { [self] words in
          let begin: Begin = { [configuration] status, headers in
            let reader = try AnswerReader(
              status, headers, at: address, since: start, configuration, part: part)
            if reader.isWords { words.begin() }
            return reader
          }
          let single = try singleConnection(to: address, over: route)
          let checked = CheckedRequest(
            method, address,
            single == nil ? fields : Self.fields(fields, ofSingleConnectionOver: route),
            isAbsolute: single != nil && route != .direct)
          let name = requests.begin(checked)
          defer { requests.end(name) }
          if let single {
            let framing = Self.framing(of: method, body, named: name)
            return try await single.exchange(framing, body) { head in
              if let proxy = route.proxyName { try Self.refuseOfProxy(head, proxy, at: address) }
              return try begin(head.status, head.headers)
            }
          }
          var message = checked.message(named: name)
          if let body { message.body = .bytes(body) }
          return try await send(message, by: client, checked, begin)
        }
        if socket == nil { names.note(host) }
        return answer
      } catch let error as HTTPFetchError {
        throw error
      } catch {
        guard !Task.isCancelled else {
          isLost = socket == nil && Self.isOutOfReach(host)
          throw .cancelled(address.redacted)
        }
        throw Self.failure(error, at: address, configuration, via: route.proxyName)
      }
    }

    /// The error of a request after ``close()``.
    static func closed(_ address: HTTPAddress) -> HTTPFetchError {
      .transport(address.redacted, description: "the source was closed")
    }

    /// Makes the reader of a response from its head.
    private typealias Begin = @Sendable (HTTPResponseStatus, HTTPHeaders) throws -> AnswerReader

    private func send(
      _ message: HTTPClientRequest, by client: HTTPClient, _ request: CheckedRequest, _ begin: Begin
    ) async throws -> HTTPAnswer {
      let origin = request.address.origin
      inFlight.withLock { $0[origin, default: 0] += 1 }
      defer { end(at: origin) }
      let response = try await execute(message, by: client, request)
      var reader = try begin(response.status, response.headers)
      do {
        for try await part in response.body {
          guard try reader.take(part) else { break }
        }
        return try reader.answer()
      } catch let error as HTTPFetchError {
        throw error
      } catch {
        return try reader.answer(after: error)
      }
    }

    /// Sends a request, again where that may help. The caller limits the time, which covers the body, too,
    /// and cancels this task.
    ///
    /// The client gives a connection the same time to become free as to be made. Our own requests may use all
    /// connections, which is not the origin's silence: a request that waits for them waits on.
    ///
    /// The kernel's search for the neighbour may have begun while the network was away. It then fails for all
    /// requests that wait for its end, also when the network is back. Such a request is sent again once,
    /// which begins another search.
    private func execute(
      _ message: HTTPClientRequest, by client: HTTPClient, _ request: CheckedRequest
    ) async throws -> HTTPClientResponse {
      let (origin, start) = (request.address.origin, ContinuousClock.now)
      var mayFindNeighbour = true
      var resends = ResendLimit()
      while true {
        let waits = inFlight.withLock {
          $0[origin, default: 0] > configuration.maximumConnectionsPerHost
        }
        do {
          return try await client.execute(message, deadline: .distantFuture)
        } catch let error as HTTPClientError
          where error == .getConnectionFromPoolTimeout && waits
        {
          continue
        } catch {
          if resends.allows(request, after: error) { continue }
          guard mayFindNeighbour, Self.hasInheritedFailure(error, since: start) else { throw error }
          mayFindNeighbour = false
        }
      }
    }

    private func end(at origin: String) {
      inFlight.withLock { inFlight in
        let others = inFlight[origin, default: 0] - 1
        inFlight[origin] = others > 0 ? others : nil
      }
    }

    /// Throws for a response that is the proxy's own and not the origin's. Such a proxy asks for credentials,
    /// or names the error that it met (RFC 9209). The last member of the field is the nearest to us.
    private static func refuseOfProxy(
      _ head: HTTPResponseHead, _ proxy: String, at address: HTTPAddress
    ) throws(HTTPFetchError) {
      let isGateways = (502...504).contains(head.status.code)
      let nearest = isGateways ? head.headers[canonicalForm: "Proxy-Status"].last : nil
      let ownError = nearest.flatMap { $0.contains("error=") ? $0 : nil }
      guard head.status == .proxyAuthenticationRequired || ownError != nil else { return }
      let words = ownError.map { "it says \(DisplayText.clean(String($0), limit: 100))" }
      throw .proxy(
        address.redacted, proxy: proxy, description: words ?? "it asks for credentials")
    }

    /// The time for which an idle connection is kept. The fastest common origins close an idle connection
    /// after five seconds, and a connection that closes just as it is reused would fail the fetch.
    static let idleTime = Duration.seconds(4)

    /// True when the host is provably out of reach. The cost is some microseconds. The addresses of a name
    /// are not known here, so well-known addresses of the Internet are tested instead.
    static func isOutOfReach(_ host: String) -> Bool {
      let targets = IPAddress(host).map { [$0] } ?? IPAddress.wellKnown
      return RouteMonitor.look(at: targets).isProvablyOffline
    }

    private static func shutDown(
      _ end: @Sendable () async -> Void, _ group: MultiThreadedEventLoopGroup?
    ) async {
      await end()
      // It fails only for a group that is shut down already.
      try? await group?.shutdownGracefully()
    }
  }
#endif
