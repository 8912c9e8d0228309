internal import FreshStore

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
