/// A source's answer about one member of a list.
///
/// State the validators of a value, where the source has some (``value(_:entityTag:)``): a local write of the
/// member is based on them. Without them it is sent without a condition (HTTP: `If-Match`), so that nobody
/// notices that the object was changed by somebody else meanwhile, and no conflict is ever met.
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

  /// A value without further details, of a source that has no validators.
  public static func value(_ value: Value) -> ListMember { .value(value, FetchDetails()) }

  /// A value with its entity tag, as a fetch of the member would state it, quotes included (RFC 9110 section
  /// 8.8.3); `nil` for none.
  public static func value(_ value: Value, entityTag: String?) -> ListMember {
    .value(value, FetchDetails(validators: Validators(entityTag: entityTag)))
  }
}

extension ListMember: Equatable where Value: Equatable {}
