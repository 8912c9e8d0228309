internal import Strategies

/// What the fleet's answer does to a flight's keys.
extension FleetFlight {
  /// Deals with a round: what is left of the wishes has to be asked for again. Returns the leases under which the
  /// source may be asked.
  func meet(
    _ round: Round, _ wishes: inout [String: Wish]
  ) async -> (asking: [Lease], obstacle: StoreError?) {
    var meeting = Storage.Meeting(round.news, since: round.since)
    meeting.holding = store.configuration.leaseDuration
    meeting.asking = round.free.compactMap { wishes[$0]?.lease }
    for (key, finding) in round.found {
      if let wish = wishes[key] { meeting.found.append((wish.lease, finding.write)) }
    }
    for (key, edition) in round.useless { wishes[key]?.known = edition }
    for (key, failure) in round.paused {
      guard let wish = wishes.removeValue(forKey: key) else { continue }
      await runner.release([wish.lease])
      runner.deliver(.failed(failure), key)
    }
    let granted = meeting.asking
    do throws(StoreError) {
      let result = try await store.meet(meeting)
      var asking = result.asking
      if !result.isUpToDate {
        try await store.catchUp(with: fleet)
        let (now, duration) = (store.now(), store.configuration.leaseDuration)
        asking = try await store.queue.run { [store] () throws(StoreError) in
          try store.storage.askAnew(granted, for: duration, now: now)
        }
      }
      for lease in granted { wishes[lease.key] = nil }
      await settle(round, result, &wishes)
      await repeatLost(granted.map(\.key).filter { asking[$0] == nil }, round)
      return (Array(asking.values), nil)
    } catch {
      // The news are not applied, or not all: the host goes on as one that is alone.
      if case .sharedTier = error.code {} else { store.report(.notStored(error)) }
      defer { wishes = [:] }
      return (wishes.values.map(\.lease), error)
    }
  }

  /// Serves what was found and stored.
  private func settle(
    _ round: Round, _ result: Storage.MeetingResult, _ wishes: inout [String: Wish]
  ) async {
    guard result.isUpToDate else { return }
    var lost: [String] = []
    for (key, finding) in round.found where !result.outdated.contains(key) {
      if let lease = result.doubted[key] {
        wishes[key]?.lease = lease
        wishes[key]?.isDoubted = true
        continue
      }
      wishes[key] = nil
      guard let record = result.landed[key] else {
        lost.append(key)
        continue
      }
      store.report(
        .foundInFleet(collection: collection.name, key: key, owner: finding.owner))
      let (kind, outcome): (Change.Kind, Flight<Value>.Outcome)
      if let value = finding.value {
        (kind, outcome) = (.stored, .found(record, value, isFresh: true))
      } else {
        (kind, outcome) = (.absent, .absent(variant: record.content.variant, found: record))
      }
      store.hub.publish(Change(kind: kind, collection: collection.name, key: key))
      runner.deliver(outcome, key, answersOnly: record.epoch)
    }
    await repeatLost(lost, round)
  }

  /// Begins again with keys that were put, removed or fetched meanwhile.
  private func repeatLost(_ keys: [String], _ round: Round) async {
    guard !keys.isEmpty else { return }
    let part = FleetPart(fleet: fleet)
    part.release(keys.compactMap { round.granted[$0] }, reporting: store)
    await runner.run(keys, hasWaited: true, waitingUntil: end)
  }
}
