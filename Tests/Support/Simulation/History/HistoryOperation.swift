/// One event. An event that makes no sense in its place, because earlier events were
/// removed from the script, has no effect.
public enum HistoryOperation: Codable, Hashable, Sendable {
  /// The kind of request that waits for an answer.
  public enum Request: String, Codable, CaseIterable, Sendable {
    case fetch, push, list, resolver, rule
  }

  /// The kind of answer.
  public enum Manner: String, Codable, CaseIterable, Sendable {
    /// With the source's present value.
    case now
    /// With the source's value at the time of the question: a slow answer.
    case asAsked
    /// With the present value; the answer is lost.
    case lost
    /// With an error, and without an effect.
    case failed
    /// Never, for a write.
    case refused
  }

  /// The scope of a mark.
  public enum Scope: Codable, Hashable, Sendable {
    case record(Int), tag, prefix(collection: Int), collection(Int)
  }

  // MARK: Callers

  case get(store: Int, record: Int, isForced: Bool)
  /// The records of a collection, with one fetch.
  case getAll(store: Int, collection: Int)
  /// The tasks that wait for a get are cancelled.
  case cancelGets(store: Int)
  case mark(store: Int, scope: Scope)
  case put(store: Int, record: Int)
  case remove(store: Int, record: Int)
  case removeAll(store: Int, collection: Int)
  /// All but this many records are removed.
  case prune(store: Int, leaves: Int)
  case sweep(store: Int)
  /// All that is in the store is removed; open forms are closed.
  case wipe(store: Int)
  /// A copy is imported that was current this many changes of the source ago.
  case take(store: Int, record: Int, age: Int)
  case write(store: Int, record: Int, coalesces: Bool, isDeletion: Bool)
  /// A form is opened: it keeps the present copy until it is opened again.
  case open(store: Int, record: Int)
  /// The form of a record is saved: the write is based on the copy that it was opened with.
  case save(store: Int, record: Int, coalesces: Bool, isDeletion: Bool)
  /// A value is made from the present one, in one step.
  case update(store: Int, record: Int)
  /// A write with a place of its own in the order; `after` counts the entries of the outbox.
  case enqueue(store: Int, record: Int, priority: Int, after: Int?)
  /// Local writes are handed out and sent.
  case push(store: Int, count: Int)
  case retry
  /// An entry of the outbox gets another value.
  case correct(which: Int)
  case drop(which: Int)
  /// The origin of a collection is held, and released.
  case hold(store: Int, collection: Int)
  case release(store: Int, collection: Int)
  case endPauses(store: Int)
  case follow(store: Int, collection: Int)
  case cancelFollowing(store: Int)
  /// The store's synchronizer runs from now on.
  case run(store: Int)
  case stop(store: Int)

  // MARK: The source

  case change(record: Int)
  case erase(record: Int)
  /// Takes a record off its list, or puts it back.
  case relist(record: Int)
  /// Answers a waiting request, counted from the oldest and round again.
  case answer(Request, which: Int, Manner)
  /// A push arrives, and is not answered yet.
  case arrive(which: Int)

  // MARK: Trouble

  /// Another program has the file locked until this step is over.
  case lock
  /// In seconds, like all that follow.
  case advance(Int)
  case stepWall(Int)
  case suspend(Int)
  case network(isOffline: Bool)
  /// A process dies, gives nothing back, and is restarted.
  case kill(store: Int)
  /// Something between the hosts of a fleet and what they share.
  case fleet(HistoryFleetEvent)

  /// The store of the operation.
  var store: Int? {
    switch self {
    case .get(let store, _, _), .getAll(let store, _), .cancelGets(let store),
      .mark(let store, _), .put(let store, _), .remove(let store, _), .removeAll(let store, _),
      .prune(let store, _), .sweep(let store), .take(let store, _, _), .write(let store, _, _, _),
      .open(let store, _), .save(let store, _, _, _), .update(let store, _),
      .enqueue(let store, _, _, _), .hold(let store, _), .release(let store, _),
      .endPauses(let store), .wipe(let store),
      .push(let store, _), .follow(let store, _), .cancelFollowing(let store), .run(let store),
      .stop(let store), .kill(let store):
      store
    case .retry, .correct, .drop, .change, .erase, .relist, .answer, .arrive, .lock, .advance,
      .stepWall, .suspend, .network, .fleet:
      nil
    }
  }
}
