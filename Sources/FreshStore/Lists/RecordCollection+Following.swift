package import Strategies

extension RecordCollection {
  /// Synchronizes the members of a list with their source: requests the list, or its changes since the
  /// last time, stores the answer, and removes members that have left, all in one transaction with the
  /// new cursor.
  ///
  /// A list is a name in the collection, such as `inbox` or `tag/42`; a record may be on several and is
  /// removed when it has left the last. Records that are on no list are left alone. A pinned record is
  /// never removed, one with a pending write neither removed nor overwritten. Each member is admitted on
  /// its own: one that breaks its rules is reported, and its old copy marked stale; the others are
  /// stored. A failed fetch changes nothing; its pause is kept as a record's is.
  ///
  /// As with `get`, the answer is as old as its request: a mark set during the request covers it, and
  /// records put, pushed or requested later are not overwritten, but marked stale where the list differs.
  /// When a member is removed here, the next update requests the whole list.
  ///
  /// - Parameters:
  ///   - list: 1 to 1,024 bytes of UTF-8.
  ///   - policy: Replaces the collection's: the expiry of the list, and of members whose details state
  ///     none, its origin, its hard timeout, its pauses.
  ///   - fetch: Asks the source.
  /// - Throws: ``GetError``, whose key is the list's name: `offline` without an attempt; `fetchFailed`;
  ///   `store` when the store failed, or another owner is following the list (`busy`); `cancelled`.
  public func follow(
    _ list: String, policy: Policy? = nil,
    fetch: @escaping @Sendable (PreviousList) async throws -> SourceListChange<Value>
  ) async throws(GetError) -> FollowedList {
    let follower = ListFollower(
      collection: self, list: list, policy: policy ?? self.policy, fetch: fetch)
    return try await follower.follow()
  }

  /// The keys on a list, in order of their bytes; empty when it was never followed.
  public func members(of list: String) throws(StoreError) -> [String] {
    try check(list, .read)
    return try store.storage.members(of: list, in: name)
  }

  /// The cursor for requesting changes from the source; `nil` when the whole list is to be requested.
  package func listCursor(_ list: String) throws(StoreError) -> String? {
    try store.storage.listState(list, in: name)?.cursor
  }

  /// The time of the next update of the list; `nil` when its expiry never comes. A list that was
  /// never followed is due now, and so is one followed by a clock that has since been set back.
  package func listDue(_ list: String) throws(StoreError) -> Timestamp? {
    let now = store.now().wall
    guard let state = try store.storage.listState(list, in: name) else { return now }
    let latest = now.advanced(by: store.configuration.allowedSkew)
    guard state.lastUpdate.map({ $0 <= latest }) ?? true else { return now }
    return state.dueAt
  }
}
