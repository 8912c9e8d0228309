internal import Platform
internal import Strategies

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
