package import Strategies

/// The outcome of one pushed write.
package enum PushOutcome<Value: Sendable>: Sendable {
  /// The source accepted it, and holds this value; `nil` for a deletion. Later local writes of the
  /// key still wait.
  case accepted(Value?)
  /// The source's version won; the discarded local writes.
  case discarded([OutboxEntry])
  /// It was parked for this reason.
  case parked(String)
  /// It is sent again, at the earliest at this moment, for this reason; with the failure when an
  /// attempt failed, without one when the attempt was postponed.
  case deferred(until: Timestamp, reason: String, failure: FetchFailure?)
  /// It was dropped, or taken over by another process, during the push.
  case superseded
}
