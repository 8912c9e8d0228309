/// A source's answer about one member of a list.
public enum ListMember<Value: Sendable>: Sendable {
  /// Its current value.
  case value(Value, FetchDetails)
  /// It is on the list, without news of its value: a copy stays as it is, a missing one is queued
  /// for a fetch of its own.
  case named
  /// It is on the list and differs from the copy, whatever that is: the copy is marked stale, a
  /// missing one is queued.
  case changed

  /// A value without further details.
  public static func value(_ value: Value) -> ListMember { .value(value, FetchDetails()) }
}

extension ListMember: Equatable where Value: Equatable {}
