import FreshStore
import Strategies

extension Model {
  func hasHolder(_ key: String) -> Bool {
    guard let lease = leases[key], flaw != .ignoresLeases else { return false }
    return lease.boot == now.boot && lease.deadline > now.sinceBoot
  }

  /// Flights that were opened together take all free leases at once, and keep the leases
  /// of the keys that the source still has to be asked about.
  mutating func claim(party: Int) {
    var oldest: Int?
    for flight in flights
    where flight.party == party && !flight.isAsking {
      guard flight.opened >= wiped || flaw == .ignoresWipes else {
        land(flight.id, .init(outcome: .wiped))
        continue
      }
      guard !hasHolder(flight.key) else { continue }
      guard let fence = claim(flight) else { continue }
      oldest = min(oldest ?? fence, fence)
    }
    guard let oldest else { return }
    // A lease that becomes free later is no younger for callers that want to join.
    for index in flights.indices where flights[index].party == party && flights[index].fence == 0 {
      flights[index].fence = oldest
    }
  }

  /// The number of the lease; `nil` when the source need not be asked.
  private mutating func claim(_ flight: ModelFlight) -> Int? {
    let fence = nextNumber()
    leases[flight.key] = Lease(
      flight: flight.id, fence: fence, boot: now.boot,
      deadline: now.sinceBoot + Setting.lease.milliseconds)
    let look = look(flight.key, flight.how)
    let isNew =
      flight.how.asksAlways
      ? look.edition.map { $0.epoch > flight.opened } ?? false
      : flight.forced.map { $0 != look.edition } ?? true
    let outcome: ModelFlight.Outcome? =
      if isNew, look.isServable || look.outcome == .absent,
        flight.how != .sourceOnly || (look.outcome != .offline && !look.isLocal)
      {
        .found(
          look.value,
          .init(
            edition: look.edition, isFresh: look.outcome != .offline, isLocal: look.isLocal))
      } else if flight.how != .refresh, records[flight.key]?.failed != flight.failed,
        isPausing(until: records[flight.key]?.nextAttempt)
      {
        // A failure from before was no news to the caller.
        .failed(.paused)
      } else {
        nil
      }
    if let outcome {
      leases[flight.key] = nil
      land(flight.id, .init(outcome: outcome, coveredBy: fence + 1, request: fence))
      return nil
    }
    for index in flights.indices where flights[index].id == flight.id {
      (flights[index].isClaimed, flights[index].copy) = (true, look.isLocal ? nil : look.value)
      flights[index].lease = fence
      flights[index].mayWait = look.mayStandIn(setting.policy(flight.how))
    }
    return fence
  }

  /// Asks the source in one question for all keys whose leases are held. Gives the leases back
  /// instead if the source must not be asked now and every copy will do.
  mutating func admit(party: Int) {
    let claimed = flights.filter { $0.party == party && $0.isClaimed }
    guard let first = claimed.first else { return }
    flights.removeAll { $0.party == party && $0.isClaimed }
    let why = obstacle(first.store, first.how, mayWait: claimed.allSatisfy(\.mayWait))
    let awake = processes[first.store].awake
    for var flight in claimed {
      flight.isClaimed = false
      if let why {
        if leases[flight.key]?.flight == flight.id { leases[flight.key] = nil }
        landings[flight.id] = .init(outcome: .failed(why))
      } else {
        (flight.isAsking, flight.attempt, flight.began) = (true, first.id, now.sinceBoot)
        flight.deadline = awake + setting.hardTimeout.milliseconds
        flight.nextRenewal = awake + Setting.renewal.milliseconds
        flight.hasAsked = true
      }
      flights.append(flight)
    }
    guard why == nil else { return }
    for index in flights.indices where flights[index].party == party {
      flights[index].hasAsked = true
    }
  }

  /// The questions to sources, oldest first.
  var attempts: [ModelAttempt] {
    var attempts: [ModelAttempt] = []
    for flight in flights where flight.isAsking {
      if attempts.last?.id == flight.attempt {
        attempts[attempts.count - 1].flights.append(flight)
      } else {
        attempts.append(ModelAttempt(id: flight.attempt, flights: [flight]))
      }
    }
    return attempts
  }

  /// The synchronizer asks for a record from the queue; `nil` when it must not.
  func asking(_ question: SimulatedSource.Question) -> Model? {
    var model = self
    // It asks for one at a time.
    guard let key = question.copies.first?.key, question.copies.count == 1 else { return nil }
    let isFree = !hasHolder(key) || leases[key].map { lateRenewals.contains($0.flight) } == true
    guard let record = records[key], record.mark != nil, !record.isPending, !isOffline, isFree,
      mayTry(question.store)
    else { return nil }
    model.flightCount += 1
    let fence = model.nextNumber()
    model.leases[key] = Lease(
      flight: model.flightCount, fence: fence, boot: now.boot,
      deadline: now.sinceBoot + Setting.holding.milliseconds)
    let look = look(key)
    model.noteRead(key, look, by: question.store)
    var flight = ModelFlight(
      id: model.flightCount, party: model.flightCount, store: question.store, key: key,
      how: .renew, isBySync: true, isWanted: true)
    (flight.isClaimed, flight.copy, flight.fence) = (true, look.value, fence)
    flight.lease = fence
    flight.mayWait = look.mayStandIn(setting.policy)
    model.flights.append(flight)
    model.admit(party: flight.party)
    return model
  }

  /// All actions of flights once nothing else happens: flights that wait for leases take those
  /// that are free, in any order. A flight that has waited too long when the lease becomes free may
  /// find that another has just taken it.
  func rested() -> [Model] {
    var (open, done): ([Model], Set<Model>) = ([self], [])
    while let model = open.popLast() {
      let waiting = model.flights.filter { !$0.isAsking && !model.hasHolder($0.key) }
      if waiting.isEmpty { done.formUnion(model.withoutOverdue().withErrandsDone()) }
      for party in Set(waiting.map(\.party)) {
        var next = model
        next.claim(party: party)
        next.admit(party: party)
        for flight in waiting where flight.party == party { next.deliver(flight: flight.id) }
        open += next.withErrandsDone()
        for flight in waiting where flight.party == party && flight.waitsUntil <= now.sinceBoot {
          guard waiting.contains(where: { $0.key == flight.key && $0.party != party }) else {
            continue
          }
          var late = model
          late.land(flight.id, .init(outcome: .failed(.failed)))
          open += late.withErrandsDone()
        }
      }
    }
    return Array(done)
  }

  /// The same after the failure of those that have waited for others for as long as a fetch may take.
  private func withoutOverdue() -> Model {
    var model = self
    for flight in flights where !flight.isAsking && flight.waitsUntil <= now.sinceBoot {
      model.land(flight.id, .init(outcome: .failed(.failed)))
    }
    return model
  }

  // MARK: Answers

  /// The source answers a fetch; with `nil` it fails.
  mutating func hear(_ attempt: Int, _ replies: [String: Reply]?) {
    guard let flight = flights.first(where: { $0.attempt == attempt }), replies != nil else {
      return
    }
    noteWay(flight.store, flight.how, isAnswered: true, began: flight.began)
  }

  /// The answer to a fetch is stored.
  mutating func answer(_ attempt: Int, _ replies: [String: Reply]?) {
    let asking = flights.filter { $0.attempt == attempt }
    guard let first = asking.first else { return }
    if first.lease > wiped { noteOrigin(first.how, isAnswered: replies != nil) }
    for flight in asking {
      var landing = answer(flight, replies?[flight.key])
      landing.request = flight.lease
      landings[flight.id] = landing
    }
  }

  /// The part of it that is handed out for one key; `nil` when the source says nothing about that key.
  private mutating func answer(_ flight: ModelFlight, _ reply: Reply?) -> ModelFlight.Landing {
    let key = flight.key
    let isHeld = leases[key]?.flight == flight.id
    if isHeld { leases[key] = nil }
    let isKept = (isHeld || flaw == .ignoresPuts) && records[key]?.isPending != true
    switch reply {
    case .value(let value, let lifetime, let isTagged):
      guard isKept else { return overtaken(flight, .unstored(value)) }
      land(flight, .value, value, lifetime, isTagged: isTagged)
      return landing(flight, .stored(value))
    case .unchanged(let lifetime):
      guard let copy = flight.copy else { return failed(flight, isKept: isKept) }
      guard isKept, let current = records[key], current.kind == .value else {
        return overtaken(flight, .unstored(copy))
      }
      land(flight, .value, current.value, lifetime, isTagged: nil)
      return landing(flight, .revalidated(copy))
    case .gone:
      guard isKept else { return overtaken(flight, .absent) }
      land(flight, .absent, nil, Setting.expiry, isTagged: nil)
      return landing(flight, .absent)
    case .failure, nil: return failed(flight, isKept: isKept)
    }
  }

  /// Stores the answer to a fetch, stale where a mark came after its question.
  private mutating func land(
    _ flight: ModelFlight, _ kind: ModelRecord.Kind, _ value: Int?, _ lifetime: Lifetime,
    isTagged: Bool?
  ) {
    let old = records[flight.key]
    let mark = mark(
      over: flight.key, isTagged: isTagged == true || old?.isTagged == true, standing: old?.mark,
      since: flight.lease)
    store(
      flight.key, kind, value, lifetime, epoch: flight.lease, mark: mark, isTagged: isTagged,
      asOf: flight.began)
    records[flight.key]?.madeOf = old?.madeOf(ifStill: value)
  }

  private func landing(
    _ flight: ModelFlight, _ outcome: ModelFlight.Outcome
  ) -> ModelFlight.Landing {
    // The newest mark may have replaced an earlier one.
    .init(outcome: outcome, coveredBy: records[flight.key]?.mark == nil ? 0 : flight.lease + 1)
  }

  /// A value was put, pushed or removed meanwhile: later callers look at that value.
  private func overtaken(
    _ flight: ModelFlight, _ outcome: ModelFlight.Outcome
  ) -> ModelFlight.Landing {
    .init(outcome: outcome, coveredBy: flight.lease + 1)
  }

  private mutating func failed(_ flight: ModelFlight, isKept: Bool) -> ModelFlight.Landing {
    let (key, epoch) = (flight.key, flight.lease)
    if isKept {
      if records[key] == nil { store(key, .unfetched, nil, .unstated, epoch: epoch) }
      let failures = (records[key]?.failures ?? 0) + 1
      var end = pauseEnd(after: failures)
      // A refresh by hand that fails does not shorten the pause.
      if flight.how == .refresh { end = max(end, records[key]?.nextAttempt ?? end) }
      records[key]?.failures = failures
      records[key]?.nextAttempt = end
    }
    return .init(outcome: .failed(.failed), coveredBy: isKept ? 0 : epoch + 1)
  }
}
