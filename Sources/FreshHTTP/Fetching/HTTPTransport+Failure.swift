#if HTTP
  internal import AsyncHTTPClient
  internal import NIOCore
  internal import NIOPosix
  internal import Platform
  internal import Reachability

  extension HTTPTransport {
    /// The error for a failure of the client. Only texts without header values go into the message.
    static func failure(
      _ error: any Error, at address: HTTPAddress, _ configuration: HTTPConfiguration,
      via proxy: String? = nil
    ) -> HTTPFetchError {
      let url = address.redacted
      if let shortage = shortage(error) { return .shortage(url, description: words(of: shortage)) }
      if case HostLookupError.noThread = error {
        return .shortage(url, description: words(of: error))
      }
      if let proxy, let failure = self.failure(error, of: proxy, at: url, configuration) {
        return failure
      }
      if let failure = HTTPFetchError(tls: error, at: address) { return failure }
      switch error {
      case is CancellationError:
        return .cancelled(url)
      case let error as HTTPClientError where error == .cancelled:
        return .cancelled(url)
      case let error as HTTPClientError where handshakeTimeouts.contains(error):
        return .timedOut(url, after: configuration.connectTimeout)
      case ChannelError.connectTimeout, HostLookupError.noAnswer:
        return .timedOut(url, after: configuration.connectTimeout)
      case let error as HTTPClientError where error == .remoteConnectionClosed:
        return .brokenOff(url)
      case AnswerFault.message(.incomplete):
        return .brokenOff(url)
      case let fault as AnswerFault:
        return .malformedAnswer(url, description: fault.words)
      case let error as HTTPClientError:
        return .transport(url, description: error.shortDescription)
      case let error as NIOConnectionError:
        return lost(url, connectionFailure(error), error.connectionErrors.map(\.error))
      default:
        let words = words(of: error)
        let socket = configuration.socketPath.map { "the socket \($0.debugDescription): " }
        return lost(url, (socket ?? "") + words, [error])
      }
    }

    /// The error for a failure before the proxy has connected to the origin; `nil` for a later one.
    private static func failure(
      _ error: any Error, of proxy: String, at url: String, _ configuration: HTTPConfiguration
    ) -> HTTPFetchError? {
      switch error {
      case let error as HTTPClientError where proxyTimeouts.contains(error):
        return silent(proxy, url, configuration)
      case ChannelError.connectTimeout, HostLookupError.noAnswer:
        return silent(proxy, url, configuration)
      case is HostLookupError:
        return .proxy(url, proxy: proxy, description: words(of: error))
      case let error as HTTPClientError where error == .proxyAuthenticationRequired:
        return .proxy(url, proxy: proxy, description: "it asks for credentials")
      case let error as HTTPClientError where error == .invalidProxyResponse:
        return .proxy(url, proxy: proxy, description: "it refuses to lead there")
      case let error as NIOConnectionError:
        let words = connectionFailure(error)
        let errors = error.connectionErrors.map(\.error)
        return !errors.isEmpty && errors.allSatisfy(isSilence)
          ? .unreachable(url, description: "the proxy \(proxy) is out of reach: \(words)")
          : .proxy(url, proxy: proxy, description: words)
      default: return nil
      }
    }

    private static func silent(
      _ proxy: String, _ url: String, _ configuration: HTTPConfiguration
    ) -> HTTPFetchError {
      .unreachable(
        url,
        description: "the proxy \(proxy) did not answer within \(configuration.connectTimeout)")
    }

    private static let proxyTimeouts: [HTTPClientError] = [
      .connectTimeout, .httpProxyHandshakeTimeout, .socksHandshakeTimeout,
    ]

    /// The error after one or more attempts to connect. One refusal among them is an answer.
    private static func lost(
      _ url: String, _ description: String, _ errors: [any Error]
    ) -> HTTPFetchError {
      !errors.isEmpty && errors.allSatisfy(isSilence)
        ? .unreachable(url, description: description) : .transport(url, description: description)
    }

    /// True when nothing answered, or the system had no route.
    private static func isSilence(_ error: any Error) -> Bool {
      if case ChannelError.connectTimeout = error { return true }
      return switch (error as? IOError)?.errnoCode {
      case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL, ETIMEDOUT: true
      default: false
      }
    }

    /// The shortage on this machine that the error reports; `nil` for any other error.
    static func shortage(_ error: any Error) -> IOError? {
      guard let error = error as? NIOConnectionError else {
        return (error as? IOError).flatMap { shortages.contains($0.errnoCode) ? $0 : nil }
      }
      return error.connectionErrors.lazy.compactMap { failure in
        guard let error = failure.error as? IOError else { return nil }
        return isShortage(error.errnoCode, isIPv4: failure.target.protocol == .inet) ? error : nil
      }.first
    }

    /// True when a connection failed because of a search for the neighbour that an earlier request had begun.
    /// A search of our own takes three seconds. Nothing of the request was sent.
    static func hasInheritedFailure(
      _ error: any Error, since start: ContinuousClock.Instant, now: ContinuousClock.Instant = .now
    ) -> Bool {
      let errors = (error as? NIOConnectionError)?.connectionErrors.map(\.error) ?? [error]
      return now - start < .seconds(2) && !errors.isEmpty
        && errors.allSatisfy { ($0 as? IOError)?.errnoCode == EHOSTUNREACH }
    }

    private static let shortages: Set<CInt> = [EMFILE, ENFILE, ENOMEM, ENOBUFS]

    /// True for the code of a shortage. Over IPv4 `EADDRNOTAVAIL` means that every local port is in use. Over
    /// IPv6 it may mean that there is no source address.
    static func isShortage(_ code: CInt, isIPv4: Bool) -> Bool {
      shortages.contains(code) || (isIPv4 && code == EADDRNOTAVAIL)
    }

    private static let handshakeTimeouts: [HTTPClientError] = [
      .connectTimeout, .getConnectionFromPoolTimeout, .httpProxyHandshakeTimeout,
      .socksHandshakeTimeout, .tlsHandshakeTimeout,
    ]

    /// True for a failure to connect: nothing of the request was sent.
    static func isOfConnecting(_ error: any Error) -> Bool {
      switch error {
      case is NIOConnectionError, is HostLookupError, ChannelError.connectTimeout: true
      case let error as HTTPClientError: handshakeTimeouts.contains(error)
      case let error as IOError: error.errnoCode == ECONNREFUSED || isSilence(error)
      default: false
      }
    }

    /// The system's words for a system error; SwiftNIO's own are for developers.
    static func words(of error: any Error) -> String {
      if let error = error as? IOError {
        return unsafe String(cString: strerror(error.errnoCode)).lowercased()
      }
      if let error = error as? HostLookupError { return error.words }
      return DisplayText.clean(String(describing: error), limit: 200)
    }

    /// The words for a name that could not be resolved, or for the last address that refused.
    private static func connectionFailure(_ error: NIOConnectionError) -> String {
      if let failure = error.connectionErrors.last {
        return words(of: failure.error)
      }
      let failure = error.dnsAError ?? error.dnsAAAAError
      return "the name \(error.host) could not be resolved"
        + (failure.map { " (\(words(of: $0)))" } ?? "")
    }
  }

  extension HostLookupError {
    fileprivate var words: String {
      switch self {
      case .notFound(let host, let reason):
        "the name \(host) could not be resolved (\(reason.lowercased()))"
      default: description
      }
    }
  }
#endif
