internal import Strategies

/// The store's talk with the fleet: every answer brings marks, which are applied first.
extension Store {
  /// Asks the shared tier, and notes that it has answered.
  ///
  /// - Throws: `sharedTier` when it has not.
  func ask<Result: Sendable>(
    _ fleet: FleetMember, for operation: StoreOperation,
    _ body: (any SharedTier) async throws(SharedTierError) -> Result
  ) async throws(StoreError) -> Result {
    do throws(SharedTierError) {
      let result = try await body(fleet.tier)
      fleet.noteWord(at: now())
      return result
    } catch {
      if error.code != .cancelled { report(.wentAlone(error)) }
      throw StoreError(.sharedTier(error), operation, path: path)
    }
  }

  /// The host's position in the fleet's marks; `nil` before the first news.
  func fleetPosition() async throws(StoreError) -> SharedPosition? {
    try await queue.run { [storage] () throws(StoreError) in try storage.fleetState()?.position }
  }

  /// Applies news, and asks for more until there is none.
  ///
  /// - Parameter since: The position for which they were asked.
  func take(
    _ news: SharedNews, since position: SharedPosition?, of fleet: FleetMember
  ) async throws(StoreError) {
    let meeting = try await meet(Storage.Meeting(news, since: position))
    if !meeting.isUpToDate { try await catchUp(with: fleet) }
  }

  /// Takes in the marks that the host has missed.
  func catchUp(with fleet: FleetMember) async throws(StoreError) {
    while true {
      guard !Task.isCancelled else { throw StoreError(.cancelled, .markStale, path: path) }
      let position = try await fleetPosition()
      let news = try await ask(fleet, for: .markStale) { (tier) async throws(SharedTierError) in
        try await tier.news(since: position)
      }
      if try await meet(Storage.Meeting(news, since: position)).isUpToDate { return }
    }
  }

  /// Applies news in one transaction with what depends on it, and tells all who want to know.
  func meet(_ meeting: Storage.Meeting) async throws(StoreError) -> Storage.MeetingResult {
    let now = now()
    let result = try await queue.run { [storage] () throws(StoreError) in
      try storage.meet(meeting, now: now)
    }
    let marked = result.applied.marked
    for (scope, isHere) in marked { announce(scope, isHere: isHere) }
    guard !marked.isEmpty else { return result }
    if case .suspect(let cause, _) = meeting.news {
      report(.tookFleetMarks(count: 0, unknown: cause))
    } else {
      report(.tookFleetMarks(count: marked.count, unknown: nil))
    }
    return result
  }

  /// Closes the flights that are outdated by a mark, and notifies the observers.
  private func announce(_ scope: Storage.Scope, isHere: Bool = true) {
    let (collection, marked): (String?, String?)
    switch scope {
    case .key(let name, let key):
      closeFlights(name) { $0.hasSameBytes(as: key) }
      (collection, marked) = (name, key)
    case .prefix(let name, let prefix):
      closeFlights(name) { $0.utf8.starts(with: prefix.utf8) }
      (collection, marked) = (name, nil)
    case .collection(let name):
      closeFlights(name)
      (collection, marked) = (name, nil)
    case .tag, .all:
      closeFlights(nil)
      (collection, marked) = (nil, nil)
    }
    if isHere { hub.publish(Change(kind: .marked, collection: collection, key: marked)) }
  }

  // MARK: Following

  /// Begins to follow the fleet's marks, until the store is closed or released.
  func follow(_ fleet: FleetMember) {
    let (tier, clock) = (fleet.tier, configuration.clock)
    fleet.follow { [weak self] in
      for await _ in tier.announcements() {
        guard let store = self else { return }
        await store.hear(fleet: store.fleet)
      }
    }
    guard let limit = fleet.options.longestAlone else { return }
    fleet.follow { [weak self] in
      while !Task.isCancelled, let pause = await self?.watchSilence(limit) {
        do {
          try await clock.sleep(for: pause)
        } catch {
          return
        }
      }
    }
  }

  /// Delivers the marks that were kept, and takes in those that were missed. An error was reported, and the next
  /// announcement tries again.
  private func hear(fleet: FleetMember?) async {
    guard let fleet, !isClosed else { return }
    do throws(StoreError) {
      try await deliverMarks(to: fleet)
      try await catchUp(with: fleet)
    } catch {
      switch error.code {
      case .sharedTier, .cancelled, .closed: break
      default: report(.notStored(error))
      }
    }
  }

  /// Takes everything as stale once the fleet was silent for as long as the limit; returns the time until the
  /// next look.
  private func watchSilence(_ limit: Duration) async -> Duration {
    guard let fleet else { return limit }
    let pause = max(limit / 2, .milliseconds(1))
    if await silence(of: fleet, limit) < limit / 2 { return pause }
    await hear(fleet: fleet)
    let silence = await silence(of: fleet, limit)
    do throws(StoreError) {
      let now = now()
      if silence >= limit {
        try await queue.run { [storage] () throws(StoreError) in
          try storage.suspectAll(
            "the fleet could not be reached for \(limit.brief)", now: now)
        }
        fleet.noteWord(at: now)
        announce(.all)
      } else if silence < limit / 2 {
        try await queue.run { [storage] () throws(StoreError) in
          try storage.noteContact(now: now)
        }
      }
    } catch {
      if error.code != .closed { report(.notStored(error)) }
    }
    return pause
  }

  /// The time since the last answer, to any process of the host; the limit where it is not known.
  private func silence(of fleet: FleetMember, _ limit: Duration) async -> Duration {
    let now = now()
    let own = fleet.silence(at: now)
    do throws(StoreError) {
      let state = try await queue.run { [storage] () throws(StoreError) in
        try storage.fleetState()
      }
      let others = state.map { now.wall.duration(since: $0.lastContact) } ?? limit
      // From a clock that was set back since.
      let known = others < .zero ? limit : others
      return min(own ?? known, known)
    } catch {
      return own ?? limit
    }
  }

  func deliverMarks(to fleet: FleetMember) async throws(StoreError) {
    while true {
      let kept = try await queue.run { [storage] () throws(StoreError) in
        try storage.marksForFleet(256)
      }
      guard let first = kept.first else { return }
      let marks = Array(kept.prefix { $0.reason == first.reason })
      try await mark(marks.map { SharedMark.Scope($0.scope) }, because: first.reason, in: fleet)
      try await queue.run { [storage] () throws(StoreError) in try storage.forget(marks) }
    }
  }

  /// Marks in the fleet, durably, and then here.
  func mark(
    _ scopes: [SharedMark.Scope], because reason: String, in fleet: FleetMember
  ) async throws(StoreError) {
    let position = try await fleetPosition()
    let answer = try await ask(fleet, for: .markStale) { (tier) async throws(SharedTierError) in
      try await tier.mark(scopes, reason: reason, since: position)
    }
    try await take(answer.news, since: position, of: fleet)
  }
}
