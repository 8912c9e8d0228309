internal import FreshStore
internal import Strategies

/// One local write from its request to its result, without the network: it builds the request and reads the
/// response.
struct PushPlan {
  /// The consequence of a response.
  enum Step {
    /// The write is settled.
    case settled(Pushed<[UInt8]>)
    /// The write was accepted. The source, which may have validators, did not state the new one. Without it
    /// the next write could not notice another's write in between. The value of the source has to be fetched;
    /// if that fails, the write is settled with these details.
    case acceptedUnseen(FetchDetails)
    /// The source holds an unexpected value, which has to be fetched.
    case conflict
    /// The same, unless the source still holds the base of the write. Then this error is thrown, and the
    /// write is sent again.
    case conflictUnlessUnchanged(HTTPFetchError)
    /// The source does not know the condition of absence. The write is sent without it.
    case conditionUnknown
    /// The source requires a condition, and the write had none. The value of the source has to be fetched. If
    /// it has no version either, the write ends with this refusal.
    case conditionRequired(Refusal)
  }

  let address: HTTPAddress
  let method: String
  let fields: HeaderFields
  let body: [UInt8]?
  /// The value that was known when the write was made, if no condition can express it: its validators came
  /// from another address and mean nothing here, or it has only a weak tag. The source must then be checked
  /// for a change.
  let base: Previous<[UInt8]>?
  /// The write that made the base, if no fetch has seen its result or nobody knows where it was seen. Its
  /// version is unknown, so the present value of the source has to be fetched first.
  let unseenBase: UnseenWrite?
  /// True when a replacement is conditional on absence.
  let asksForAbsence: Bool
  /// True when the request only asks for the first response to the write.
  let asksForAnswer: Bool
  let write: PendingWrite<[UInt8]>
  let configuration: HTTPConfiguration

  /// Throws `badConfiguration` for a media type or an idempotency key that cannot be sent.
  ///
  /// - Parameter asksForAnswer: True when the present value of the source may be the write's own effect. The
  ///   request then only asks for the first response to the write, and nothing is fetched before.
  init(
    _ write: PendingWrite<[UInt8]>, to address: HTTPAddress, _ configuration: HTTPConfiguration,
    asksForAnswer: Bool = false
  ) throws(HTTPFetchError) {
    self.address = address
    self.write = write
    self.configuration = configuration
    var fields = configuration.requestFields(withCredentials: true)
    try fields.setIdempotencyKey(write.idempotencyKey)
    let stored = StoredFields(encoded: write.metadata)
    let isFromHere = stored.address == nil || stored.isFrom(address)
    var asksForAbsence = false
    var mediaType: String?
    switch write.kind {
    case .create:
      (method, body, mediaType) = ("PUT", write.value ?? [], write.contentType)
      fields.set("If-None-Match", "*")
    case .replace:
      (method, body, mediaType) = ("PUT", write.value ?? [], write.contentType)
      asksForAbsence = write.isBaseAbsent && isFromHere && !asksForAnswer
      if asksForAbsence { fields.set("If-None-Match", "*") }
    case .patch(let document, let contentType):
      (method, body, mediaType) = ("PATCH", document, contentType)
      fields.set("Prefer", "return=representation")
    case .delete:
      (method, body) = ("DELETE", nil)
    }
    if body != nil {
      let mediaType = mediaType ?? "application/octet-stream"
      try fields.setMediaType(mediaType)
    }
    let validators = FetchPlan.sendable(write.baseValidators)
    let hasGround = write.kind != .create && !validators.isEmpty && !asksForAnswer
    if hasGround, isFromHere { Self.setConditions(of: validators, &fields) }
    // No version has this tag.
    if asksForAnswer { fields.set("If-Match", "\"none-\(write.idempotencyKey)\"") }
    if write.kind == .create || !validators.isEmpty || asksForAnswer {
      unseenBase = nil
    } else {
      unseenBase =
        (isFromHere ? stored.unseen : nil) ?? (write.isBaseUnseen ? UnseenWrite(former: nil) : nil)
    }
    self.fields = fields
    self.asksForAbsence = asksForAbsence
    self.asksForAnswer = asksForAnswer
    base =
      hasGround && !Self.isConditional(fields)
      ? Previous(
        key: write.key, value: write.base, validators: validators, metadata: write.metadata) : nil
  }

  /// `If-Match` compares strongly (RFC 9110 section 13.1.1), so a weak tag would never match. Without a
  /// strong tag the date is used.
  private static func setConditions(of validators: Validators, _ fields: inout HeaderFields) {
    if let tag = validators.entityTag, EntityTag(tag)?.isWeak == false {
      fields.set("If-Match", tag)
    } else if let date = validators.lastModified {
      fields.set("If-Unmodified-Since", date)
    }
  }

  private static let conditions = ["If-Match", "If-Unmodified-Since"]

  private static func isConditional(_ fields: HeaderFields) -> Bool {
    conditions.contains { fields.first($0) != nil }
  }

  var isConditional: Bool { Self.isConditional(fields) }

  /// True when it is conditional, on a version or on absence.
  var hasCondition: Bool { isConditional || fields.first("If-None-Match") != nil }
}

/// The result of a write, by its response.
extension PushPlan {
  /// Reads the response. Throws for a transient failure: the write is then sent again.
  func step(_ answer: HTTPAnswer) throws(HTTPFetchError) -> Step {
    switch answer.status {
    case 200...299:
      let pushed = accepted(answer)
      if case .accepted(let details) = pushed, isToBeSeen(answer, details) {
        return .acceptedUnseen(details)
      }
      return .settled(pushed)
    // The source redirects to a page about a write that it has accepted (RFC 9110 section 15.4.4).
    case 303:
      return .settled(
        .accepted(details(validators: Validators(), isExact: false, isPromise: true)))
    case 428 where !hasCondition: return .conditionRequired(refusal(answer))
    case let status where isRefusal(status): return .settled(.refused(refusal(answer)))
    case 404, 410: return missing()
    case 409: return .conflictUnlessUnchanged(failure(answer))
    case 412: return .conflict
    case 501 where asksForAbsence: return .conditionUnknown
    default: throw failure(answer)
    }
  }

  /// True for a status with which the response, and its body, is kept as the refusal of the write. 428
  /// without a condition is a refusal only if no condition can be stated.
  func isRefusal(_ status: Int) -> Bool {
    switch status {
    case 404, 410: write.kind != .delete && !isConditional
    case 303, 409, 412: false
    // These statuses may pass.
    case 401, 403, 407, 408, 421, 423, 425, 429: false
    default: (300..<500).contains(status)
    }
  }

  private func refusal(_ answer: HTTPAnswer) -> Refusal {
    answer.refusal(answer.status < 400 ? redirected(answer) : "\(failure(answer).ofRefusal)")
  }

  private func accepted(_ answer: HTTPAnswer) -> Pushed<[UInt8]> {
    let validators = FetchPlan.validators(of: answer.fields)
    let isPromise = answer.status == 202
    if write.kind == .delete {
      return .accepted(
        details(validators: Validators(), isExact: !isPromise, isPromise: isPromise))
    }
    if isRepresentation(answer) { return representation(answer) }
    if case .patch = write.kind {
      // The tag belongs to an object that nobody has seen, so it must not confirm the expected one.
      return .accepted(details(validators: Validators(), isExact: false, isPromise: isPromise))
    }
    // Only a validator in the response to a PUT says that the value was stored as it was sent (RFC 9110
    // section 9.3.4). 202 only promises.
    return .accepted(
      details(
        validators: validators, isExact: !isPromise && !validators.isEmpty, isPromise: isPromise))
  }

  /// True when the value has to be fetched. After 202, which only promises, a fetch would find the old value.
  private func isToBeSeen(_ answer: HTTPAnswer, _ details: FetchDetails) -> Bool {
    guard write.kind != .delete, answer.status != 202, details.validators.isEmpty else {
      return false
    }
    return mayHaveValidators
  }

  /// False for a source without validators: the known value came without one.
  private var mayHaveValidators: Bool {
    asksForAnswer || write.kind == .create || write.base == nil || !write.baseValidators.isEmpty
  }

  /// The facts that the next write needs about this one, whose version no response has shown.
  private func unseenWrite(isPromise: Bool) -> UnseenWrite? {
    guard mayHaveValidators else { return nil }
    guard isPromise else { return UnseenWrite(former: nil) }
    let isNew = write.kind == .create || write.isBaseAbsent
    let former = UnseenWrite.version(of: FetchPlan.sendable(write.baseValidators))
    return UnseenWrite(former: isNew ? UnseenWrite.absence : former)
  }

  /// True when the content is the present response to a GET: it has this address as its `Content-Location`
  /// (RFC 9110 section 8.7).
  private func isRepresentation(_ answer: HTTPAnswer) -> Bool {
    guard HTTPAnswer.bodyIsValue(answer.status),
      let location = answer.fields.first("Content-Location")
    else { return false }
    // A location that is no address says nothing about the content.
    return (try? RelativeReference.resolve(location, against: address)) == address
  }

  /// The content, read as a response to a GET.
  private func representation(_ answer: HTTPAnswer) -> Pushed<[UInt8]> {
    let nothing: Previous<[UInt8]>? = nil
    var plan = FetchPlan(address: address, configuration: configuration, previous: nothing)
    do throws(HTTPFetchError) {
      guard case .value(let value, var found) = try plan.result(of: answer.asOK) else {
        return .accepted(details(validators: Validators(), isExact: false))
      }
      found.contentType = found.contentType ?? write.contentType
      return .acceptedAs(value, found)
    } catch {
      // The write was accepted, but its result cannot be read. It is fetched later.
      return .accepted(details(validators: Validators(), isExact: false))
    }
  }

  /// The step for an object that is missing at the source.
  private func missing() -> Step {
    .settled(
      write.kind == .delete
        ? .accepted(details(validators: Validators(), isExact: true)) : .conflict(.gone))
  }

  /// - Parameters:
  ///   - isExact: False when the present value of the source is not known to the last byte. The copy is then
  ///     fetched at the next read.
  ///   - isPromise: True when the source may still hold the value from before the write.
  private func details(
    validators: Validators, isExact: Bool, isPromise: Bool = false
  ) -> FetchDetails {
    let unseen = isExact || !validators.isEmpty ? nil : unseenWrite(isPromise: isPromise)
    return FetchDetails(
      expiry: isExact ? nil : .immediately, validators: validators, source: address.redacted,
      address: address.text == address.redacted ? nil : address.text,
      contentType: write.contentType,
      variant: configuration.variant,
      metadata: StoredFields(address: address, response: HeaderFields(), unseen: unseen).encoded)
  }

  private func redirected(_ answer: HTTPAnswer) -> String {
    "\(address.redacted) answered \(answer.status): a write is not sent on to another address; "
      + "push it to the final one"
  }

  private func failure(_ answer: HTTPAnswer) -> HTTPFetchError {
    FetchPlan.failure(answer, at: address, configuration, asked: [address])
  }
}

extension HTTPFetchError {
  /// The same status as the end of a write. It is not sent again, whatever `Retry-After` says.
  fileprivate var ofRefusal: HTTPFetchError {
    guard case .status(let status, let url, let bodyPrefix, _) = self else { return self }
    return .status(status, url: url, bodyPrefix: bodyPrefix, retryAfter: nil)
  }
}

extension HTTPAnswer {
  /// The same as a response to a GET (RFC 9110 section 9.3.1).
  fileprivate var asOK: HTTPAnswer {
    HTTPAnswer(
      status: 200, fields: fields, body: body, arrival: arrival, responseDelay: responseDelay)
  }
}

extension HTTPAnswer {
  /// The response as a refusal of a write: its status, its body, and its fields without cookies and credentials.
  func refusal(_ reason: String) -> Refusal {
    var headers: [String: String] = [:]
    for line in fields.lines {
      let name = FieldSyntax.lowercased(line.name)
      guard !Self.secretFields.contains(name), headers[name] == nil else { continue }
      headers[name] = fields.combined(line.name)
    }
    return Refusal(
      reason, status: status, headers: headers, body: Array(body.prefix(Refusal.bodyLimit)))
  }

  private static let secretFields: Set<String> = [
    "set-cookie", "authentication-info", "proxy-authentication-info", "www-authenticate",
    "proxy-authenticate",
  ]
}
