internal import FreshHTTP
internal import Strategies

/// Reads and validates requests, or refuses them.
struct RequestReading: Sendable {
  let site: Site
  private let names: Set<String>
  /// The ports of these names, beside that of the listener and that of the scheme.
  private let ports: Set<Int>
  /// The scheme of clients of a reverse proxy that preserves their `Host`: a part of the key. `nil` for a proxy whose
  /// keys are addresses of its origin.
  private let scheme: HTTPAddress.Scheme?
  private let trusted: [PeerNetwork]
  /// The fields that are never forwarded.
  private let dropped: Set<String>
  /// The fields among these that origins read in several spellings.
  private let withheld: Set<String>

  /// - Parameters:
  ///   - names: The host names of a reverse proxy, in lower case, for requests in absolute form.
  ///   - ports: The ports of these names, beside that of the listener and that of the scheme.
  ///   - withheld: Further fields that a reverse proxy does not forward, in lower case.
  ///   - scheme: The scheme of clients of a reverse proxy that preserves their `Host`.
  ///   - trusted: The peers whose claims about their clients a reverse proxy believes.
  init(
    site: Site, names: Set<String> = [], ports: Set<Int> = [], withheld: Set<String> = [],
    preservingHostOf scheme: HTTPAddress.Scheme? = nil, trusting trusted: [PeerNetwork] = []
  ) {
    self.site = site
    (self.names, self.ports) = (names, ports)
    self.scheme = scheme
    self.trusted = trusted
    self.withheld = site == .anyOrigin ? [] : ForwardedFields.names.union(withheld)
    dropped = HopByHopFields.names.union(Self.own).union(self.withheld)
  }

  /// - Parameters:
  ///   - now: The time, for dates with two-digit years.
  ///   - peer: The address of the client; `nil` for an operator, who may name any address of the gateway.
  ///   - port: The port to which the client has connected.
  ///   - hasContent: True where its frames announce content.
  func read(
    _ request: IncomingRequest, now: Timestamp, from peer: String? = nil, at port: Int? = nil,
    hasContent: Bool = false
  ) throws(RequestRefusal) -> GatewayRequest {
    guard FieldSyntax.isToken(request.method) else { throw .malformed("the method is no token") }
    try checkLines(request.fields)
    if HopByHopFields.hidesFraming(request.fields) {
      throw .malformed("Connection lists a field that is for all recipients")
    }
    if request.version == .http2 { try checkStreamed(request.fields) }
    var framing = try MessageFraming(ofRequest: request.fields, version: request.version)
    if hasContent, case .none = framing { framing = .chunked }
    // RFC 9110 section 9.3.8. The client library would not send such content, and the origin would be blamed.
    guard request.method != "TRACE" || !framing.hasContent else {
      throw .malformed("TRACE has no content")
    }
    if let expectation = request.fields.combined("Expect"),
      !FieldSyntax.equalIgnoringCase(expectation, "100-continue")
    {
      throw RequestRefusal(417, "100-continue is the only expectation understood")
    }
    let client =
      site == .anyOrigin
      ? nil : peer.map { ForwardedClient($0, request.fields, trusting: trusted) }
    let target = try requestedSite(of: request, by: client, at: port).target(
      of: request, names: names)
    let address: HTTPAddress? =
      if case .resource(let address) = target { address } else { nil }
    let passed = HopByHopFields.removed(from: request.fields, dropped)
    let claims = claims(of: passed, ofStranger: !(client?.isTrusted ?? false), at: address)
    let fields = claims.dropped.isEmpty ? passed : passed.removing(claims.dropped)
    var read = GatewayRequest(
      method: request.method, target: target, version: request.version, fields: fields,
      framing: framing, directives: RequestDirectives(fields),
      preconditions: Preconditions(fields, now: now),
      ranges: request.method == "GET" ? RangeRequest(fields.combined("Range")) : nil)
    read.client = client
    read.hasUnkeyedFields = claims.areUnkeyed || request.hasLostFields
    return read
  }

  /// True where the meaning of a request depends on its peer.
  var dependsOnPeer: Bool { !trusted.isEmpty }

  /// The site, with the host that the client uses where that is preserved.
  private func requestedSite(
    of request: IncomingRequest, by client: ForwardedClient?, at port: Int?
  ) throws(RequestRefusal) -> Site {
    guard let scheme, case .origin(let origin) = site else { return site }
    let base: HTTPAddress
    if client == nil, let named = Self.address(request.target) {
      base = named
    } else if let host = client?.host ?? request.fields.first("Host") {
      base = try site.origin(client?.scheme ?? scheme, host)
    } else {
      return site
    }
    guard names.isEmpty || base.host == origin.host || names.contains(base.host) else {
      throw RequestRefusal(421, "the gateway is not known by this host")
    }
    // Each made-up port would have its own copies.
    guard
      names.isEmpty || client == nil || isKnown(base, at: port)
        || base.host == origin.host && base.port == origin.port
    else { throw RequestRefusal(421, "the gateway is not known by this port") }
    return .origin(base)
  }

  private func isKnown(_ base: HTTPAddress, at port: Int?) -> Bool {
    base.port == base.scheme.defaultPort || base.port == port || ports.contains(base.port)
  }

  private static func address(_ text: String) -> HTTPAddress? {
    do throws(HTTPAddress.Refusal) {
      return try HTTPAddress(text)
    } catch {
      return nil
    }
  }

  /// The claims of a request (``ClaimedFields``). `dropped` are the names of those not to forward, in lower case.
  /// `areUnkeyed` is true where another one selects the answer without being in the key.
  private func claims(
    of fields: HeaderFields, ofStranger isStranger: Bool, at address: HTTPAddress?
  ) -> (dropped: Set<String>, areUnkeyed: Bool) {
    guard site != .anyOrigin else { return ([], Self.hasUnkeyedFields(fields)) }
    var (dropped, areUnkeyed) = (Set<String>(), false)
    for line in fields.lines where ClaimedFields.mayBeAmong(line.name) {
      let plain = ClaimedFields.plainName(line.name)
      let isDropped: Bool
      switch ClaimedFields.kind(of: plain) {
      case _ where withheld.contains(plain): isDropped = true
      case nil: continue
      case .setting: isDropped = true
      // A trusted peer may state these: no stored answer depends on an address, and the key holds the arrival.
      case .address: isDropped = isStranger
      case .arrival: isDropped = isStranger || ArrivalFields.contradicts(plain, line.value, address)
      case .user, .target: (isDropped, areUnkeyed) = (false, true)
      }
      if isDropped { dropped.insert(FieldSyntax.lowercased(line.name)) }
    }
    return (dropped, areUnkeyed)
  }

  /// True where a forward proxy forwards a field that no key holds (``GatewayRequest/hasUnkeyedFields``).
  /// `X-Forwarded-For` is exempt: chains of proxies add it, and few answers depend on it.
  static func hasUnkeyedFields(_ fields: HeaderFields) -> Bool {
    fields.lines.contains { line in
      guard ClaimedFields.mayBeAmong(line.name) else { return false }
      let plain = ClaimedFields.plainName(line.name)
      return plain != "x-forwarded-for" && ClaimedFields.kind(of: plain) != nil
    }
  }

  /// RFC 9110 sections 5.1 and 5.5, RFC 9112 section 5: a name is a token, so no space precedes its colon. A value
  /// holds no line break and no NUL.
  private func checkLines(_ fields: HeaderFields) throws(RequestRefusal) {
    for line in fields.lines {
      guard FieldSyntax.isToken(line.name) else { throw .malformed("a field has no proper name") }
      guard FieldSyntax.isFieldValue(line.value) else {
        throw .malformed("a field holds a control character")
      }
    }
  }

  /// RFC 9113 section 8.2.2: HTTP/2 forbids fields of a connection.
  private func checkStreamed(_ fields: HeaderFields) throws(RequestRefusal) {
    let forbidden = [
      "Connection", "Proxy-Connection", "Keep-Alive", "Transfer-Encoding", "Upgrade",
    ]
    for name in forbidden where fields.first(name) != nil {
      throw .malformed("HTTP/2 knows no field of a connection")
    }
    if let te = fields.combined("TE"), FieldSyntax.lowercased(te) != "trailers" {
      throw .malformed("TE may only be trailers in HTTP/2")
    }
  }

  /// The gateway sets the host and the framing itself, and answers the expectation.
  private static let own: Set = ["content-length", "expect", "host"]
}
