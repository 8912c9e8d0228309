/// A source's answer to a pushed local write.
///
/// An error thrown by the push means that nothing is known: the write is sent again, under the same
/// idempotency key, after a pause.
public enum Pushed<Value: Sendable>: Sendable {
  /// It accepted the write unchanged; the details state facts to store beside the value. The validators of
  /// the new version belong to them: without any, the next write cannot depend on it.
  case accepted(FetchDetails)
  /// It accepted the write, and changed it to this value. A local write that was made from the value as
  /// written, whether it waits already or not, follows it; where the policy merges, any but a patch is a
  /// conflict instead, unless both values are the same.
  case acceptedAs(Value, FetchDetails)
  /// Its state differs from the write's base; this is its current state. `notModified` is not an
  /// answer here and counts as a failed push.
  case conflict(Fetched<Value>)
  /// It will never accept the write: the write is parked, and keeps what the source has said
  /// (``OutboxEntry/refusal``). Words alone will do: `.refused("the report is closed")`.
  case refused(Refusal)

  /// The source accepted the write, without further details.
  public static var accepted: Pushed { .accepted(FetchDetails()) }

  /// The same answer with transformed values, such as their decoded form.
  public func map<Other>(_ transform: (Value) throws -> Other) rethrows -> Pushed<Other> {
    switch self {
    case .accepted(let details): .accepted(details)
    case .acceptedAs(let value, let details): .acceptedAs(try transform(value), details)
    case .conflict(let current): .conflict(try current.map(transform))
    case .refused(let refusal): .refused(refusal)
    }
  }
}
