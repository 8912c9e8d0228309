import Synchronization

/// Wipes that were acknowledged: nothing from before a wipe is left on its host.
///
/// The other hosts and their shared tier go on as before. Only marks judge what they must not
/// serve, and their records come to the wiped host again.
extension History {
  /// A wipe begins, and may take everything with it.
  func beginWipe(on host: Int) {
    lose(on: host)
    beginRelease(0...1, on: host)
  }

  /// It has ended in some way; what was written meanwhile may have gone with the rest.
  func endWipe(on host: Int) {
    endRelease(on: host)
    lose(on: host)
  }

  /// A wipe that began then is acknowledged.
  func wiped(since event: Int, on host: Int) {
    state.withLock { $0.hosts[host].wiped = (begun: event, ended: $0.next()) }
  }

  /// A host hears of a record that its fleet has, which may be from before a wipe of that host.
  func found(_ record: Int, on host: Int) {
    state.withLock { $0.hosts[host].found[record] = $0.next() }
  }

  private func lose(on host: Int) {
    forget(0..<Place.count, on: host)
    state.withLock { state in
      // The fleet never hears of a mark that was kept for it; of the others its journal tells.
      state.acknowledged.removeAll { $0.host == host }
      for index in state.writes.indices where state.writes[index].host == host {
        state.writes[index].isDropped = true
      }
    }
  }

  /// A store shows a value to whoever began to look on that ground.
  func judge(kept value: Int, _ ground: Ground, by who: String) {
    state.withLock { state in
      let found = state.hosts[ground.host].found
      if state.editions.indices.contains(value),
        found[state.editions[value].record] > ground.wiped
      {
        return
      }
      state.judge(kept: value, since: ground.wiped, by: who)
    }
  }

  /// A local write is sent. A write that was in flight before a wipe has reached the source by the
  /// time that the world comes to rest.
  func judge(sent value: Int, on host: Int, by who: String) {
    state.withLock { state in
      let wiped = state.hosts[host].wiped
      guard wiped.ended < state.lastRest else { return }
      state.judge(kept: value, since: wiped.begun, by: who)
    }
  }

  /// Local writes with these names wait.
  func judge(waiting names: Set<String>, on host: Int) {
    state.withLock { state in
      let wiped = state.hosts[host].wiped
      for write in state.writes where write.host == host {
        guard let name = write.idempotencyKey, let ended = write.ended,
          ended < wiped.begun, names.contains(name)
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
