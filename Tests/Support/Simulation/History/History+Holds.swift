import Synchronization

/// Origins that are held, as far as that was acknowledged.
extension History {
  /// The number of releases that have begun; a hold that is acknowledged after one more may be over.
  func releases(on host: Int) -> Int { state.withLock { $0.hosts[host].releases } }

  /// A hold that began after so many releases is acknowledged.
  func held(_ collection: Int, after releases: Int, on host: Int) {
    state.withLock { state in
      let known = state.hosts[host]
      guard known.openReleases == 0, known.releases == releases else { return }
      state.hosts[host].heldSince[collection] = known.heldSince[collection] ?? state.next()
    }
  }

  func beginRelease(_ collections: some Sequence<Int>, on host: Int) {
    state.withLock { state in
      state.hosts[host].releases += 1
      state.hosts[host].openReleases += 1
      for collection in collections { state.hosts[host].heldSince[collection] = nil }
    }
  }

  func endRelease(on host: Int) { state.withLock { $0.hosts[host].openReleases -= 1 } }

  /// A caller that heeds pauses asks a source. A caller that passed before the origin was held has
  /// asked the source by the time that the world comes to rest.
  func judge(asking collection: Int, on host: Int, by who: String) {
    state.withLock { state in
      guard let since = state.hosts[host].heldSince[collection], since < state.lastRest else {
        return
      }
      state.find("\(who) asks a source whose origin is held")
    }
  }

  /// A local write is sent: the one that comes of a conflict goes with the question before it.
  func judge(pushing record: Int, on host: Int, by who: String) {
    let goesOn = state.withLock { $0.resolving.remove(record) != nil }
    if !goesOn { judge(asking: Place.collection(record), on: host, by: who) }
  }
}
