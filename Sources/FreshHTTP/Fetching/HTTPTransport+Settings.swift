#if HTTP
  internal import AsyncHTTPClient
  internal import NIOCore
  internal import NIOHTTP1
  internal import NIOHTTP2
  internal import NIOSSL
  internal import Platform
  internal import Reachability
  internal import Strategies

  extension HTTPTransport {
    /// The settings of a client.
    func settings(
      _ tls: TLSConfiguration, _ key: HTTPClients.Key
    ) -> HTTPClient.Configuration {
      var pool = HTTPClient.Configuration.ConnectionPool()
      // With retries, a refused connection would be reported only at the request's deadline.
      pool.retryConnectionEstablishment = false
      pool.idleTimeout = .init(Self.idleTime)
      pool.concurrentHTTP1ConnectionsPerHostSoftLimit = configuration.maximumConnectionsPerHost
      var settings = HTTPClient.Configuration(
        redirectConfiguration: .disallow,
        timeout: .init(connect: .init(configuration.connectTimeout)), connectionPool: pool,
        proxy: Self.proxy(key.route), decompression: .disabled)
      settings.tlsConfiguration = tls
      if key.isPlain { settings.httpVersion = .http1Only }
      // The client's own limits are not used: they run on while there is nothing to read or to write. The
      // addresses of a proxy are not checked, as the operator has chosen it.
      let addressGuard = key.route == .direct ? addressGuard : nil
      settings.http1_1ConnectionDebugInitializer = { [requests, forwardingSilence] channel in
        let isReady = Self.prepare(channel, checking: key.host, addressGuard)
          .flatMap { OriginWire.add(to: channel, requests) }
        guard let forwardingSilence else { return isReady }
        return isReady.flatMap { SilenceWatch.add(to: channel, limit: forwardingSilence) }
      }
      settings.http2StreamChannelDebugInitializer = { [requests, forwardingSilence] stream in
        stream.eventLoop.submit {
          let operations = stream.pipeline.syncOperations
          let codec = try operations.handler(type: HTTP2FramePayloadToHTTP1ClientCodec.self)
          // Each handler is placed next to the codec, so the last one reads a response first.
          if let forwardingSilence {
            try operations.addHandler(
              SilenceWatch(limit: forwardingSilence), position: .after(codec))
          }
          try operations.addHandler(AnswerGuard(), position: .after(codec))
          try operations.addHandler(StreamWire(requests), position: .after(codec))
        }
      }
      settings.http2ConnectionDebugInitializer = {
        Self.prepare($0, checking: key.host, addressGuard)
      }
      return settings
    }

    /// Prepares a new connection, before any request is sent.
    static func prepare(
      _ channel: any Channel, checking host: String?, _ addressGuard: AddressGuard? = nil
    ) -> EventLoopFuture<Void> {
      let isAllowed = addressGuard?.check(channel) ?? channel.eventLoop.makeSucceededVoidFuture()
      let isPrepared = isAllowed.flatMap {
        channel.pipeline.addHandler(SilentEnd(), position: .first)
      }
      guard let host else { return isPrepared }
      return isPrepared.flatMap { CertificateNames.check(channel, for: host) }
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
  }

  /// Keeps requests away from forbidden addresses.
  ///
  /// A name may have another address each time it is looked up, so the address of the connection counts. No
  /// request is sent before that is known. The connection is open by then, and a TLS handshake is over.
  struct AddressGuard: Sendable {
    struct Refusal: Error {}

    /// True for a forbidden address.
    let refuses: @Sendable (_ address: String) -> Bool

    /// Fails and closes the connection when it leads to a forbidden address.
    func check(_ channel: any Channel) -> EventLoopFuture<Void> {
      guard let address = channel.remoteAddress?.ipAddress, refuses(address) else {
        return channel.eventLoop.makeSucceededVoidFuture()
      }
      // The client forgets a connection that fails here; it does not close it.
      return channel.close().recover { _ in }.flatMapThrowing { throw Refusal() }
    }
  }

  /// Checks that the certificate of a connection is for the host of the address (RFC 9110 section 4.3.4).
  ///
  /// The TLS library has checked the issuer. But it also accepts a certificate that is only for the IP
  /// address of the other end. For an address with a name that is not the host's certificate, and behind a
  /// proxy it is the proxy's.
  enum CertificateNames {
    /// Fails and closes the connection when the certificate is for another host. No request is sent before.
    static func check(_ channel: any Channel, for host: String) -> EventLoopFuture<Void> {
      channel.nioSSL_peerCertificate().flatMapThrowing { certificate in
        guard let certificate, names(of: certificate).contains(where: { $0.isFor(host) }) else {
          throw NIOSSLExtraError.failedToValidateHostname
        }
      }.flatMapError { error in
        // The client forgets a connection that fails here; it does not close it.
        channel.close().recover { _ in }.flatMapThrowing { throw error }
      }
    }

    private enum Name {
      case address(IPAddress)
      case host(String)

      func isFor(_ host: String) -> Bool {
        let host = host.lowercased()
        if let address = IPAddress(host) {
          guard case .address(address) = self else { return false }
          return true
        }
        guard case .host(let name) = self else { return false }
        let wanted = host.hasSuffix(".") ? String(host.dropLast()) : host
        // A wildcard matches the whole first label (RFC 9525 section 6.3).
        guard name.hasPrefix("*.") else { return name == wanted }
        let parent = wanted.drop { $0 != "." }
        return !parent.isEmpty && parent == name.dropFirst()
      }
    }

    /// The names in the certificate. A certificate with only a subject has none here: the library has
    /// compared its subject with the host.
    private static func names(of certificate: NIOSSLCertificate) -> [Name] {
      certificate._subjectAlternativeNames().compactMap { name in
        let bytes = Array(name.contents)
        switch (name.nameType, bytes.count) {
        case (.dnsName, _): return .host(String(decoding: bytes, as: UTF8.self).lowercased())
        case (.ipAddress, 4):
          return IPAddress(bytes.map { "\($0)" }.joined(separator: ".")).map(Name.address)
        case (.ipAddress, 16):
          let groups = stride(from: 0, to: 16, by: 2).map { place in
            String(Int(bytes[place]) << 8 | Int(bytes[place + 1]), radix: 16)
          }
          return IPAddress(groups.joined(separator: ":")).map(Name.address)
        default: return nil
        }
      }
    }
  }

  /// Ends an HTTP/2 stream whose origin sends a response that no recipient can follow. The client library
  /// takes the order of heads, content and ends for granted, and ends the process if an origin breaks it.
  /// Over HTTP/1 ``ResponseDecoder`` does the same.
  final class AnswerGuard: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    private var isInAnswer = false
    private var hasRefused = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard !hasRefused else { return }
      switch unwrapInboundIn(data) {
      case .head(var head):
        guard !isInAnswer else { return refuse(.order, context) }
        // No request asks for another protocol, so 101 is no valid response (RFC 9110 section 15.2.2).
        guard (100...999).contains(head.status.code), head.status.code != 101 else {
          return refuse(.status, context)
        }
        isInAnswer = head.status.code >= 200
        // The library's text is converted, so that its bytes read as those of HTTP/1. A byte that the library
        // has lost stays U+FFFD.
        if head.headers.contains(where: { FieldText.isOpaque($0.value) }) {
          head.headers = HTTPHeaders(
            head.headers.map { ($0.name, FieldText.text(ofLibrary: $0.value)) })
        }
        context.fireChannelRead(wrapInboundOut(.head(head)))
      case .body:
        guard isInAnswer else { return refuse(.order, context) }
        context.fireChannelRead(data)
      case .end:
        guard isInAnswer else { return refuse(.order, context) }
        isInAnswer = false
        context.fireChannelRead(data)
      }
    }

    private func refuse(_ error: AnswerFault, _ context: ChannelHandlerContext) {
      hasRefused = true
      context.fireErrorCaught(error)
      context.close(promise: nil)
    }
  }

  /// Ends a connection silently while its other end is provably out of reach.
  ///
  /// The kernel would send its last packets again and again without an answer. Each attempt searches for the
  /// neighbour, once a second. While that search lasts, packets that are sent after the network is back wait
  /// for its next turn, also those of a new connection.
  final class SilentEnd: ChannelOutboundHandler, Sendable {
    typealias OutboundIn = NIOAny

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
      if case .all = mode, let peer = context.remoteAddress, Self.isOutOfReach(peer) {
        Self.silence(context.channel)
      }
      context.close(mode: mode, promise: promise)
    }

    /// The cost is some microseconds.
    private static func isOutOfReach(_ peer: SocketAddress) -> Bool {
      // A Unix socket has no address, and is always in reach.
      guard let address = peer.ipAddress.flatMap({ IPAddress($0) }) else { return false }
      return RouteMonitor.look(at: [address]).isProvablyOffline
    }

    /// A system that allows less sends its last packets as usual.
    private static func silence(_ channel: any Channel) {
      #if os(Linux)
        // The loopback device leads to no other machine, so the last packets stay here. The name is `lo`,
        // with a NUL.
        let loopback = SocketOptionValue(littleEndian: 0x6F6C)
        let device = NIOBSDSocket.Option(rawValue: SO_BINDTODEVICE)
        _ = channel.setOption(.socketOption(device), value: loopback)
      #endif
      // Unsent bytes are dropped, and nothing is sent again.
      if let options = channel as? any SocketOptionProvider {
        _ = options.setSoLinger(linger(l_onoff: 1, l_linger: 0))
      }
    }
  }
#endif
