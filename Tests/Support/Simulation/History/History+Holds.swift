import Synchronization

/// Origins that are held, as far as that was acknowledged.
extension History {
  /// The number of releases that have begun; a hold that is acknowledged after one more may be over.
  var releases: Int { state.withLock(\.releases) }

  /// A hold that began after so many releases is acknowledged.
  func held(_ collection: Int, after releases: Int) {
    state.withLock { state in
      guard state.openReleases == 0, state.releases == releases else { return }
      state.heldSince[collection] = state.heldSince[collection] ?? state.next()
    }
  }

  func beginRelease(_ collections: some Sequence<Int>) {
    state.withLock { state in
      (state.releases, state.openReleases) = (state.releases + 1, state.openReleases + 1)
      for collection in collections { state.heldSince[collection] = nil }
    }
  }

  func endRelease() { state.withLock { $0.openReleases -= 1 } }

  /// A source is asked by somebody who heeds pauses. Whoever was let through before its origin was held has
  /// asked it by the time that the world comes to rest.
  func judge(asking collection: Int, by who: String) {
    state.withLock { state in
      guard let since = state.heldSince[collection], since < state.lastRest else { return }
      state.find("\(who) asks a source whose origin is held")
    }
  }

  /// A local write is sent: the one that comes of a conflict goes with the question before it.
  func judge(pushing record: Int, by who: String) {
    let goesOn = state.withLock { $0.resolving.remove(record) != nil }
    if !goesOn { judge(asking: Place.collection(record), by: who) }
  }
}
