/// A source's answer about one member of a list.
public enum ListMember<Value: Sendable>: Sendable {
  /// Its current value.
  case value(Value, FetchDetails)
  /// It is on the list, without news of its value: a copy stays as it is, neither renewed nor marked, and
  /// a missing one is queued for a fetch of its own. A later answer that does not mention it vouches for
  /// a copy that was fetched after this one, and for no older copy.
  case named
  /// It is on the list, and the copy here is current, by the version or the validators that the source
  /// was told or the program compared: the copy is renewed as by a fetch that finds it not modified,
  /// however old it is. A missing one is queued, and so is a damaged one, or one of another content
  /// version.
  case unchanged
  /// It is on the list and differs from the copy, whatever that is: the copy is marked stale, a
  /// missing one is queued.
  case changed

  /// A value without further details.
  public static func value(_ value: Value) -> ListMember { .value(value, FetchDetails()) }
}

extension ListMember: Equatable where Value: Equatable {}
