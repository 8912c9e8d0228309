#if HTTP
  internal import AsyncHTTPClient
  internal import NIOCore
  internal import NIOSSL

  extension HTTPTransport {
    /// The settings of a client.
    func settings(
      _ tls: TLSConfiguration, _ key: HTTPClients.Key
    ) -> HTTPClient.Configuration {
      var pool = HTTPClient.Configuration.ConnectionPool()
      // With retries, a refused connection would be reported at the request's deadline only.
      pool.retryConnectionEstablishment = false
      pool.idleTimeout = .init(Self.idleTime)
      pool.concurrentHTTP1ConnectionsPerHostSoftLimit = configuration.maximumConnectionsPerHost
      var settings = HTTPClient.Configuration(
        redirectConfiguration: .disallow,
        timeout: .init(connect: .init(configuration.connectTimeout)), connectionPool: pool,
        proxy: Self.proxy(key.route), decompression: .disabled)
      settings.tlsConfiguration = tls
      if key.isPlain { settings.httpVersion = .http1Only }
      // The client's own limits are for none: they run on while there is nothing to read or to write.
      // The address of a proxy is the operator's choice.
      let addressGuard = key.route == .direct ? addressGuard : nil
      settings.http1_1ConnectionDebugInitializer = { [requests, forwardingSilence] channel in
        let isReady = Self.prepare(channel, checking: key.host, addressGuard)
          .flatMap { OriginWire.add(to: channel, requests) }
        guard let forwardingSilence else { return isReady }
        return isReady.flatMap { SilenceWatch.add(to: channel, limit: forwardingSilence) }
      }
      settings.http2StreamChannelDebugInitializer = { [requests, forwardingSilence] stream in
        // What is added later comes to stand before the others.
        let isReady =
          forwardingSilence.map { SilenceWatch.add(toStream: stream, limit: $0) }
          ?? stream.eventLoop.makeSucceededVoidFuture()
        return isReady.flatMap { AnswerGuard.add(toStream: stream) }
          .flatMap { StreamWire.add(toStream: stream, requests) }
      }
      settings.http2ConnectionDebugInitializer = {
        Self.prepare($0, checking: key.host, addressGuard)
      }
      return settings
    }

    /// Prepares a new connection; no request is sent before.
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
#endif
