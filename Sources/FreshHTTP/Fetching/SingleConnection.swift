#if HTTP
  internal import AsyncHTTPClient
  internal import NIOCore
  internal import NIOHTTP1
  internal import NIOPosix
  internal import NIOSSL
  internal import Reachability
  internal import Synchronization

  /// A connection for one request, which ends with its response. It serves requests that the client library
  /// does not send, or not correctly.
  struct SingleConnection {
    /// The other end.
    enum Peer {
      case host(String, port: Int)
      /// A Unix socket; with its path.
      case socket(String)
    }

    /// TLS over the connection.
    struct Security {
      let context: NIOSSLContext
      /// The name that the certificate must have; `nil` for any.
      let serverName: String?
    }

    let peer: Peer
    /// `nil` for a plain connection.
    let security: Security?
    let group: any EventLoopGroup
    /// The store in which the connection finds the head that it writes.
    let requests: CheckedRequests
    let connectTimeout: Duration

    private typealias Connection = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    /// The connection ended before the response did.
    struct Truncated: Error, CustomStringConvertible {
      var description: String { "the connection was closed before the answer was complete" }
    }

    /// Sends a request and reads the response. `begin` receives its head.
    func exchange(
      _ request: HTTPRequestHead, _ body: [UInt8]?,
      _ begin: @Sendable (HTTPResponseHead) throws -> AnswerReader
    ) async throws -> HTTPAnswer {
      let isSecure = security != nil
      return try await connect().executeThenClose { inbound, outbound in
        // A response may come, and the connection may end, before all of the request is sent.
        async let sent: Void = Self.send(request, body, to: outbound)
        var parts = inbound.makeAsyncIterator()
        var first: HTTPClientResponsePart?
        do {
          repeat {
            first = try await parts.next()
          } while Self.isInterim(first)
        } catch {
          // The error that stopped the sending says more, unless a handshake failed.
          if !isSecure { try await sent }
          throw error
        }
        guard case .head(let head) = first else {
          try await sent
          throw Truncated()
        }
        var reader = try begin(head)
        do {
          while true {
            switch try await parts.next() {
            case .head: continue
            case .body(let bytes): if try !reader.take(bytes) { return try reader.answer() }
            case .end: return try reader.answer()
            case nil: throw Truncated()
            }
          }
        } catch let error as HTTPFetchError {
          throw error
        } catch {
          return try reader.answer(after: error)
        }
      }
    }

    /// True for an informational response, which another one follows.
    private static func isInterim(_ part: HTTPClientResponsePart?) -> Bool {
      if case .head(let head) = part { head.status.code < 200 } else { false }
    }

    private static func send(
      _ head: HTTPRequestHead, _ body: [UInt8]?,
      to outbound: NIOAsyncChannelOutboundWriter<HTTPClientRequestPart>
    ) async throws {
      try await outbound.write(.head(head))
      if let body { try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: body)))) }
      try await outbound.write(.end(nil))
    }

    /// Connects. A cancelled task does not wait for it.
    private func connect() async throws -> Connection {
      let opening = Opening()
      let prepare: @Sendable (any Channel) -> EventLoopFuture<Connection> = {
        [security, requests] channel in
        opening.begin(channel)
        return channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          if let security {
            try pipeline.addHandler(
              NIOSSLClientHandler(context: security.context, serverHostname: security.serverName))
          }
          try pipeline.addHandler(OriginWire(requests))
          return try Connection(wrappingChannelSynchronously: channel)
        }
      }
      return try await withTaskCancellationHandler {
        let bootstrap = ClientBootstrap(group: group).connectTimeout(.init(connectTimeout))
        switch peer {
        case .host(let host, let port):
          return try await bootstrap.connect(host: host, port: port, channelInitializer: prepare)
        case .socket(let path):
          return try await bootstrap.connect(
            unixDomainSocketPath: path, channelInitializer: prepare)
        }
      } onCancel: {
        opening.cancel()
      }
    }

    /// A connection that is being made, and can be abandoned.
    private final class Opening: Sendable {
      private struct State {
        var channels: [any Channel] = []
        var isCancelled = false
      }

      private let state = Mutex(State())

      func begin(_ channel: any Channel) {
        let isCancelled = state.withLock { state in
          state.channels.append(channel)
          return state.isCancelled
        }
        if isCancelled { channel.close(promise: nil) }
      }

      func cancel() {
        let channels = state.withLock { state in
          state.isCancelled = true
          return state.channels
        }
        for channel in channels { channel.close(promise: nil) }
      }
    }
  }

  extension HTTPTransport {
    /// The connection for a request that the client library does not send: over a Unix socket, or for an http
    /// origin behind an HTTP proxy, which that library reaches only through a tunnel. `nil` for any other request.
    func singleConnection(
      to address: HTTPAddress, over route: ProxyRoute
    ) throws -> SingleConnection? {
      let peer: SingleConnection.Peer
      var security: SingleConnection.Security?
      if let socket {
        peer = .socket(socket.path)
        if address.scheme == .https { security = try socket.security(for: address) }
      } else if address.scheme == .http, case .http(let host, let port, _) = route {
        peer = .host(host, port: port)
      } else {
        return nil
      }
      return SingleConnection(
        peer: peer, security: security, group: group, requests: requests,
        connectTimeout: configuration.connectTimeout)
    }

    /// The fields of a request over such a connection.
    static func fields(
      _ fields: HeaderFields, ofSingleConnectionOver route: ProxyRoute
    ) -> HeaderFields {
      guard case .http(_, _, let credentials?) = route else { return fields }
      var fields = fields
      let basic = HTTPClient.Authorization.basic(
        username: credentials.user, password: credentials.password)
      fields.set("Proxy-Authorization", basic.headerValue)
      return fields
    }

    /// The framing of a request over such a connection, which the client library does not set here.
    static func framing(of method: String, _ body: [UInt8]?, named name: String) -> HTTPRequestHead
    {
      var head = HTTPRequestHead(version: .http1_1, method: .init(rawValue: method), uri: "/")
      head.headers.add(name: CheckedRequests.field, value: name)
      head.headers.add(name: "Connection", value: "close")
      if let body { head.headers.add(name: "Content-Length", value: "\(body.count)") }
      return head
    }
  }

  /// The Unix socket that a configuration names, and TLS over it.
  ///
  /// The client library can connect to a socket, too, but does not check a certificate against the name in
  /// the address.
  final class UnixSocket: Sendable {
    let path: String
    private let settings: TLSConfiguration
    /// The context is made for the first https address: the system's issuers take long to read.
    private let context = Mutex<NIOSSLContext?>(nil)

    init(_ path: String, _ settings: TLSConfiguration) {
      self.path = path
      var settings = settings
      settings.applicationProtocols = ["http/1.1"]
      // The response states its own end, so a peer that does not close TLS properly delays nobody.
      settings.shutdownTimeout = .milliseconds(100)
      self.settings = settings
    }

    /// TLS for a request to an https address. Throws `badURL`, and the errors of the TLS library.
    func security(for address: HTTPAddress) throws -> SingleConnection.Security {
      let isNumeric = IPAddress(address.bareHost) != nil
      if isNumeric, settings.certificateVerification == .fullVerification {
        throw HTTPFetchError.badURL(
          address.redacted,
          reason: "over a Unix socket a certificate can only be checked against a name; write one "
            + "in place of the IP address")
      }
      let shared = try context.withLock { context in
        if let context { return context }
        let made = try NIOSSLContext(configuration: settings)
        context = made
        return made
      }
      return SingleConnection.Security(
        context: shared, serverName: isNumeric ? nil : address.bareHost)
    }
  }
#endif
