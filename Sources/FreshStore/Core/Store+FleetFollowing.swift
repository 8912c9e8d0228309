internal import Strategies

/// The work for the fleet for which no caller waits.
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
    judgeFirstSilence(fleet, limit)
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

  /// Takes in the marks that were missed, and delivers those that were kept; one of those is for the others, if the
  /// journal's history was lost.
  ///
  /// In this order: the fleet may be another one than that for which marks were kept, and whatever hinders their
  /// delivery does not hinder the news. Its error comes last.
  func synchronize(with fleet: FleetMember) async throws(StoreError) {
    try await catchUp(with: fleet)
    try await noteWord(within: fleet.options.longestAlone)
    let delivery = await deliverMarks(to: fleet)
    if delivery.hasDelivered { try await catchUp(with: fleet) }
    if let failure = delivery.failure { throw failure }
  }

  /// Notes in the file that the fleet has answered, if it is a while since that was noted: the next process knows how
  /// long there was no answer.
  private func noteWord(within limit: Duration?) async throws(StoreError) {
    let now = now()
    let pause = min(.seconds(60), (limit ?? .seconds(240)) / 4)
    try await queue.run { [storage] () throws(StoreError) -> Void in
      guard let state = try storage.fleetState() else { return }
      if state.silence(at: now) ?? pause >= pause { try storage.noteContact(now: now) }
    }
  }

  /// The same, in a task that nobody waits for, and no second one beside it.
  func catchUpSoon(with fleet: FleetMember) {
    guard fleet.beginCatchingUp() else { return }
    fleet.call { [self] in
      repeat { await hear(fleet: fleet) } while !fleet.endCatchingUp()
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
    /// Never beyond the end of the limit.
    func pause(after silence: Duration) -> Duration {
      max(min(limit / 2, limit - silence), .milliseconds(1))
    }
    let first = await silence(of: fleet, limit)
    if first < limit / 2 {
      fleet.endTooLongAlone()
      return pause(after: first)
    }
    await hear(fleet: fleet)
    let left = await silence(of: fleet, limit)
    guard left >= limit else {
      fleet.endTooLongAlone()
      return pause(after: left)
    }
    do throws(StoreError) {
      let now = now()
      let reason = "the fleet could not be reached for \(limit.brief)"
      let isSuspect = try await queue.run { [storage] () throws(StoreError) in
        try storage.suspectAll(reason, after: limit, now: now)
      }
      fleet.noteWord(at: now)
      fleet.endTooLongAlone()
      if isSuspect { closeFlights(outdatedBy: .all) }
      return pause(after: .zero)
    } catch {
      if error.code != .closed { report(.notStored(error)) }
      return pause(after: limit - .seconds(1))
    }
  }

  /// Doubts all copies from the first read on, if no process of the host has had an answer for as long as the limit.
  /// The check of that silence asks the fleet first, and ends the doubt.
  private func judgeFirstSilence(_ fleet: FleetMember, _ limit: Duration) {
    do throws(StoreError) {
      let state = try storage.fleetState()
      guard state?.silence(at: now()) ?? limit >= limit else { return }
      fleet.beginTooLongAlone(at: try storage.currentNumber())
    } catch {
      fleet.beginTooLongAlone(at: .max)
    }
  }

  /// The time since the last answer, to any process of the host; the limit where it is not known.
  private func silence(of fleet: FleetMember, _ limit: Duration) async -> Duration {
    let now = now()
    let own = fleet.silence(at: now)
    do throws(StoreError) {
      let state = try await queue.run { [storage] () throws(StoreError) in
        try storage.fleetState()
      }
      let known = state?.silence(at: now) ?? limit
      return min(own ?? known, known)
    } catch {
      return own ?? limit
    }
  }
}
