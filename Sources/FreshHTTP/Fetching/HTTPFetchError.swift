public import FreshStore
internal import Platform
internal import Strategies

/// The error of a fetch without a result.
///
/// Addresses in it have no user information, query or fragment. No header value and no credential is ever
/// part of it.
public enum HTTPFetchError: Error, Sendable, Hashable {
  // Before anything is sent.

  /// The text is no http or https address; the reason names the remedy.
  case badURL(String, reason: String)
  /// The address has another scheme than http or https.
  case unsupportedScheme(String)
  /// A header, a limit, a proxy or a file in the configuration cannot be used.
  case badConfiguration(String)

  /// Nobody is signed in (``SignedOut``). Nothing was sent, or the origin refused credentials that cannot be
  /// renewed.
  case signedOut(String)
  /// A closure of the ``Credentials`` failed, or took too long; with the type of its error.
  case credentials(String, description: String)

  // While the request is in flight.

  /// The answer did not come in time.
  case timedOut(String, after: Duration)
  /// There is no network, or nothing answers on it.
  case unreachable(String, description: String)
  /// This process or machine lacks a resource for a connection, such as a free file descriptor.
  case shortage(String, description: String)
  /// The connection was refused or broke.
  case transport(String, description: String)
  /// No secure connection was made: one side does not trust or does not understand the other.
  case tls(String, TLSFailure)
  /// The proxy could not be reached, or refused to connect to the origin. The second text names the proxy.
  case proxy(String, proxy: String, description: String)
  /// The body arrived, but cannot be decompressed.
  case damagedBody(String)
  /// The task was cancelled.
  case cancelled(String)
  /// The body is larger than the configured limit, in bytes, before or after decompression.
  case tooLarge(String, limit: Int)

  // After the origin has answered.

  /// The response is no valid HTTP; with a description of the fault if one is known.
  case malformedAnswer(String, description: String? = nil)
  /// A redirect led to another origin, which failed: neither the requested origin nor the path to it is to
  /// blame. With the address of the first request.
  indirect case redirected(from: String, HTTPFetchError)
  /// A status without a value; with the beginning of its body, made printable, and the pause that the origin
  /// asked for (`Retry-After`).
  case status(Int, url: String, bodyPrefix: String, retryAfter: Duration?)
  /// More redirects than allowed.
  case tooManyRedirects(String, limit: Int)
  /// A redirect to an address that this fetch has requested before.
  case redirectLoop(String)
  /// A redirect that must not be followed.
  case badRedirect(String, reason: String)
  /// A content coding that was not requested and cannot be decoded.
  case unsupportedEncoding(String, coding: String)
  /// A 304 in response to a request that was not conditional.
  case unexpectedNotModified(String)
  /// The origin has promised a write (202, 303) and not carried it out yet. A patch or a deletion of its
  /// result waits for that.
  case promised(String)
}

extension HTTPFetchError {
  /// This failure of a fetch that began at one address and has come to another. A failure of an origin is
  /// that of the origin requested last.
  func seen(from first: HTTPAddress, at last: HTTPAddress) -> HTTPFetchError {
    guard last.origin != first.origin, blamesOrigin || isUnreachable else { return self }
    guard case .timedOut(_, let limit) = self else {
      return .redirected(from: first.redacted, self)
    }
    return .redirected(from: first.redacted, .timedOut(last.redacted, after: limit))
  }
}

extension HTTPFetchError: FetchErrorTraits {
  /// True when the origin could not be reached, broke off, or is behind a gateway that says so (502 to 504).
  /// Every other status is a response about the one address only. The origin is not to blame for a proxy, or
  /// for a certificate that this client does not trust.
  public var blamesOrigin: Bool {
    switch self {
    case .timedOut, .unreachable, .transport, .malformedAnswer: true
    case .status(let status, _, _, _): (502...504).contains(status)
    default: false
    }
  }

  /// True for silence and for a missing network: both make the path to the origin suspect.
  public var isUnreachable: Bool {
    switch self {
    case .timedOut, .unreachable: true
    default: false
    }
  }

  /// False for a failure before anything came back.
  public var wasAnswered: Bool {
    switch self {
    case .badURL, .unsupportedScheme, .badConfiguration, .signedOut, .credentials, .shortage,
      .cancelled:
      false
    default: true
    }
  }

  /// True when nobody is signed in.
  public var needsSignIn: Bool {
    if case .signedOut = self { true } else { false }
  }

  /// The pause that `Retry-After` asked for.
  public var retryAfter: Duration? {
    switch self {
    case .status(_, _, _, let delay): delay
    case .redirected(_, let failure): failure.retryAfter
    default: nil
    }
  }
}

extension HTTPFetchError: CustomStringConvertible {
  /// One line: the problem, and the remedy.
  public var description: String {
    switch self {
    case .badURL(let url, let reason):
      "'\(url)' cannot be fetched: \(reason)"
    case .unsupportedScheme(let scheme):
      "the scheme '\(scheme)' cannot be fetched; use http or https"
    case .badConfiguration(let reason):
      reason
    case .signedOut(let url):
      "nobody is signed in to \(url); sign in, and release its origin"
    case .credentials(let url, let description):
      "\(url) was not asked: the credentials for it could not be had (\(description))"
    case .timedOut(let url, let limit):
      "\(url) did not answer within \(limit.brief); try again later or allow more time"
    case .transport(let url, let description), .unreachable(let url, let description):
      "\(url) could not be reached: \(description); check the network and the origin"
    case .shortage(let url, let description):
      "\(url) was not asked: \(description); raise the limit of this process, or run less at once"
    case .tls(let url, let failure):
      "\(url) could not be reached: \(failure)"
    case .proxy(let url, let proxy, let description):
      "\(url) could not be reached through the proxy \(proxy): \(description); check the proxy variables, "
        + "or name the host in no_proxy"
    case .damagedBody(let url):
      "the compressed body of \(url) is damaged; the origin or a proxy is at fault"
    case .cancelled(let url):
      "the fetch of \(url) was cancelled; fetch again if the value is still wanted"
    case .tooLarge(let url, let limit):
      "the body of \(url) exceeds the limit of \(ByteCount.words(limit)); raise the limit to accept it"
    default:
      answered
    }
  }

  private var answered: String {
    switch self {
    case .status(let status, let url, let bodyPrefix, let retryAfter):
      "\(url) answered \(status)" + (bodyPrefix.isEmpty ? "" : " (\(bodyPrefix))")
        + "; \(Self.advice(status, retryAfter))"
    case .malformedAnswer(let url, let description):
      "the answer of \(url) is no valid HTTP" + (description.map { " (\($0))" } ?? "")
        + "; check the address, its scheme and its port"
    case .redirected(let url, let failure):
      "\(url) redirects to another origin: \(failure)"
    case .tooManyRedirects(let url, let limit):
      "\(url) redirects more than \(limit) times; fetch its final address or allow more"
    case .redirectLoop(let url):
      "\(url) redirects in a circle; fetch its final address"
    case .badRedirect(let url, let reason):
      "the redirect of \(url) was not followed: \(reason)"
    case .unsupportedEncoding(let url, let coding):
      "\(url) answered in the content coding '\(coding)', which was not asked for; the origin must "
        + "honour Accept-Encoding"
    case .unexpectedNotModified(let url):
      "\(url) answered 304 to a request without conditions; the origin or a proxy is at fault"
    case .promised(let url):
      "\(url) has accepted the write before this one, and does not hold it yet; try again later"
    default:
      ""
    }
  }

  private static func advice(_ status: Int, _ retryAfter: Duration?) -> String {
    if let retryAfter { return "try again after \(retryAfter)" }
    return switch status {
    case 401, 403: "check the credentials"
    case 407: "check the credentials in the proxy variables"
    case 300..<500 where status != 408 && status != 429: "correct the address or the request"
    default: "try again later"
    }
  }
}
