internal import Strategies

/// Applies the fleet's answer to a flight's keys.
extension FleetFlight {
  /// The work after a round, besides the next question to the fleet about the remaining wishes.
  struct Step: Sendable {
    /// The leases under which the source may be asked.
    var asking: [Lease] = []
    /// The keys that were put, removed or fetched meanwhile; they begin again.
    var again: [String] = []
    /// The reason why the host goes on without the fleet; `nil` when it does not.
    var obstacle: StoreError?
  }

  /// Applies a round, and returns the work that remains.
  func meet(_ round: Round, _ wishes: inout [String: FleetClaim]) async -> Step {
    var meeting = round.reply.meeting(holding: store.configuration.leaseDuration)
    meeting.asking = round.free.compactMap { wishes[$0]?.lease }
    for (key, finding) in round.found.sorted(by: { $0.key < $1.key }) {
      guard let wish = wishes[key] else { continue }
      meeting.found.append(
        Storage.FleetUpdate.Found(
          lease: wish.lease, write: finding.write, seen: copies[key]?.record?.edition))
    }
    for (key, edition) in round.useless { wishes[key]?.known = edition }
    for (key, pause) in round.paused.sorted(by: { $0.key < $1.key }) {
      guard let wish = wishes.removeValue(forKey: key) else { continue }
      await note(pause.failure, for: pause.remaining, wish.lease)
      runner.deliver(.failed(pause.failure), key)
    }
    var step = Step()
    do throws(StoreError) {
      let result = try await store.meet(meeting, round.reply.question)
      for (key, lease) in result.asking { wishes[key]?.lease = lease }
      settle(round, result, &wishes, &step)
      let asking = try await caughtUp(result)
      for lease in meeting.asking {
        wishes[lease.key] = nil
        if asking[lease.key] == nil { step.again.append(lease.key) }
      }
      step.asking = asking.values.sorted { $0.key < $1.key }
    } catch {
      // The file failed: the host asks the source by itself for all remaining keys.
      store.report(.notStored(error))
      (step.asking, step.obstacle) = (ownLeases(of: wishes), error)
      wishes = [:]
    }
    return step
  }

  /// The leases under which the source is asked, numbered after the marks that are applied by then.
  ///
  /// The remaining marks of a long absence are applied in the background. They may then cover the answer, which costs
  /// another fetch.
  private func caughtUp(
    _ result: Storage.FleetUpdateResult
  ) async throws(StoreError) -> [String: Lease] {
    guard !result.isUpToDate else { return result.asking }
    guard !result.asking.isEmpty else {
      store.catchUpSoon(with: fleet)
      return [:]
    }
    do throws(StoreError) {
      let isWhole = try await store.catchUp(with: fleet, answers: Store.answersAwaited)
      if !isWhole { store.catchUpSoon(with: fleet) }
    } catch {
      // The leases are held, and the source may be asked.
      switch error.code {
      case .sharedTier, .cancelled: break
      default: throw error
      }
    }
    let leases = result.asking.values.sorted { $0.key < $1.key }
    let now = store.now()
    return try await store.queue.run { [store] () throws(StoreError) in
      try store.storage.askAnew(leases, for: store.configuration.leaseDuration, now: now)
    }
  }

  /// Serves the findings that were stored.
  private func settle(
    _ round: Round, _ result: Storage.FleetUpdateResult, _ wishes: inout [String: FleetClaim],
    _ step: inout Step
  ) {
    for (key, finding) in round.found.sorted(by: { $0.key < $1.key }) {
      guard var wish = wishes[key] else { continue }
      let isRepeated = wish.mustRepeat(after: result)
      wishes[key] = isRepeated ? wish : nil
      guard !isRepeated else { continue }
      if let record = result.landed[key] {
        serve(record, finding, key)
      } else {
        step.again.append(key)
      }
    }
  }

  private func serve(_ record: StoredRecord, _ finding: Finding, _ key: String) {
    store.report(.foundInFleet(collection: collection.name, key: key, owner: finding.owner))
    let outcome: Flight<Value>.Outcome =
      if let value = finding.value {
        .found(record, value, isFresh: true)
      } else {
        .absent(variant: record.content.variant, found: record)
      }
    // The other host may have asked as early as this flight began.
    runner.deliver(
      outcome, key, askedAt: runner.begun ?? Flight<Value>.unknownNumber, isOutdated: true)
  }

  /// Notes another host's failed fetch as one of this host, once, and ends the lease. The record waits in the refetch
  /// queue for the end of the pause.
  private func note(_ failure: FetchFailure, for remaining: Duration, _ lease: Lease) async {
    let now = store.now()
    let end = now.wall.advanced(by: remaining - .seconds(1))
    if let known = copies[lease.key]?.record?.nextAttempt, known >= end {
      return await runner.release([lease])
    }
    let note = Storage.Failure(
      message: failure.message, pause: { _ in FailurePause(named: nil, own: remaining) },
      verdict: .unknown)
    do throws(StoreError) {
      _ = try await store.queue.run { [store] () throws(StoreError) in
        try store.storage.complete([(lease, .failed(note))], noting: nil, now: now)
      }
    } catch {
      store.report(.notStored(error))
      await runner.release([lease])
    }
  }

  /// Begins again with keys that were put, removed or fetched meanwhile.
  func repeatLost(_ keys: [String], _ round: Round) async {
    let part = FleetPart(fleet: fleet)
    part.release(keys.compactMap { round.granted[$0] }, reporting: store)
    await runner.run(keys, waitingUntil: end)
  }
}
