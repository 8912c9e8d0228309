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
  /// The number of the earlier request that has brought the answer; `nil` when the push has.
  var asked: Int64?
  /// The base that was sent without its version; `nil` where that was known, or there was no base.
  var unversionedBase: Value?
  /// True when nobody had seen the base at the source (``PendingWrite/isBaseUnseen``).
  var isBaseUnseen = false

  var collection: RecordCollection<Value> { pusher.collection }

  /// False when nothing was sent, as the answer was known.
  var wasSent: Bool { asked == nil }

  /// The origin has answered, if it was asked.
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

  /// The source changed the written value. If the rules of the collection, of the store or of the
  /// source do not admit the result, the written value stays, marked stale; without the result, the next write
  /// counts as made from it.
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
