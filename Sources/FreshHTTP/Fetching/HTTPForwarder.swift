#if HTTP
  internal import AsyncHTTPClient
  internal import FreshStore
  internal import NIOCore
  internal import NIOHTTP1
  internal import NIOPosix
  internal import Platform
  internal import Strategies
  internal import Synchronization

  /// Sends requests on as they are, and hands their answers on as they come: for a gateway.
  ///
  /// It adds nothing but `Host` and the framing, follows no redirect, keeps content in its coding, and repeats
  /// a request only where a connection ended that had waited for one. Informational answers are dropped.
  package struct HTTPForwarder: Sendable {
    private let transport: HTTPTransport

    /// Creates one with event loops of its own; throws `badConfiguration`.
    ///
    /// - Parameters:
    ///   - configuration: Whom it trusts, the proxies, the time to connect and the most connections to a host;
    ///     the rest means nothing here.
    ///   - silence: The longest time without a byte from an origin.
    package init(
      _ configuration: HTTPConfiguration, silence: Duration, threads: Int = 1
    ) throws(HTTPFetchError) {
      try configuration.validate()
      transport = try HTTPTransport(
        configuration, forwardingWithin: silence, threads: threads)
    }

    /// Ends what is under way.
    package func close() async { await transport.close() }

    /// Sends a request; returns with the head of the final answer. To cancel the task, or to drop the answer's
    /// content, ends the exchange.
    package func send(_ request: ForwardedRequest) async throws(HTTPFetchError) -> ForwardedAnswer {
      let (address, configuration) = (request.address, transport.configuration)
      let route = configuration.proxies.route(to: address)
      let key = transport.key(for: address, over: route)
      guard let client = transport.client(key) else { throw HTTPTransport.closed(address) }
      let use = ClientUse(transport.clients, client, key)
      let host = route.proxyHost ?? address.bareHost
      let start = configuration.clock.reading()
      do {
        try await transport.names.admit(host, within: configuration.connectTimeout)
        guard !transport.hasEnded else { throw HTTPTransport.closed(address) }
        let response = try await execute(request, by: client)
        transport.names.note(host)
        let answer = ForwardedAnswer(
          response, to: request, from: start, configuration, use, transport)
        // The connection is free for others once the end was read.
        if answer.content.isEmpty { try await answer.content.drain() }
        return answer
      } catch let error as HTTPFetchError {
        throw error
      } catch {
        if Task.isCancelled {
          use.isLost = HTTPTransport.isOutOfReach(host)
          throw .cancelled(address.redacted)
        }
        throw transport.failure(ofForwarding: error, to: address, over: route)
      }
    }

    private func execute(
      _ request: ForwardedRequest, by client: HTTPClient
    ) async throws -> HTTPClientResponse {
      var message = HTTPClientRequest(url: request.address.text)
      message.method = HTTPMethod(rawValue: request.method)
      message.headers = HTTPHeaders(request.fields.lines.map { ($0.name, $0.value) })
      if let content = request.content {
        message.body = .stream(content, length: content.length.map { .known($0) } ?? .unknown)
      }
      var mayRepeat = request.mayBeRepeated
      while true {
        do {
          return try await client.execute(message, deadline: .distantFuture)
        } catch let error where mayRepeat && Self.isEndOfIdleConnection(error) {
          // Many origins end a connection just as the next request is on its way (RFC 9112 section 9.3.1).
          mayRepeat = false
        }
      }
    }

    private static func isEndOfIdleConnection(_ error: any Error) -> Bool {
      if let error = error as? HTTPClientError { return error == .remoteConnectionClosed }
      guard let code = (error as? IOError)?.errnoCode else { return false }
      return code == ECONNRESET || code == EPIPE
    }

    /// A client for one exchange, to be given back at its end.
    final class ClientUse: Sendable {
      private let clients: HTTPClients
      private let client: HTTPClient
      private let key: HTTPClients.Key
      private let lost = Atomic<Bool>(false)

      init(_ clients: HTTPClients, _ client: HTTPClient, _ key: HTTPClients.Key) {
        (self.clients, self.client, self.key) = (clients, client, key)
      }

      /// True when the exchange was given up while its origin was out of reach.
      var isLost: Bool {
        get { lost.load(ordering: .relaxed) }
        set { lost.store(newValue, ordering: .relaxed) }
      }

      deinit { clients.giveBack(client, of: key, isLost: isLost) }
    }
  }

  extension HTTPTransport {
    /// The caller's error for a failure of an exchange that is passed on.
    func failure(
      ofForwarding error: any Error, to address: HTTPAddress, over route: ProxyRoute
    ) -> HTTPFetchError {
      if let error = error as? HTTPClientError, error == .readTimeout || error == .writeTimeout {
        return .timedOut(address.redacted, after: forwardingSilence ?? .zero)
      }
      return Self.failure(error, at: address, configuration, via: route.proxyName)
    }
  }
#endif
