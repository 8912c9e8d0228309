/// What a source says of one member of a list.
public enum ListMember<Value: Sendable>: Sendable {
  /// Its present value.
  case value(Value, FetchDetails)
  /// It is on the list, and nothing is said of its value: a copy stays as it is, one that is missing
  /// is queued for a fetch of its own.
  case named
  /// It is on the list and differs from the copy, whatever that is: the copy is marked stale, one
  /// that is missing is queued.
  case changed

  /// A value about which nothing else is known.
  public static func value(_ value: Value) -> ListMember { .value(value, FetchDetails()) }
}

extension ListMember: Equatable where Value: Equatable {}
