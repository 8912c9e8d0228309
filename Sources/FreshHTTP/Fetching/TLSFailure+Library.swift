#if HTTP
  internal import NIOSSL

  extension HTTPFetchError {
    /// The error for one of the TLS library; `nil` for any other.
    init?(tls error: any Error, at address: HTTPAddress) {
      let (url, host) = (address.redacted, address.bareHost)
      switch error {
      case NIOSSLError.uncleanShutdown:
        self = .transport(
          url, description: "the connection was closed before the answer was complete")
      case NIOSSLError.handshakeFailed(let cause) where cause.isEnd:
        self = .transport(url, description: "the connection was closed during the TLS handshake")
      case let error as NIOSSLExtraError where Self.nameErrors.contains(error):
        self = .tls(url, .otherName(host: host))
      // The host can refuse a certificate after the handshake (RFC 8446 section 4.4.2.4).
      case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError:
        self = .tls(url, TLSFailure(String(describing: error), host: host))
      default: return nil
      }
    }

    private static let nameErrors: [NIOSSLExtraError] = [
      .failedToValidateHostname, .serverHostnameImpossibleToMatch,
    ]
  }

  extension BoringSSLError {
    /// True when the connection ended before anything was said.
    fileprivate var isEnd: Bool {
      switch self {
      case .zeroReturn, .syscallError: true
      case .sslError(let errors): errors == [.eofDuringHandshake]
      default: false
      }
    }
  }
#endif
