internal import Strategies

/// One local write that was sent, and the settlement of its source's answer.
struct AnsweredPush<Value: Sendable>: Sendable {
  let pusher: Pusher<Value>
  let claim: OutboxClaim
  let ground: Storage.PushGround
  /// The time from which the source is known to hold its answer.
  let known: ClockReading
  let answered: ClockReading
  /// True when a conflict must be resolved.
  let resolves: Bool
  /// The number of the earlier request that has brought the answer; `nil` when the push itself has.
  var asked: Int64?
  /// The base that was sent without its version; `nil` where the version was known, or there was no base.
  var unversionedBase: Value?
  /// True when the base had not been seen at the source (``PendingWrite/isBaseUnseen``).
  var isBaseUnseen = false

  var collection: RecordCollection<Value> { pusher.collection }

  /// False when nothing was sent, because the answer was known.
  var wasSent: Bool { asked == nil }

  /// The note that the origin has answered, if it was asked.
  var note: Storage.OriginNote? { wasSent ? pusher.note(.answered) : nil }

  func settle(
    _ answer: Pushed<Value>, local: Value?
  ) async throws(StoreError) -> PushOutcome<Value> {
    switch answer {
    case .accepted(let details):
      return try await accepted(
        sourceState(local == nil ? .nothing : .written, details), value: local)
    case .acceptedAs(let value, let details): return try await accepted(as: value, details)
    case .refused(let refusal):
      return try await pusher.settle(claim, .parked(refusal.reason, refusal), origin: note)
    case .conflict(let remote):
      return try await MetConflict(push: self).settle(remote, own: local)
    }
  }

  func accepted(
    _ state: Storage.SourceState, value: Value?
  ) async throws(StoreError) -> PushOutcome<Value> {
    try await pusher.settle(
      claim, .accepted(state), wasSent: wasSent, value: value, origin: note)
  }

  /// Settles a write whose value the source has changed.
  ///
  /// If the rules of the collection, of the store or of the source do not admit the result, the written value stays,
  /// marked stale. The result is not kept then, and the next write counts as made from the result.
  private func accepted(
    as value: Value, _ details: FetchDetails
  ) async throws(StoreError) -> PushOutcome<Value> {
    let own = collection.decoded(ground.write)
    let words: String
    switch try await pusher.admitted(.value(value, details), claim) {
    case nil: return .superseded
    case .success(.value(_, let details)) where !details.isStorable: words = Self.unstorable
    case .success(.value(let value, let details)):
      do throws(StoreError) {
        let bytes = try collection.encoded(value, claim.key, .push)
        var state = sourceState(.made(bytes), details)
        state.isChanged = pusher.conflicts.merges && !isSame(own, value)
        return try await accepted(state, value: value)
      } catch {
        guard error.operation == .push, error.sqlite == nil, error.isOfValue else { throw error }
        words = "\(error.code.cause)"
      }
    case .success: words = "the source's answer is no value"
    case .failure(let failure): words = failure.message
    }
    var state = sourceState(own == nil ? .nothing : .written, FetchDetails())
    state.staleReason = words
    state.condition = .init(details, isOfWritten: isSame(own, value))
    return try await accepted(state, value: own)
  }
}

extension StoreError {
  /// True when the value itself is the cause.
  fileprivate var isOfValue: Bool {
    switch code {
    case .notEncodable, .valueTooLarge: true
    default: false
    }
  }
}

extension AnsweredPush {
  /// The state of a source after a push.
  enum Held {
    /// The exact bytes of the local write.
    case written
    /// The source's version of the local write.
    case made([UInt8])
    /// Another writer's value.
    case foreign([UInt8])
    case nothing
  }

  static var unstorable: String { "the source forbids storing its present value" }

  /// The part of the source's current state to be stored.
  func sourceState(_ held: Held, _ details: FetchDetails) -> Storage.SourceState {
    // Nothing passes from the copy of another user to the value of this one.
    let copy = pusher.policy.own(ground.base).flatMap { $0.isIntact ? $0.content : nil }
    var content = collection.content(
      ground.write.key, details,
      expiry: pusher.policy.expiry(of: details, random: collection.store.configuration.random))
    content.keepSource(of: details, over: copy, sentTo: ground.write.address)
    content.variant = details.variant ?? copy?.variant
    content.metadata = details.metadata ?? copy?.metadata
    let (theirs, own) = (copy?.contentType, ground.write.contentType)
    switch held {
    case .written:
      content.value = ground.write.payload
      (content.codec, content.contentVersion) = (ground.write.codec, ground.write.contentVersion)
      content.contentType = details.contentType ?? own ?? theirs
    case .made(let bytes):
      content.value = bytes
      if bytes != ground.write.payload { content.madeOf = ground.write.valueChecksum }
      content.contentType = details.contentType ?? own ?? theirs
    case .foreign(let bytes):
      guard details.isStorable else { return unknown(details) }
      content.value = bytes
      content.keepMadeOf(copy)
      content.contentType = details.contentType ?? theirs ?? own
    case .nothing: return absent(details)
    }
    var state = Storage.SourceState(
      write: Storage.Write(
        content: content, tags: details.tags, statedAt: statedAt(details)),
      known: known)
    state.asked = asked
    if case .written = held, case .patch = pusher.kind(of: ground.write) {
      state.isPartial = true
      if ground.write.basis != nil {
        // The source may have added to the value that the patch was made from.
        state.staleReason = "a patch was sent upon what its source has made of the write before"
        state.write.content.validators = Validators()
        state.isChanged = pusher.conflicts.merges
      }
    }
    if !details.isStorable {
      // The value is the program's own; the source must be asked whether it is still valid.
      state.staleReason = Self.unstorable
      state.condition = .init(details, isOfWritten: true)
      state.write.content.validators = Validators()
    }
    return state
  }

  /// The state of a source that holds nothing.
  private func absent(_ details: FetchDetails) -> Storage.SourceState {
    guard details.isStorable else { return unknown(details) }
    let isKept = details.expiry != nil || pusher.policy.negativeExpiry != nil
    let expiry = details.expiry(orOfPolicy: pusher.policy.negativeExpiry ?? .immediately)
    var content = collection.content(ground.write.key, details, expiry: expiry)
    content.validators = Validators()
    var state = Storage.SourceState(
      write: Storage.Write(
        content: content, kind: .absent, tags: details.tags, statedAt: statedAt(details)),
      known: known, isKept: isKept)
    state.asked = asked
    return state
  }

  /// The state of a source whose value may not be kept.
  private func unknown(_ details: FetchDetails) -> Storage.SourceState {
    let content = RecordContent(
      collection: collection.name, key: ground.write.key, expiry: .unstated)
    var state = Storage.SourceState(
      write: Storage.Write(content: content, kind: .unfetched), known: known, isKept: false)
    state.condition = .init(details, isOfWritten: false)
    return state
  }

  /// True when two sides are the same; each may be nothing.
  func isSame(_ own: Value?, _ remote: Value?) -> Bool {
    guard let own, let remote else { return own == nil && remote == nil }
    return collection.areSame(own, remote)
  }

  /// The clock of the stated last update; `nil` when none is stated.
  private func statedAt(_ details: FetchDetails) -> ClockReading? {
    details.lastUpdate == nil ? nil : answered
  }
}

extension RecordCollection {
  /// The value of an entry; `nil` for a deletion.
  func value(of write: StoredWrite) throws -> Value? {
    guard write.kind != .delete else { return nil }
    return try decoded(write.payload ?? [], writtenBy: write.codec, write.contentVersion)
  }

  /// The format of a claimed entry whose value this program cannot read; `nil` for any other.
  func otherFormat(of claim: OutboxClaim) -> ValueOfOtherFormat? {
    claim.format.flatMap { otherFormat($0.codec, $0.contentVersion) }
  }

  /// The value of an entry that is known to decode.
  func decoded(_ write: StoredWrite) -> Value? {
    do {
      return try value(of: write)
    } catch {
      return nil
    }
  }

  /// The value of a record, or of a base; `nil` when there is none, or it cannot be read.
  func value(of record: StoredRecord) -> Value? {
    let content = record.content
    guard record.isIntact, record.kind == .value else { return nil }
    do {
      return try decoded(
        content.value ?? [], writtenBy: content.codec, content.contentVersion)
    } catch {
      return nil
    }
  }

  /// The value that a local write states as its basis; `nil` when it cannot be read.
  func value(of basis: WriteBasis) -> Value? {
    guard let bytes = basis.value else { return nil }
    do {
      return try decoded(
        bytes, writtenBy: basis.codec ?? "", basis.contentVersion ?? contentVersion)
    } catch {
      return nil
    }
  }
}

extension StoredRecord {
  /// The validators of the known version of the source.
  var validators: Validators { isIntact ? content.validators : Validators() }

  /// True when the source reported that it holds nothing, and nothing contradicts that.
  var isKnownAbsence: Bool {
    isIntact && kind == .absent && mark == nil && content.expiry != .immediately
  }
}

extension WriteKind {
  /// The operation that an entry requests.
  init(_ write: StoredWrite) {
    self =
      switch write.kind {
      case .create: .create
      case .replace: .replace
      case .patch: .patch(write.patch ?? [], contentType: write.patchType ?? "")
      case .delete: .delete
      }
  }
}
