/// What a source answers when it is asked for a list.
public enum SourceListChange<Value: Sendable>: Sendable {
  /// The whole list: what is not on it any more is removed. The cursor is handed back at the next
  /// fetch; `nil` when the source knows none.
  case full([String: ListMember<Value>], cursor: String?)
  /// What has changed since the cursor that was sent.
  case delta([String: ListMember<Value>], removals: [String], cursor: String?)
  /// Nothing has changed since the cursor, or the validators, that were sent.
  case notModified
  /// The source does not know the cursor any more: it is asked again, without one.
  case expiredCursor
}

extension SourceListChange: Equatable where Value: Equatable {}
