/// One thing that happens. One that makes no sense where it stands, because what came before it was
/// taken out of the script, does nothing.
public enum HistoryOperation: Codable, Hashable, Sendable {
  /// What waits for an answer.
  public enum Request: String, Codable, CaseIterable, Sendable {
    case fetch, push, list, resolver, rule
  }

  /// How it is answered.
  public enum Manner: String, Codable, CaseIterable, Sendable {
    /// By what the source holds now.
    case now
    /// By what the source held when it was asked: the answer took its time.
    case asAsked
    /// By what it holds now; the answer is lost on its way.
    case lost
    /// With an error, and nothing was done.
    case failed
    /// Never, for a write.
    case refused
  }

  /// What a mark covers.
  public enum Scope: Codable, Hashable, Sendable {
    case record(Int), tag, prefix(collection: Int), collection(Int)
  }

  // MARK: Callers

  case get(store: Int, record: Int, isForced: Bool)
  /// The records of a collection, with one fetch.
  case getAll(store: Int, collection: Int)
  /// Whoever waits for a get goes.
  case cancelGets(store: Int)
  case mark(store: Int, scope: Scope)
  case put(store: Int, record: Int)
  case remove(store: Int, record: Int)
  case removeAll(store: Int, collection: Int)
  /// All but so many records go.
  case prune(store: Int, leaves: Int)
  case sweep(store: Int)
  /// A copy is imported that was true so many changes of the source ago.
  case take(store: Int, record: Int, age: Int)
  case write(store: Int, record: Int, coalesces: Bool, isDeletion: Bool)
  /// Local writes are handed out and sent.
  case push(store: Int, count: Int)
  case retry
  case drop(which: Int)
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
  /// Answers what waits, counted from the oldest and round again.
  case answer(Request, which: Int, Manner)
  /// A push arrives, and is not answered yet.
  case arrive(which: Int)

  // MARK: Trouble

  /// Somebody else has the file locked until this step is over.
  case lock
  /// In seconds, as all that follow.
  case advance(Int)
  case stepWall(Int)
  case suspend(Int)
  case network(isOffline: Bool)
  /// A process dies, gives nothing back, and is started anew.
  case kill(store: Int)

  /// The store that does it.
  var store: Int? {
    switch self {
    case .get(let store, _, _), .getAll(let store, _), .cancelGets(let store),
      .mark(let store, _), .put(let store, _), .remove(let store, _), .removeAll(let store, _),
      .prune(let store, _), .sweep(let store), .take(let store, _, _), .write(let store, _, _, _),
      .push(let store, _), .follow(let store, _), .cancelFollowing(let store), .run(let store),
      .stop(let store), .kill(let store):
      store
    case .retry, .drop, .change, .erase, .relist, .answer, .arrive, .lock, .advance, .stepWall,
      .suspend, .network:
      nil
    }
  }
}
