#if HTTP
  internal import AsyncHTTPClient
  internal import NIOCore
  internal import NIOHTTPCompression
  internal import NIOSSL

  extension HTTPTransport {
    /// The settings of the client of a route; with a host, of which the certificate is checked.
    static func settings(
      _ configuration: HTTPConfiguration, _ tls: TLSConfiguration, _ route: ProxyRoute,
      checking host: String?
    ) -> HTTPClient.Configuration {
      var pool = HTTPClient.Configuration.ConnectionPool()
      // With retries, a refused connection would be reported at the request's deadline only.
      pool.retryConnectionEstablishment = false
      pool.idleTimeout = .init(idleTime)
      pool.concurrentHTTP1ConnectionsPerHostSoftLimit = configuration.maximumConnectionsPerHost
      var settings = HTTPClient.Configuration(
        redirectConfiguration: .disallow,
        timeout: .init(connect: .init(configuration.connectTimeout)), connectionPool: pool,
        proxy: proxy(route),
        decompression: .enabled(limit: .size(configuration.maximumBodyBytes)))
      settings.tlsConfiguration = tls
      settings.http1_1ConnectionDebugInitializer = { channel in
        Self.prepare(channel, checking: host).flatMap { AnswerGuard.add(to: channel) }
      }
      settings.http2StreamChannelDebugInitializer = { AnswerGuard.add(toStream: $0) }
      settings.http2ConnectionDebugInitializer = { Self.prepare($0, checking: host) }
      return settings
    }

    /// Prepares a new connection; nothing is sent before.
    static func prepare(
      _ channel: any Channel, checking host: String?
    ) -> EventLoopFuture<Void> {
      let isPrepared = channel.pipeline.addHandler(SilentEnd(), position: .first)
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
#endif
