internal import FreshStore
internal import Strategies

/// One local write from its request to its result, without the network: builds the request and
/// reads the answer.
struct PushPlan {
  /// The consequence of an answer.
  enum Step {
    /// The write is settled.
    case settled(Pushed<[UInt8]>)
    /// The write was accepted, and the source, which may have validators, did not state the new
    /// one: without it the next write could not notice another's write in between. The source's
    /// value has to be fetched; if that fails, the write is settled with these details.
    case acceptedUnseen(FetchDetails)
    /// The source holds an unexpected value, which has to be fetched.
    case conflict
    /// The same, unless the source still holds the base of the write: then this error stands, and
    /// the write is sent again.
    case conflictUnlessUnchanged(HTTPFetchError)
    /// The source does not know the condition of absence: the write is sent without it.
    case conditionUnknown
    /// The source requires a condition, and the write had none: what it holds has to be fetched, and where that
    /// has no version either, this is the end of the write.
    case conditionRequired(Refusal)
  }

  let address: HTTPAddress
  let method: String
  let fields: HeaderFields
  let body: [UInt8]?
  /// The known value of the source when the write was made, where no condition can express it: it
  /// came from another address, whose validators mean nothing here, or it has only a weak tag. Then
  /// a change has to be looked for.
  let base: Previous<[UInt8]>?
  /// Where the base was written, and not seen at the source since, or nobody knows where it was seen: its version is
  /// unknown, and what the source holds has to be looked at first.
  let unseenBase: UnseenWrite?
  /// True when a replacement is conditional on absence.
  let asksForAbsence: Bool
  /// True when only the first answer to the write is asked for.
  let asksForAnswer: Bool
  let write: PendingWrite<[UInt8]>
  let configuration: HTTPConfiguration

  /// Throws `badConfiguration` for a media type or an idempotency key that cannot be sent.
  ///
  /// - Parameter asksForAnswer: True where what the source holds may be the write's own effect: only the first
  ///   answer to it is asked for, and nothing is to be looked at before.
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
    // No version meets it: the tag is nobody's.
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
    let isConditional = Self.conditions.contains { fields.first($0) != nil }
    base =
      hasGround && !isConditional
      ? Previous(
        key: write.key, value: write.base, validators: validators, metadata: write.metadata) : nil
  }

  /// `If-Match` compares strongly (RFC 9110 section 13.1.1), so a weak tag would never match; the
  /// date stands in where there is no strong one.
  private static func setConditions(of validators: Validators, _ fields: inout HeaderFields) {
    if let tag = validators.entityTag, EntityTag(tag)?.isWeak == false {
      fields.set("If-Match", tag)
    } else if let date = validators.lastModified {
      fields.set("If-Unmodified-Since", date)
    }
  }

  private static let conditions = ["If-Match", "If-Unmodified-Since"]

  var isConditional: Bool {
    Self.conditions.contains { fields.first($0) != nil }
  }

  /// The same, or on absence.
  var hasCondition: Bool { isConditional || fields.first("If-None-Match") != nil }
}

/// What an answer makes of a write.
extension PushPlan {
  /// Reads the answer. Throws for a transient failure: the write is then sent again.
  func step(_ answer: HTTPAnswer) throws(HTTPFetchError) -> Step {
    switch answer.status {
    case 200...299:
      let pushed = accepted(answer)
      if case .accepted(let details) = pushed, isToBeSeen(answer, details) {
        return .acceptedUnseen(details)
      }
      return .settled(pushed)
    // The source redirects to a page about a write that it accepted (RFC 9110 section 15.4.4).
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

  /// True for the status of an answer that is kept as the refusal of the write, with its body; 428 without a
  /// condition is one only if none can be stated.
  func isRefusal(_ status: Int) -> Bool {
    switch status {
    case 404, 410: write.kind != .delete && !isConditional
    case 303, 409, 412: false
    // They may pass.
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
      // The tag belongs to an object that was not seen, so it must not confirm the expected one.
      return .accepted(details(validators: Validators(), isExact: false, isPromise: isPromise))
    }
    // RFC 9110 section 9.3.4: a validator in the answer to a PUT, and nothing else, says that the value
    // was stored as it was sent. 202 only promises.
    return .accepted(
      details(
        validators: validators, isExact: !isPromise && !validators.isEmpty, isPromise: isPromise))
  }

  /// 202 only promises: a look would find the old value.
  private func isToBeSeen(_ answer: HTTPAnswer, _ details: FetchDetails) -> Bool {
    guard write.kind != .delete, answer.status != 202, details.validators.isEmpty else {
      return false
    }
    return mayHaveValidators
  }

  /// False for a source that has none: it gave none to the value that is known.
  private var mayHaveValidators: Bool {
    asksForAnswer || write.kind == .create || write.base == nil || !write.baseValidators.isEmpty
  }

  /// What the next write has to know of this one, whose version no answer has shown.
  private func unseenWrite(isPromise: Bool) -> UnseenWrite? {
    guard mayHaveValidators else { return nil }
    guard isPromise else { return UnseenWrite(former: nil) }
    let isNew = write.kind == .create || write.isBaseAbsent
    let former = UnseenWrite.version(of: FetchPlan.sendable(write.baseValidators))
    return UnseenWrite(former: isNew ? UnseenWrite.absence : former)
  }

  /// RFC 9110 section 8.7: content with this `Content-Location` is the present answer to a GET.
  private func isRepresentation(_ answer: HTTPAnswer) -> Bool {
    guard HTTPAnswer.bodyIsValue(answer.status),
      let location = answer.fields.first("Content-Location")
    else { return false }
    // A location that is no address says nothing about the content.
    return (try? RelativeReference.resolve(location, against: address)) == address
  }

  /// The present answer to a GET is read like any.
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
      // The write was accepted; its result cannot be read, and is fetched.
      return .accepted(details(validators: Validators(), isExact: false))
    }
  }

  /// What a write was to change, or to delete, is not there.
  private func missing() -> Step {
    .settled(
      write.kind == .delete
        ? .accepted(details(validators: Validators(), isExact: true)) : .conflict(.gone))
  }

  /// - Parameters:
  ///   - isExact: False when the source's present value is not known to the last byte: the copy is then to
  ///     be fetched at the next read.
  ///   - isPromise: True when the source may still hold what it held before.
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
  /// The same status as the end of a write: nothing is tried again, whatever `Retry-After` says.
  fileprivate var ofRefusal: HTTPFetchError {
    guard case .status(let status, let url, let bodyPrefix, _) = self else { return self }
    return .status(status, url: url, bodyPrefix: bodyPrefix, retryAfter: nil)
  }
}

extension HTTPAnswer {
  /// The same as the answer to a GET (RFC 9110 section 9.3.1).
  fileprivate var asOK: HTTPAnswer {
    HTTPAnswer(
      status: 200, fields: fields, body: body, arrival: arrival, responseDelay: responseDelay)
  }
}

extension HTTPAnswer {
  /// The answer as a refusal of a write: its status, its fields without cookies and credentials, and its
  /// body.
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
