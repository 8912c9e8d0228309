/// How a conflict ends.
public enum Resolution<Value: Sendable>: Sendable {
  /// This value is stored and pushed, as one write made upon what the source holds now.
  case merged(Value)
  /// The object is to be deleted at the source after all.
  case deleted
  /// The source's version stands; the local writes of the key fall, and an event names them.
  case remote
  /// Nothing is decided: the write is parked for this reason.
  case parked(String)
}
