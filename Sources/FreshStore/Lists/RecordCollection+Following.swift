package import Strategies

extension RecordCollection {
  /// Brings the members of a list into step with their source: asks it for the list, or for what has
  /// changed since the last time, stores what it brings, and removes what it no longer has, all in
  /// one transaction with the new cursor.
  ///
  /// A list is a name in the collection, such as `inbox` or `tag/42`; a record may be on several and
  /// is removed when it has left the last. Records that are on no list are left alone. A pinned
  /// record is never removed, one with a pending write neither removed nor overwritten. Each member
  /// is admitted for itself: one that breaks its rules is reported, and its old copy marked stale; the
  /// others go in. A fetch that fails leaves everything as it was; its pause is kept as a record's is.
  ///
  /// As with `get`, what comes is as old as its question: a mark that came while the source was asked
  /// covers it, and what was put, pushed or asked for later is not overwritten, but marked stale where
  /// the list says something else. When a member is removed here, the list comes whole the next time.
  ///
  /// - Parameters:
  ///   - list: 1 to 1,024 bytes of UTF-8.
  ///   - policy: In place of the collection's: the expiry of the list, and of members whose details
  ///     state none, its origin, its hard timeout, its pauses.
  ///   - fetch: Asks the source.
  /// - Throws: ``GetError``, whose key is the list's name: `offline` without an attempt; `fetchFailed`;
  ///   `store` when the store failed, or somebody else is following the list (`busy`); `cancelled`.
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

  /// What the source will be sent to ask it for changes; `nil` when the list is to come whole.
  package func listCursor(_ list: String) throws(StoreError) -> String? {
    try store.storage.listState(list, in: name)?.cursor
  }

  /// When the list is to be followed again; `nil` when its expiry never comes. One that was never
  /// followed is due now, and one that was by a clock that has since been set back.
  package func listDue(_ list: String) throws(StoreError) -> Timestamp? {
    let now = store.now().wall
    guard let state = try store.storage.listState(list, in: name) else { return now }
    let latest = now.advanced(by: store.configuration.allowedSkew)
    guard state.lastUpdate.map({ $0 <= latest }) ?? true else { return now }
    return state.dueAt
  }
}
