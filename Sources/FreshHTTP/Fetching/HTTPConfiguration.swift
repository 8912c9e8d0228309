public import FreshStore
internal import Platform
public import Strategies

/// The settings of an ``HTTPSource``: a value, copied when the source is made.
///
/// Timeouts are longer than zero and at most `Duration.unlimited`. A source with a number outside its range
/// is refused with `badConfiguration`.
public struct HTTPConfiguration: Sendable {
  /// The header fields of every request. Fields that the fetcher sets itself are not allowed: `Host`,
  /// `Accept-Encoding`, the framing and connection fields, ranges and conditions.
  ///
  /// A redirect to another origin keeps only `User-Agent`, `Accept` and `Accept-Language`.
  public var headers: HeaderFields
  /// The account of the requests, and the fields that it adds to each; `nil` for none.
  ///
  /// A copy that was fetched for an account answers requests of that account, also after its credentials have
  /// changed, unless its source declares it public. Rules that ask a server get none of the credentials, and
  /// neither do proxies.
  public var credentials: Credentials?
  /// The `User-Agent`, unless ``headers`` has one.
  public var userAgent: String
  /// The longest time to resolve the name of the host, and then to connect.
  public var connectTimeout: Duration
  /// The longest time for a whole fetch, redirects and body included.
  public var timeout: Duration
  /// The lowest rate of an upload, in bytes a second. A push may take longer than ``timeout`` by the whole
  /// seconds that its body takes at that rate; `nil` for no such allowance.
  public var slowestUpload: Int?
  /// The most connections to one host at a time. A further request waits for one, within its time. It limits
  /// the resources of this machine: the callers limit the load on a source.
  public var maximumConnectionsPerHost: Int
  /// The largest body accepted, in bytes, after decompression.
  public var maximumBodyBytes: Int
  /// The most redirects that are followed.
  public var maximumRedirects: Int
  /// The lifetime to assume when a response states none.
  public var heuristic: HeuristicFreshness
  /// The proxies to go through.
  public var proxies: ProxySettings
  /// The issuers whose certificates make https origins trusted.
  public var trust: TrustRoots
  /// True when the issuers to trust are unknown: no certificate is trusted, and requests that need none work.
  package var lacksIssuers = false
  /// The certificate to show an https origin that asks for one; `nil` shows none.
  public var clientCertificate: ClientCertificate?
  /// The path of a Unix socket, of 1 to 103 bytes, that every request goes over in place of the
  /// network; `nil` for the network.
  ///
  /// An address still states the scheme, the `Host` field and the path, and for https the name in the certificate.
  /// Proxies do not apply. No name is looked up and no route is needed, so leave reachability out of the policies
  /// of such a source. A redirect is followed only within its origin. Each request has a connection of its own.
  public var socketPath: String?
  /// The number of times that a failed fetch is repeated within ``timeout``, if the reason may pass: no
  /// connection was made, or it broke, or the status is 408, 429, 500, 502, 503 or 504.
  ///
  /// Before each further attempt it waits as long as `Retry-After` says. Without that field it waits about 1
  /// s, 2 s, 4 s and so on, at random by up to a half less. If less time is left, the failure stands. A write
  /// is never repeated here: the outbox does that.
  public var retries: Int
  /// The lifetime of a temporary redirect (302, 303, 307) that states none; zero by default, as in RFC 9110
  /// section 15.4. Its target is then requested again at every get.
  public var temporaryRedirectExpiry: Expiry
  /// True when the responses do not depend on ``headers``: a copy answers every request, whichever
  /// credentials it was fetched with. By default it answers only requests with the same credentials, unless
  /// its source declares it public (RFC 9111 section 3.5).
  public var sharesCopies: Bool
  /// The clock for all times.
  public var clock: any StoreClock

  /// The default `User-Agent`.
  public static let defaultUserAgent = "freshstore/\(ProductVersion.current)"

  /// Creates a configuration.
  public init(
    headers: HeaderFields = HeaderFields(), credentials: Credentials? = nil,
    userAgent: String = HTTPConfiguration.defaultUserAgent,
    connectTimeout: Duration = .seconds(10), timeout: Duration = .seconds(30),
    slowestUpload: Int? = 16_384, maximumConnectionsPerHost: Int = 256,
    maximumBodyBytes: Int = 64 * 1024 * 1024,
    maximumRedirects: Int = 5,
    heuristic: HeuristicFreshness = .standard, proxies: ProxySettings = .none,
    trust: TrustRoots = .system, clientCertificate: ClientCertificate? = nil,
    socketPath: String? = nil, retries: Int = 0,
    temporaryRedirectExpiry: Expiry = .immediately, sharesCopies: Bool = false,
    clock: any StoreClock = .system
  ) {
    self.headers = headers
    self.credentials = credentials
    self.userAgent = userAgent
    self.connectTimeout = connectTimeout
    self.timeout = timeout
    self.slowestUpload = slowestUpload
    self.maximumConnectionsPerHost = maximumConnectionsPerHost
    self.maximumBodyBytes = maximumBodyBytes
    self.maximumRedirects = maximumRedirects
    self.heuristic = heuristic
    self.proxies = proxies
    self.trust = trust
    self.clientCertificate = clientCertificate
    self.socketPath = socketPath
    self.retries = retries
    self.temporaryRedirectExpiry = temporaryRedirectExpiry
    self.sharesCopies = sharesCopies
    self.clock = clock
  }

  /// The check of its numbers.
  private var numbers: NumberCheck {
    var numbers = NumberCheck()
    numbers.require("connectTimeout", connectTimeout, from: .nanoseconds(1))
    numbers.require("timeout", timeout, from: .nanoseconds(1))
    numbers.require("slowestUpload", slowestUpload, from: 1)
    numbers.require("maximumConnectionsPerHost", maximumConnectionsPerHost, from: 1)
    numbers.require("maximumBodyBytes", maximumBodyBytes, from: 1)
    numbers.require("maximumRedirects", maximumRedirects, from: 0)
    numbers.require("retries", retries, from: 0)
    numbers.require("heuristic.limit", heuristic.limit)
    return numbers
  }

  /// The longest time for a request with a body of so many bytes.
  func timeout(sending size: Int) -> Duration {
    guard let slowestUpload else { return timeout }
    return timeout + .seconds(size / slowestUpload)
  }

  /// The origin that fails as a whole when requests to `origin` fail: behind a socket it is the socket.
  package func failing(with origin: Origin) -> Origin {
    socketPath.map { Origin("unix:" + PathName.absolute($0)) } ?? origin
  }

  /// True when a copy that was stored with that ``FetchDetails/variant`` answers requests of this
  /// configuration. It has the same variant (RFC 9111 section 4.1), and the same credentials unless it is
  /// public. Any other copy counts as missing. Pure.
  package func selects(variant: String?) -> Bool {
    CopySelection(encoded: variant).matches(self)
  }

  /// Throws `badConfiguration` for a header that cannot be sent or a limit that allows nothing. Files are
  /// read when a source is made. A refused header is named if it has a name; its value is not repeated.
  package func validate() throws(HTTPFetchError) {
    try Self.check(headers.lines + [HeaderFields.Line(name: "User-Agent", value: userAgent)])
    if let problem = numbers.problem { throw .badConfiguration(problem) }
    if let socketPath {
      // The size of sockaddr_un on the smallest of systems, without its last NUL (unix(7)).
      guard (1...103).contains(socketPath.utf8.count), !socketPath.utf8.contains(0) else {
        throw .badConfiguration(
          "the path of a Unix socket is 1 to 103 bytes without NUL; name a shorter one, such as a link"
        )
      }
    }
  }

  /// Throws `badConfiguration` for a field that cannot be sent.
  ///
  /// - Parameter allowed: Fields, in lower case, that are allowed although the fetcher sets them itself.
  static func check(
    _ lines: [HeaderFields.Line], allowing allowed: Set<String> = []
  ) throws(HTTPFetchError) {
    for line in lines {
      guard FieldSyntax.isToken(line.name) else {
        // A header without a colon may be the value.
        throw .badConfiguration(
          "a header has a name that cannot be sent; write 'Name: value', the name of letters, digits and "
            + "hyphens")
      }
      guard FieldSyntax.isFieldValue(line.value) else {
        throw .badConfiguration(
          "the value of the header \(line.name) holds a control character; remove it")
      }
      guard !Self.reserved.subtracting(allowed).contains(FieldSyntax.lowercased(line.name)) else {
        throw .badConfiguration("the header \(line.name) is set by the fetcher; leave it out")
      }
    }
  }

  /// The fields of an unconditional request. Without credentials they are those that are allowed for an
  /// origin which the caller did not name.
  func requestFields(withCredentials: Bool) -> HeaderFields {
    var fields = HeaderFields(
      headers.lines.filter {
        withCredentials || Self.crossOriginFields.contains(FieldSyntax.lowercased($0.name))
      })
    if fields.first("User-Agent") == nil {
      fields.append("User-Agent", userAgent)
    }
    if fields.first("Accept") == nil {
      fields.append("Accept", "*/*")
    }
    fields.append("Accept-Encoding", "gzip")
    return fields
  }

  /// The fields that select the variant of a response (RFC 9111 section 4.1). The credentials of an account
  /// change without selecting another variant, so one field stands for them.
  var selectingFields: HeaderFields {
    var fields = requestFields(withCredentials: true)
    if let credentials { fields.set("Authorization", "account \(credentials.account)") }
    return fields
  }

  /// A text from an origin without the secrets that it may repeat: the values of ``headers``, and the queries
  /// of the requested addresses. Messages are logged and stored.
  func withoutSecrets(_ text: String, _ addresses: some Sequence<HTTPAddress>) -> String {
    String(decoding: withoutSecrets(Array(text.utf8), addresses), as: UTF8.self)
  }

  /// The same for bytes in any encoding; all others stay unchanged.
  func withoutSecrets(_ bytes: [UInt8], _ addresses: some Sequence<HTTPAddress>) -> [UInt8] {
    var secrets = headers.lines
      .filter { !Self.crossOriginFields.contains(FieldSyntax.lowercased($0.name)) }
      .flatMap { $0.value.split(whereSeparator: " =;,\"".contains).map(String.init) }
    for query in addresses.compactMap(\.query) {
      let values = query.split(whereSeparator: "&;".contains).compactMap {
        $0.split(separator: "=", maxSplits: 1).last.map(String.init)
      }
      for value in [query] + values {
        secrets += [value, value.replacing("&", with: "&amp;"), PercentEncoding.decoded(value)]
      }
    }
    var bytes = bytes
    // The longest is replaced first: to replace a part of a secret would leave the rest.
    for secret in secrets.sorted(by: { $0.utf8.count > $1.utf8.count })
    where secret.utf8.count >= Self.shortestSecret {
      bytes = bytes.replacing(Array(secret.utf8), with: Array("…".utf8))
    }
    return bytes
  }

  /// A shorter value hides nothing, and may be part of any word.
  private static let shortestSecret = 4

  private static let crossOriginFields: Set = ["accept", "accept-language", "user-agent"]

  /// The fields that make a request conditional.
  static let conditions: Set = [
    "if-match", "if-modified-since", "if-none-match", "if-unmodified-since",
  ]

  private static let reserved = conditions.union([
    "accept-encoding", "connection", "content-length", "expect", "host", "idempotency-key",
    "if-range",
    "keep-alive", "proxy-authorization", "proxy-connection", "range", "te", "trailer",
    "transfer-encoding", "upgrade",
  ])
}

extension Policy {
  /// This policy, by which only copies that answer requests of the configuration are served.
  package func from(_ configuration: HTTPConfiguration) -> Policy {
    accepting { configuration.selects(variant: $0) }
  }
}
