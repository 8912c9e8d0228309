internal import FreshStore
internal import Strategies

/// One fetch from its first request to its result, without the network: it chooses the next request and reads
/// the responses.
struct FetchPlan {
  /// The address to request now.
  private(set) var address: HTTPAddress
  private let asked: HTTPAddress
  private let configuration: HTTPConfiguration
  private let validators: Validators
  private let stored: StoredFields
  private let storedSelection: CopySelection
  private var visited: Set<HTTPAddress>
  private var redirects = 0
  /// Once false, it stays false in this fetch: an origin that a redirect led to could otherwise send the
  /// configured credentials back to the first origin.
  private(set) var sendsCredentials = true
  private var mayBeConditional: Bool
  private var chain = RedirectChain()
  /// False after a response to a request with credentials that its source did not declare to be for all users.
  private var isForEverybody = true

  init<Value>(address: HTTPAddress, configuration: HTTPConfiguration, previous: Previous<Value>?) {
    self.address = address
    asked = address
    self.configuration = configuration
    validators = Self.sendable(previous?.validators ?? Validators())
    stored = StoredFields(encoded: previous?.metadata)
    storedSelection = CopySelection(encoded: previous?.variant)
    visited = [address]
    mayBeConditional = !validators.isEmpty
  }

  /// The fields to send to ``address``.
  var requestFields: HeaderFields {
    var fields = configuration.requestFields(withCredentials: sendsCredentials)
    guard isConditional else { return fields }
    fields.set("If-None-Match", validators.entityTag)
    fields.set("If-Modified-Since", validators.lastModified)
    return fields
  }

  /// Reads the response to the request for ``address``. `nil` means that ``address``, which may have changed,
  /// has to be requested next.
  mutating func result(of answer: HTTPAnswer) throws(HTTPFetchError) -> Fetched<[UInt8]>? {
    switch answer.status {
    case 200, 203, 204:
      try Self.refuseUnknownCoding(answer, at: address)
      return .value(answer.body, details(of: answer, answer.fields))
    case 304:
      return try notModified(answer)
    case 404, 410:
      var details = details(of: answer, answer.fields)
      details.validators = Validators()
      return .gone(details)
    case let status where FreshnessCalculation.redirects.contains(status):
      guard let location = answer.fields.first("Location") else { throw failure(answer) }
      let redirect = exchange(answer, answer.fields)
      noteAsker(of: redirect)
      chain.add(redirect, at: answer.arrival, configuration)
      try self.redirect(to: location)
      return nil
    default:
      throw failure(answer)
    }
  }

  // MARK: Requests

  /// Validators go only to the address from which they came (RFC 9111 section 4.3.1), for the same variant.
  /// If that address is unknown, it is the one requested first.
  private var isConditional: Bool {
    let isSameAddress = stored.address == nil ? redirects == 0 : stored.isFrom(address)
    return mayBeConditional && isSameAddress && storedSelection.matches(configuration)
  }

  // MARK: Answers

  private mutating func notModified(_ answer: HTTPAnswer) throws(HTTPFetchError)
    -> Fetched<[UInt8]>?
  {
    guard isConditional else { throw .unexpectedNotModified(address.redacted) }
    guard isAboutCopy(answer.fields) else {
      // The 304 is about another representation and must not renew this one (RFC 9111 section 4.3.4). The
      // present one is requested in full.
      mayBeConditional = false
      return nil
    }
    let merged = stored.updated(by: answer.fields, validators: validators)
    return .notModified(details(of: answer, merged))
  }

  /// True when the 304 is about the copy (RFC 9111 section 4.3.4). A strong tag in the 304 needs a copy with
  /// the same strong tag. A weak tag decides when both sides have a tag. Else the dates decide. A 304 without
  /// tag and date is about the one copy that was in the request.
  private func isAboutCopy(_ notModified: HeaderFields) -> Bool {
    let new = notModified.first("ETag")
    if let new, let old = validators.entityTag {
      guard let newTag = EntityTag(new), let oldTag = EntityTag(old) else {
        return new.utf8.elementsEqual(old.utf8)
      }
      return newTag.isWeak ? newTag.weaklyEquals(oldTag) : newTag.stronglyEquals(oldTag)
    }
    // A date is not enough here: a copy would get the tag of other bytes that were written within the same second.
    if let new, !new.isEmpty, EntityTag(new)?.isWeak != true { return false }
    if let new = notModified.first("Last-Modified"), let old = validators.lastModified {
      return new == old
    }
    return true
  }

  private func exchange(_ answer: HTTPAnswer, _ fields: HeaderFields) -> HTTPExchange {
    HTTPExchange(
      // A 304 renews the stored 200 and leaves its status unchanged.
      status: answer.status == 304 ? 200 : answer.status,
      // These are the fields of the fetch, also after a redirect that withholds some of them: the copy
      // answers the fetch.
      request: configuration.selectingFields,
      response: fields, responseTime: answer.responseTime, responseDelay: answer.responseDelay)
  }

  private mutating func noteAsker(of exchange: HTTPExchange) {
    let control = CacheControl(exchange.response.combined("Cache-Control"))
    // A client certificate is shown after every redirect, too.
    let showsCertificate = configuration.clientCertificate != nil
    let isByAuthorization =
      configuration.personalFields == ["authorization"] && !showsCertificate
    if sendsCredentials || showsCertificate,
      !control.isForEverybody(askedByAuthorizationAlone: isByAuthorization)
    {
      isForEverybody = false
    }
  }

  private mutating func details(of answer: HTTPAnswer, _ fields: HeaderFields) -> FetchDetails {
    let exchange = exchange(answer, fields)
    noteAsker(of: exchange)
    let freshness = FreshnessCalculation(heuristic: configuration.heuristic).freshness(of: exchange)
    let stored = StoredFields(address: address, asked: asked, response: fields)
    let selection = CopySelection(
      VarySelection(of: chain.fieldsThatSelect(fields), for: exchange.request),
      isForEverybody ? .anyone : configuration.asker, socket: configuration.socketFingerprint)
    var details = FetchDetails(
      lastUpdate: freshness.lastUpdate,
      // An unstated expiry means that the store's own policy applies; there `nil` says so.
      expiry: freshness.expiry == .unstated ? nil : freshness.expiry,
      graceWhileRevalidating: freshness.staleWhileRevalidate, graceOnError: freshness.staleIfError,
      mustRevalidate: freshness.mustRevalidate, isStorable: freshness.isStorable,
      validators: Self.validators(of: fields),
      source: address.redacted,
      // A redirect may lead elsewhere the next time.
      address: asked.text == address.redacted ? nil : asked.text,
      // A write of the value would be sent with this type.
      contentType: stored.fields.first("Content-Type").flatMap {
        FieldSyntax.isMediaType($0) ? $0 : nil
      },
      variant: selection.encoded, metadata: stored.encoded)
    let unguessed = FreshnessCalculation(heuristic: .off)
    details.isExpiryGuessed =
      details.expiry != nil && fields.first("Last-Modified") != nil
      && unguessed.freshness(of: exchange).expiry == .unstated
    chain.limit(&details, at: answer.arrival)
    return details
  }

  /// The validators of a response, for conditional requests.
  static func validators(of fields: HeaderFields) -> Validators {
    sendable(
      Validators(
        entityTag: fields.first("ETag"), lastModified: fields.first("Last-Modified")))
  }

  /// Validators that can be sent. Stored ones may come from elsewhere than a response. A line break in one
  /// would begin another field, or keep every later fetch from being sent.
  static func sendable(_ validators: Validators) -> Validators {
    Validators(
      entityTag: validators.entityTag.flatMap(sendable),
      lastModified: validators.lastModified.flatMap(sendable))
  }

  /// A validator in its original form; `nil` for one that cannot be sent.
  private static func sendable(_ value: String) -> String? {
    !value.isEmpty && FieldSyntax.isFieldValue(value) ? value : nil
  }

  /// Throws `unsupportedEncoding` for an unknown coding. The parser removes only the transfer coding
  /// `chunked` (RFC 9112 section 7). With any other, `identity` included, only the end of the connection
  /// would end the body, and the client ignores an end that TLS does not confirm.
  static func refuseUnknownCoding(
    _ answer: HTTPAnswer, at address: HTTPAddress
  ) throws(HTTPFetchError) {
    for field in ["Content-Encoding", "Transfer-Encoding"] {
      guard let coding = answer.fields.combined(field).map(FieldSyntax.lowercased) else { continue }
      let isKnown =
        field == "Transfer-Encoding"
        ? coding == "chunked" : ContentCoding.known.union(["", "identity"]).contains(coding)
      guard isKnown else {
        throw .unsupportedEncoding(address.redacted, coding: DisplayText.clean(coding, limit: 40))
      }
    }
  }

  private func failure(_ answer: HTTPAnswer) -> HTTPFetchError {
    Self.failure(answer, at: address, configuration, asked: visited)
  }

  /// The error for a status without a value, after requests for these addresses.
  static func failure(
    _ answer: HTTPAnswer, at address: HTTPAddress, _ configuration: HTTPConfiguration,
    asked: Set<HTTPAddress>
  ) -> HTTPFetchError {
    let body = configuration.withoutSecrets(String(decoding: answer.body, as: UTF8.self), asked)
    return .status(
      answer.status, url: address.redacted, bodyPrefix: DisplayText.clean(body, limit: 200),
      retryAfter: RetryAfter.delay(answer.fields, arrival: answer.responseTime))
  }

  // MARK: Redirects

  private mutating func redirect(to location: String) throws(HTTPFetchError) {
    let target: HTTPAddress
    do {
      target = try RelativeReference.resolve(location, against: address)
    } catch {
      throw .badRedirect(address.redacted, reason: Self.reason(error))
    }
    guard address.scheme == .http || target.scheme == .https else {
      throw .badRedirect(
        address.redacted,
        reason: "it leads from https to http; fetch \(target.redacted) if that is wanted")
    }
    guard configuration.socketPath == nil || target.origin == address.origin else {
      throw .badRedirect(
        address.redacted,
        reason: "it leads to another origin, which is not behind the Unix socket; fetch "
          + "\(target.redacted) over the network if that is wanted")
    }
    guard visited.insert(target).inserted else { throw .redirectLoop(address.redacted) }
    redirects += 1
    guard redirects <= configuration.maximumRedirects else {
      throw .tooManyRedirects(address.redacted, limit: configuration.maximumRedirects)
    }
    sendsCredentials = sendsCredentials && target.origin == address.origin
    address = target
  }

  private static func reason(_ refusal: HTTPAddress.Refusal) -> String {
    switch refusal {
    case .scheme(let name):
      "it leads to the scheme '\(DisplayText.clean(name, limit: 40))'; use http or https"
    case .syntax(let reason):
      "its address is not valid: \(reason)"
    }
  }
}
