/// The reason why no secure connection to the host of an origin was made (RFC 8446).
public enum TLSFailure: Sendable, Hashable {
  /// No trusted issuer has issued the certificate of the host, or it is not in force.
  case untrusted(host: String)
  /// The certificate of the host is for other names.
  case otherName(host: String)
  /// The host requires a certificate of the client, or refused the one that it got.
  case clientCertificate(host: String)
  /// The host answered in something other than TLS.
  case notTLS(host: String)
  /// Any other reason, such as no common version of TLS.
  case other(host: String, description: String)

  /// Reads the text of the TLS library, which names the reason by a symbol.
  init(_ text: String, host: String) {
    func hasSymbol(_ symbols: [String]) -> Bool { symbols.contains { text.contains($0) } }
    self =
      if hasSymbol(["CERTIFICATE_VERIFY_FAILED"]) {
        .untrusted(host: host)
      } else if hasSymbol(Self.clientSymbols) {
        .clientCertificate(host: host)
      } else if hasSymbol(["WRONG_VERSION_NUMBER"]) {
        .notTLS(host: host)
      } else {
        .other(host: host, description: Self.words(text))
      }
  }

  /// The alerts of a host about a certificate. They can only be about the client's (section 6.2).
  private static let clientSymbols = [
    "ALERT_CERTIFICATE", "ALERT_BAD_CERTIFICATE", "ALERT_UNSUPPORTED_CERTIFICATE",
    "ALERT_UNKNOWN_CA", "ALERT_ACCESS_DENIED",
  ]

  /// The symbol in the text as words, which can be searched for; the text itself if it has no symbol.
  private static func words(_ text: String) -> String {
    guard let mark = text.firstRange(of: "OPENSSL_internal:") else {
      return DisplayText.clean(text, limit: 100)
    }
    let symbol = text[mark.upperBound...].prefix { $0 == "_" || $0.isLetter || $0.isNumber }
    return symbol.lowercased().replacing("_", with: " ")
  }
}

extension TLSFailure: CustomStringConvertible {
  /// The problem, and the remedy.
  public var description: String {
    switch self {
    case .untrusted(let host):
      "the certificate of \(host) is not trusted: nobody trusted here has issued it, or it is not in "
        + "force; trust its issuer if that is your own"
    case .otherName(let host):
      "the certificate of \(host) is for another name; check the address"
    case .clientCertificate(let host):
      "\(host) asks for a client certificate, or refused the one it got; configure one that it accepts"
    case .notTLS(let host):
      "\(host) does not answer in TLS; check the scheme and the port of the address"
    case .other(let host, let description):
      "the TLS handshake with \(host) failed (\(description)); check the address and the origin"
    }
  }
}

#if HTTP
  internal import NIOSSL

  extension HTTPFetchError {
    /// The error for a failure of the TLS library; `nil` for any other.
    init?(tls error: any Error, at address: HTTPAddress) {
      let (url, host) = (address.redacted, address.bareHost)
      switch error {
      case NIOSSLError.uncleanShutdown:
        self = .brokenOff(url)
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

    /// The connection ended within the response.
    static func brokenOff(_ url: String) -> HTTPFetchError {
      .transport(url, description: "the connection was closed before the answer was complete")
    }

    private static let nameErrors: [NIOSSLExtraError] = [
      .failedToValidateHostname, .serverHostnameImpossibleToMatch,
    ]
  }

  extension BoringSSLError {
    /// True when the connection ended before the other side sent anything.
    fileprivate var isEnd: Bool {
      switch self {
      case .zeroReturn, .syscallError: true
      case .sslError(let errors): errors == [.eofDuringHandshake]
      default: false
      }
    }
  }
#endif
