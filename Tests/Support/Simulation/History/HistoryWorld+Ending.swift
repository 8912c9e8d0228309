import FreshStore
import FreshStoreTesting
import FreshSync
import Strategies

/// The end of a history, and the facts that must be true once no obstacle is left.
extension HistoryWorld {
  /// Removes all obstacles: everything is answered at once, and all synchronizers run.
  func beginToEnd() throws {
    try begin(.network(isOffline: false))
    fleet?.settle()
    source.beginToAnswer()
    for (store, life) in firstLives.enumerated() {
      if try !life.store.holds().isEmpty { try begin(.endPauses(store: store)) }
    }
    try begin(.retry)
    for store in lives.indices { try begin(.run(store: store)) }
  }

  /// Restarts a synchronizer that was stopped, and that waited at first for hanging requests.
  func keepRunning() throws {
    guard setting.trouble == .hangs else { return }
    for store in lives.indices { try begin(.run(store: store)) }
  }

  /// Overdue work: requests that should have been sent by now.
  func waiting() throws -> String? {
    for host in firstLives.indices {
      if let words = try waiting(on: host) { return words }
    }
    return try behind()
  }

  private func waiting(on host: Int) throws -> String? {
    let life = lives[host]
    let writes = sendable(try life.store.outbox())
    if let write = writes.first {
      let record = Place.record(write.collection, write.key).map(Place.words) ?? write.key
      return "\(writes.count) local writes wait, one of \(record), \(write.state), "
        + "sent \(write.attempts) times"
    }
    // A list some of whose members were removed here comes whole the next time; a list whose follower has
    // gone before the answer came is asked for again.
    let told = source.listsTold(host)
    for list in [0, 1] where !(setting.trouble == .hangs && list == 1) {
      let cursor = try life.collections[list].listCursor(Place.list)
      if cursor == nil || cursor != told[list] { return "a list is not followed" }
    }
    // The queue of a misbehaving source never ends.
    guard setting.trouble == nil else { return try holes() }
    guard let due = try life.store.backlog().nextDue else { return nil }
    return "a record waits for its refetch since "
      + "\(machine(of: host).reading().wall.duration(since: due)) ago"
  }

  /// The entries that no misbehaving source holds up, neither their own nor that of one before them.
  private func sendable(_ entries: [OutboxEntry]) -> [OutboxEntry] {
    var (blocked, records): (Set<OutboxEntry.ID>, Set<Int>) = ([], [])
    return entries.filter { entry in
      let record = Place.record(entry.collection, entry.key)
      let isBlocked =
        record.map { source.isTroubled($0) || records.contains($0) } ?? false
        || entry.after.map { blocked.contains($0) } ?? false
      guard isBlocked else { return true }
      blocked.insert(entry.id)
      if let record { records.insert(record) }
      return false
    }
  }

  /// A synchronizer that is held up by its store, although the store works.
  func heldUp() -> String? {
    guard !wasLocked else { return nil }
    for (store, life) in lives.enumerated() {
      if let failure = life.synchronizer.status.failure {
        return "the synchronizer of store \(store) leaves its store alone: \(failure)"
      }
    }
    return nil
  }

  /// The records whose local writes have not arrived, and are not expected to have arrived.
  func held() throws -> Set<Int> {
    Set(
      try firstLives.flatMap { try $0.store.outbox() }
        .compactMap { Place.record($0.collection, $0.key) })
  }

  /// Members of lists that are missing, although their lists were followed.
  func holes() throws -> String? {
    // A deletion that cannot be sent shows the record as gone.
    let held = try held()
    for (store, life) in lives.enumerated() {
      for record in 0..<Place.count
      where history.isOnList(record) && !source.isTroubled(record) && !held.contains(record) {
        if case .missing(let decision) = try life.read(record) {
          return "store \(store) has nothing of \(Place.words(record)), which is on its list: "
            + "\(decision.cause)"
        }
      }
    }
    return nil
  }

  /// Checks the whole file of a host.
  func check(_ number: Int, on host: Int) {
    run(host, number: number) { life in
      let check = try await life.store.check()
      return check.isSound ? "sound" : "\(check)"
    }
  }
}
