internal import FreshStore
internal import Strategies

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
