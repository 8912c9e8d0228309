/// A source's answer to a request for a list.
public enum SourceListChange<Value: Sendable>: Sendable {
  /// The whole list: members missing from it are removed. The next fetch gets the cursor back;
  /// `nil` when the source has none.
  case full([String: ListMember<Value>], cursor: String?)
  /// The changes since the cursor that was sent.
  case delta([String: ListMember<Value>], removals: [String], cursor: String?)
  /// Nothing has changed since the cursor, or the validators, that were sent.
  case notModified
  /// The source no longer knows the cursor: it is asked again, without one.
  case expiredCursor
}

extension SourceListChange: Equatable where Value: Equatable {}
