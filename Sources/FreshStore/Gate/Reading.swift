/// The result of a read: never a fetch, never a wait.
public enum Reading<Value: Sendable>: Sendable {
  /// A copy that may be served. When its decision's outcome is ``Decision/Outcome/offline`` it is
  /// served because its source is unreachable.
  case fresh(Copy<Value>)
  /// A copy that must be fetched again.
  case stale(Copy<Value>)
  /// The stored record has no usable value: damaged, undecodable, breaking its rules, past its hard
  /// end.
  case unusable(Decision)
  /// Nothing is stored, or the source reported that the object does not exist.
  case missing(Decision)

  /// The gate's decision.
  public var decision: Decision {
    switch self {
    case .fresh(let copy), .stale(let copy): copy.decision
    case .unusable(let decision), .missing(let decision): decision
    }
  }

  /// The copy, fresh or stale.
  public var copy: Copy<Value>? {
    switch self {
    case .fresh(let copy), .stale(let copy): copy
    case .unusable, .missing: nil
    }
  }
}
