internal import Strategies

/// What the store does for its fleet where no caller waits.
extension Store {
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

  /// Delivers the marks that were kept, and takes in those that were missed; if these show that the journal's
  /// history was lost, tells the others.
  func synchronize(with fleet: FleetMember) async throws(StoreError) {
    try await deliverMarks(to: fleet)
    try await catchUp(with: fleet)
    let hasLoss = try await queue.run { [storage] () throws(StoreError) in
      try storage.hasLossForFleet()
    }
    guard hasLoss else { return }
    try await deliverMarks(to: fleet)
    try await catchUp(with: fleet)
  }

  /// The same, in a task that nobody waits for, and no second one beside it.
  func catchUpSoon(with fleet: FleetMember) {
    guard fleet.beginCatchingUp() else { return }
    fleet.call { [self] in
      await hear(fleet: fleet)
      fleet.endCatchingUp()
    }
  }

  /// Does the same. An error was reported, and the next announcement tries again.
  private func hear(fleet: FleetMember?) async {
    guard let fleet, !isClosed else { return }
    do throws(StoreError) {
      try await synchronize(with: fleet)
    } catch {
      switch error.code {
      case .sharedTier, .cancelled, .closed: break
      default: report(.notStored(error))
      }
    }
  }

  // MARK: Silence

  /// Takes everything as stale once the fleet was silent for as long as the limit; returns the time until the
  /// next look.
  func watchSilence(_ limit: Duration) async -> Duration {
    guard let fleet else { return limit }
    let pause = max(limit / 2, .milliseconds(1))
    if await silence(of: fleet, limit) < limit / 2 { return pause }
    await hear(fleet: fleet)
    let left = await silence(of: fleet, limit)
    do throws(StoreError) {
      let now = now()
      if left >= limit {
        let reason = "the fleet could not be reached for \(limit.brief)"
        let isSuspect = try await queue.run { [storage] () throws(StoreError) in
          try storage.suspectAll(reason, after: limit, now: now)
        }
        fleet.noteWord(at: now)
        if isSuspect { announce(.all) }
      } else if let own = fleet.silence(at: now), own < limit / 2 {
        // Of others the file tells already.
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
}
