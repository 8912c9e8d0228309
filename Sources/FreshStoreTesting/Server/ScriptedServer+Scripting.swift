public import FreshStore
internal import Synchronization

extension ScriptedServer {
  /// Replies to the next fetches, one each; those of a key go before those to any.
  public func answerFetches(
    of key: String? = nil, with replies: ScriptedReply<Fetched<Value>>...
  ) {
    state.withLock { $0.fetchReplies.add(replies, for: key) }
  }

  /// Replies to the next pushes, one each; those of a key go before those to any.
  public func answerPushes(
    of key: String? = nil, with replies: ScriptedReply<Pushed<Value>>...
  ) {
    state.withLock { $0.pushReplies.add(replies, for: key) }
  }

  /// Replies to the next requests for lists, one each; those of a list go before those to any.
  public func answerLists(
    of name: String? = nil, with replies: ScriptedReply<SourceListChange<Value>>...
  ) {
    state.withLock { $0.listReplies.add(replies, for: name) }
  }

  /// Says which objects are on a list; on one of which nothing was said are all of them. Cursors so far
  /// expire.
  public func setMembers(
    of list: String, _ isMember: @escaping @Sendable (_ key: String, _ value: Value) -> Bool
  ) {
    state.withLock { state in
      state.memberships[list] = isMember
      state.objects.expireCursors()
    }
  }

  /// Forgets all cursors that it has given out: a list is then asked for in full.
  public func expireCursors() {
    state.withLock { $0.objects.expireCursors() }
  }

  /// Makes every request fail from now on, until ``comeBack()``; the script waits.
  public func goDown(_ error: any Error = ScriptedFailure("the server is down")) {
    state.withLock { $0.outage = error }
  }

  /// Answers requests again.
  public func comeBack() {
    state.withLock { $0.outage = nil }
  }

  /// Lets requests hang on their way from now on; they count as asked.
  public func hold() {
    state.withLock { $0.isHeld = true }
  }

  /// Lets the hanging requests arrive, those of senders that have given up too, and later ones at once.
  public func release() {
    let (latch, orphans) = state.withLock { state in
      defer { (state.latch, state.orphans) = (Latch(isOpen: false), []) }
      state.isHeld = false
      return (state.latch, state.orphans)
    }
    for arrive in orphans { arrive() }
    latch.open()
  }
}
