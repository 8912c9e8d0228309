import Synchronization

/// Wipes, as far as they were acknowledged: of what was there before nothing is left.
extension History {
  /// A wipe begins, and may take everything with it.
  func beginWipe() {
    lose()
    beginRelease(0...1)
  }

  /// It has ended in some way; what was written meanwhile may have gone with the rest.
  func endWipe() {
    endRelease()
    lose()
  }

  /// A wipe that began then is acknowledged.
  func wiped(since event: Int) {
    state.withLock { $0.wiped = (begun: event, ended: $0.next()) }
  }

  private func lose() {
    forget(0..<Place.count)
    state.withLock { state in
      for index in state.writes.indices { state.writes[index].isDropped = true }
    }
  }

  /// A store shows a value to whoever began to look on that ground.
  func judge(kept value: Int, _ ground: Ground, by who: String) {
    state.withLock { $0.judge(kept: value, since: ground.wiped, by: who) }
  }

  /// A local write is sent. Whatever was on its way before a wipe has reached the source by the time that
  /// the world comes to rest.
  func judge(sent value: Int, by who: String) {
    state.withLock { state in
      guard state.wiped.ended < state.lastRest else { return }
      state.judge(kept: value, since: state.wiped.begun, by: who)
    }
  }

  /// Local writes with these names wait.
  func judge(waiting names: Set<String>) {
    state.withLock { state in
      for write in state.writes {
        guard let name = write.idempotencyKey, let ended = write.ended,
          ended < state.wiped.begun, names.contains(name)
        else { continue }
        state.find(
          "a local write of \(Place.words(write.record)) waits that was there before a wipe")
      }
    }
  }
}

extension History.State {
  fileprivate mutating func judge(kept value: Int, since wiped: Int, by who: String) {
    guard editions.indices.contains(value), editions[value].arriving == 0,
      editions[value].arrivedAt < wiped
    else { return }
    let name = "edition \(value) of \(Place.words(editions[value].record))"
    find("\(who) has \(name), which was there before a wipe, and has not come again")
  }
}
