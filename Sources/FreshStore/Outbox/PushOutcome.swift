public import Strategies

/// What became of one write that was pushed.
public enum PushOutcome<Value: Sendable>: Sendable {
  /// The source has it, and this is what it holds; `nil` for a deletion. Later local writes of the
  /// key still wait upon it.
  case accepted(Value?)
  /// The source's version stood against it; the local writes that fell.
  case discarded([OutboxEntry])
  /// It was parked for this reason.
  case parked(String)
  /// It is sent again, at the earliest at this moment, for this reason; with the failure when it was
  /// sent and that failed, without one when it was put off.
  case deferred(until: Timestamp, reason: String, failure: FetchFailure?)
  /// It was dropped, or taken over by another process, while it was pushed.
  case superseded
}
