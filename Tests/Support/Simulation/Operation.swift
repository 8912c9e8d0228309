public import FreshStore

/// One event. An event that makes no sense in its place, because earlier events were
/// removed from the script, has no effect.
public enum Operation: Codable, Hashable, Sendable {
  case get(store: Int, key: String, how: How)
  /// Several keys at once.
  case getAll(store: Int, keys: [String], how: How)
  /// The source answers a fetch that waits for the key, counted from the oldest and round again; one
  /// for several keys says that of the others, too, or nothing.
  case answer(key: String, which: Int, reply: Reply, others: Reply?)
  /// The source answers a fetch that its store has given up, counted from the oldest and round again.
  case answerLate(which: Int, reply: Reply)
  /// Every task that waits in a store for a key is cancelled.
  case cancel(store: Int, key: String)
  case put(store: Int, key: String, value: Int, lifetime: Lifetime, isTagged: Bool?)
  case remove(store: Int, key: String)
  case mark(store: Int, scope: Scope)
  case write(store: Int, key: String, kind: OutboxEntry.Kind, value: Int, coalesces: Bool)
  /// A form is opened: it keeps the present copy until it is opened again.
  case open(store: Int, key: String)
  /// The form of a key is saved: the write is based on the copy that it was opened with.
  case save(store: Int, key: String, value: Int, isDeletion: Bool, coalesces: Bool)
  /// One is added to the present value, or to 0, in one step.
  case increment(store: Int, key: String)
  /// A write with a place of its own in the order; `after` counts the entries of the outbox from the oldest
  /// and round again.
  case enqueue(
    store: Int, key: String, value: Int, coalesces: Bool, priority: Int, after: Int?)
  /// Local writes are handed out and sent, each by itself.
  case push(store: Int, count: Int)
  /// The source answers a push that waits, counted from the oldest and round again.
  case settle(which: Int, reply: PushReply)
  /// The synchronizer does all due work.
  case drain(store: Int)
  case retry(which: Int)
  /// An entry of the outbox gets another value.
  case correct(which: Int, value: Int)
  case drop(which: Int)
  case sweep(store: Int)
  /// The work with an origin is held, and goes on; nothing is, where no policy names one.
  case hold(store: Int, origin: String)
  case release(store: Int, origin: String)
  case endPauses(store: Int)
  /// All that is in the store is removed; open forms are closed.
  case wipe(store: Int)
  /// In seconds, like all that follow.
  case advance(Int)
  /// The wall clock is set.
  case stepWall(Int)
  /// The machine sleeps: time passes, and no task notices.
  case suspend(Int)
  /// Every process dies, and the machine restarts.
  case reboot(Int)
  case network(isOffline: Bool)
  /// A store is closed and opened again.
  case reopen(store: Int)
  /// A process dies, gives nothing back, and is restarted.
  case kill(store: Int)
}
