package import Strategies

extension RecordCollection {
  /// Synchronizes the members of a list with their source. It requests the list, or its changes since the last time. In
  /// one transaction it stores the answer with the new cursor, and removes members that have left.
  ///
  /// A list is a name in the collection, such as `inbox` or `tag/42`. A record may be on several lists, and is removed
  /// when it has left the last. Records that are on no list stay.
  ///
  /// A pinned record is not removed, and one with a pending write is neither removed nor overwritten. It goes with the
  /// first answer that is requested after its pin or its push has ended, unless that answer brings it back.
  ///
  /// Each member is admitted on its own: one that breaks its rules is reported, and its old copy is marked stale; the
  /// others are stored. A failed fetch changes nothing but the pause, which is kept as a record's is.
  ///
  /// As with `get`, the answer is as old as its request, and a mark set during the request covers it. Records that were
  /// put, pushed or requested later are not overwritten, but marked stale where the list differs.
  /// Members without a last update of their own, and their expiry, count from that request
  /// (``Policy/ageBase``).
  ///
  /// A member's value comes with its validators, or its local writes are sent without a condition
  /// (``ListMember``).
  ///
  /// An answer to a cursor vouches for the members that it does not mention: they have not changed since. It renews
  /// each copy that is intact and at least as new as the cursor, as a fetch does that finds it not modified. So one
  /// request keeps a whole list fresh.
  ///
  /// Without a cursor the whole list is asked for, and any answer with members is the whole list, changes
  /// since nothing included (``SourceListChange``).
  ///
  /// A list may come in pages (``SourceListChange/fullPage(_:next:cursor:)``,
  /// ``SourceListChange/deltaPage(_:removals:next:cursor:)``): each is stored as it comes, with the token of
  /// the next one, and an update that was interrupted goes on with that. Members that are on no page are
  /// removed with the last one, with which the cursor moves. Pages that go in circles fail, as do more
  /// than 10,000 of them in one update; what was stored stays, and the next update begins with the first page.
  ///
  /// The whole list is requested when a member was removed here, and after ``restart(list:)``. It is also requested
  /// when the list was last followed under another version of the program's content: its members then come with the
  /// list, and not one by one.
  ///
  /// - Parameters:
  ///   - list: 1 to 1,024 bytes of UTF-8.
  ///   - policy: Replaces the collection's: the expiry of the list, and of members whose details state
  ///     none, its origin, its hard timeout, its pauses.
  ///   - fetch: Asks the source.
  /// - Throws: ``GetError``, whose key is the list's name: `offline` without an attempt; `fetchFailed`; `cancelled`;
  ///   `store` when the store failed. Its error is `busy` where another owner is following the list, `superseded`
  ///   where the list was restarted or forgotten meanwhile, and one of `wiped` and `superseded` after a wipe.
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

  /// Lets the next update of a list request all of it, and makes that due now. Members stay, and are
  /// served meanwhile. A running update stores nothing more; a pause after failures ends. Durable when
  /// it returns; synchronizers in any process are woken.
  ///
  /// Nobody has to call it after a removal of members here, which leads to the whole list by itself.
  ///
  /// - Returns: False when the list was never followed.
  @discardableResult
  public func restart(list: String) async throws(StoreError) -> Bool {
    try check(list, .follow)
    let now = store.now()
    return try await store.queue.run { [store, name] () throws(StoreError) in
      try store.storage.restartList(list, in: name, now: now)
    }
  }

  /// Forgets a list, with its cursor and its failures, in one transaction; a later update begins as the
  /// first one did, and a synchronizer that follows it still does so at once. A running update stores
  /// nothing more. Durable when it returns.
  ///
  /// - Parameter removingMembers: True removes its members, too, and what has left it and stays for now,
  ///   except those that are pinned, that have a pending write, or that are on another list. Otherwise
  ///   they stay, as records that are on no list.
  /// - Returns: The keys that were removed.
  @discardableResult
  public func forget(
    list: String, removingMembers: Bool = false
  ) async throws(StoreError) -> [String] {
    try check(list, .follow)
    let now = store.now()
    let removed = try await store.queue.run { [store, name] () throws(StoreError) in
      try store.storage.forgetList(
        list, in: name, removingMembers: removingMembers, now: now)
    }
    let settled = Set(names: removed)
    store.closeFlights(name) { settled.contains($0) }
    return removed
  }

  /// The cursor for requesting changes from the source; `nil` when the whole list is to be requested.
  package func listCursor(_ list: String) throws(StoreError) -> String? {
    try store.storage.listState(list, in: name)?.cursor
  }

  /// The time of the next update of the list; `nil` when its expiry never comes.
  ///
  /// A list that was never followed is due now. So is a list that was followed by a clock that has since been set back,
  /// or under an older version of the program's content, unless it pauses after a failure.
  package func listDue(_ list: String) throws(StoreError) -> Timestamp? {
    due(try store.storage.listState(list, in: name))
  }

  /// When a list is to be followed again (``listDue(_:)``), and how to tell whether somebody asks for it.
  package func listStanding(_ list: String) throws(StoreError) -> ListStanding {
    let state = try store.storage.listState(list, in: name)
    return ListStanding(state, due: due(state))
  }

  private func due(_ state: Storage.ListState?) -> Timestamp? {
    let now = store.now().wall
    guard let state else { return now }
    // Not under a younger one: of two programs on one file neither keeps undoing what the other does.
    if state.contentVersion < contentVersion, state.failures == 0 { return now }
    let latest = now.advanced(by: store.configuration.allowedSkew)
    guard state.lastUpdate.map({ $0 <= latest }) ?? true else { return now }
    return state.dueAt
  }
}

/// The facts that decide when a list is followed again.
package struct ListStanding: Sendable, Hashable {
  private struct State: Hashable {
    let isAnew: Bool
    let dueAt: Timestamp?
    let failures: Int64
    let answered: Int64
  }

  /// When it is to be followed again; `nil` for never.
  package let due: Timestamp?
  /// `nil` when it was never followed, or was forgotten since.
  private let state: State?

  init(_ state: Storage.ListState?, due: Timestamp?) {
    self.due = due
    self.state = state.map { state in
      State(
        isAnew: state.lastUpdate == nil && state.failures == 0 && state.walk == nil,
        dueAt: state.dueAt, failures: state.failures, answered: state.answered)
    }
  }

  /// True when somebody has asked for the list since an update left it like that: it was restarted or
  /// forgotten, all was wiped, or its pause after a failure was ended. Another update by somebody is none
  /// of these.
  package func isAskedFor(since left: ListStanding) -> Bool {
    guard let state else { return left.state != nil }
    if state.isAnew { return state != left.state }
    guard let former = left.state else { return false }
    return state.answered == former.answered && state.failures == former.failures
      && state.dueAt != former.dueAt
  }
}
