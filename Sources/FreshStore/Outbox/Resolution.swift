/// The resolution of a conflict.
public enum Resolution<Value: Sendable>: Sendable {
  /// This value is stored and pushed, as one write based on the source's current state.
  case merged(Value)
  /// The object is deleted at the source nevertheless.
  case deleted
  /// The source's version wins; the local writes of the conflict (``Conflict/local``) are discarded, and an
  /// event names them.
  case remote
  /// Nothing is decided: the write is parked for this reason.
  case parked(String)
}
