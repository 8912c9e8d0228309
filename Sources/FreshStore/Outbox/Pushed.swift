/// What a source said to a local write that was pushed to it.
///
/// An error thrown by the push means that nothing is known: the write is sent again, under the same
/// idempotency key, after a pause.
public enum Pushed<Value: Sendable>: Sendable {
  /// It took the write as it was; the details say what to store beside the value.
  case accepted(FetchDetails)
  /// It took the write, and this is what it made of it.
  case acceptedAs(Value, FetchDetails)
  /// It holds something else than the write was made upon; this is what it holds. `notModified` is
  /// not an answer here and counts as a failed push.
  case conflict(Fetched<Value>)
  /// It will never take the write, for this reason: the write is parked.
  case refused(String)

  /// The source took the write, and nothing else is known.
  public static var accepted: Pushed { .accepted(FetchDetails()) }

  /// The same answer with other values, such as those its bytes stand for.
  public func map<Other>(_ transform: (Value) throws -> Other) rethrows -> Pushed<Other> {
    switch self {
    case .accepted(let details): .accepted(details)
    case .acceptedAs(let value, let details): .acceptedAs(try transform(value), details)
    case .conflict(let current): .conflict(try current.map(transform))
    case .refused(let reason): .refused(reason)
    }
  }
}
