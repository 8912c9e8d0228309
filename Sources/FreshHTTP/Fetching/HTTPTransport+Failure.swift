#if HTTP
  internal import AsyncHTTPClient
  internal import NIOCore
  internal import NIOHTTPCompression
  internal import NIOPosix

  #if canImport(Glibc)
    internal import Glibc
  #elseif canImport(Musl)
    internal import Musl
  #else
    internal import Darwin
  #endif

  extension HTTPTransport {
    /// What an error of the client means to the caller. Only texts known to carry no header value
    /// go into the message.
    static func failure(
      _ error: any Error, at address: HTTPAddress, _ configuration: HTTPConfiguration
    ) -> HTTPFetchError {
      let url = address.redacted
      switch error {
      case is CancellationError:
        return .cancelled(url)
      case let error as HTTPClientError where error == .cancelled:
        return .cancelled(url)
      case let error as HTTPClientError where handshakeTimeouts.contains(error):
        return .timedOut(url, after: configuration.connectTimeout)
      case ChannelError.connectTimeout:
        return .timedOut(url, after: configuration.connectTimeout)
      case NIOHTTPDecompression.DecompressionError.limit:
        return .tooLarge(url, limit: configuration.maximumBodyBytes)
      case is NIOHTTPDecompression.DecompressionError,
        is NIOHTTPDecompression.ExtraDecompressionError:
        return .transport(url, description: "its compressed body is damaged")
      case let error as HTTPClientError:
        return .transport(url, description: error.shortDescription)
      case let error as NIOConnectionError:
        return lost(url, connectionFailure(error), error.connectionErrors.map(\.error))
      default:
        return lost(url, words(of: error), [error])
      }
    }

    /// The failure of one or more attempts to connect: one refusal among them is an answer.
    private static func lost(
      _ url: String, _ description: String, _ errors: [any Error]
    ) -> HTTPFetchError {
      !errors.isEmpty && errors.allSatisfy(isSilence)
        ? .unreachable(url, description: description) : .transport(url, description: description)
    }

    /// True when nobody answered, or the system had no way to ask.
    private static func isSilence(_ error: any Error) -> Bool {
      if case ChannelError.connectTimeout = error { return true }
      return switch (error as? IOError)?.errnoCode {
      case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL, ETIMEDOUT: true
      default: false
      }
    }

    private static let handshakeTimeouts: [HTTPClientError] = [
      .connectTimeout, .getConnectionFromPoolTimeout, .httpProxyHandshakeTimeout,
      .socksHandshakeTimeout, .tlsHandshakeTimeout,
    ]

    /// The system's words for an error of the system; SwiftNIO's own are for developers.
    static func words(of error: any Error) -> String {
      if let error = error as? IOError {
        return unsafe String(cString: strerror(error.errnoCode)).lowercased()
      }
      let text = String(describing: error)
      // The TLS library's errors are known here by their text alone.
      if text.contains("CERTIFICATE_VERIFY_FAILED") { return "its certificate cannot be trusted" }
      if text.hasPrefix("handshakeFailed") { return "the TLS handshake failed" }
      return DisplayText.clean(text, limit: 200)
    }

    /// The name could not be resolved, or the last of its addresses refused.
    private static func connectionFailure(_ error: NIOConnectionError) -> String {
      if let failure = error.connectionErrors.last {
        return words(of: failure.error)
      }
      let failure = error.dnsAError ?? error.dnsAAAAError
      return "the name \(error.host) could not be resolved"
        + (failure.map { " (\(words(of: $0)))" } ?? "")
    }
  }
#endif
