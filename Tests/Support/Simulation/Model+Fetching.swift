import FreshStore
import Strategies

extension Model {
  func hasHolder(_ key: String) -> Bool {
    guard let lease = leases[key], flaw != .ignoresLeases else { return false }
    return lease.boot == now.boot && lease.deadline > now.sinceBoot
  }

  /// Flights that were opened together take the leases that nobody has, all at once, and keep those
  /// for whose keys the source is still to be asked.
  mutating func claim(party: Int, hasWaited: Bool) {
    var oldest: Int?
    for flight in flights
    where flight.party == party && !flight.isAsking && !hasHolder(flight.key) {
      guard let fence = claim(flight, hasWaited: hasWaited) else { continue }
      oldest = min(oldest ?? fence, fence)
    }
    guard let oldest else { return }
    // What comes free later is no younger to those who want to join.
    for index in flights.indices where flights[index].party == party && flights[index].fence == 0 {
      flights[index].fence = oldest
    }
  }

  /// The number of the lease; `nil` when the source needs not be asked.
  private mutating func claim(_ flight: ModelFlight, hasWaited: Bool) -> Int? {
    let fence = nextNumber()
    leases[flight.key] = Lease(
      flight: flight.id, fence: fence, boot: now.boot,
      deadline: now.sinceBoot + Setting.lease.milliseconds)
    let look = look(flight.key, flight.how)
    let isNew = flight.forced.map { $0 != look.version } ?? true
    let outcome: ModelFlight.Outcome? =
      if look.isServable, isNew, let value = look.value {
        .found(value)
      } else if look.outcome == .absent, isNew {
        .absent
      } else if hasWaited, isPausing(until: records[flight.key]?.nextAttempt) {
        .failed(.paused)
      } else {
        nil
      }
    if let outcome {
      leases[flight.key] = nil
      land(flight.id, outcome)
      return nil
    }
    for index in flights.indices where flights[index].id == flight.id {
      (flights[index].isClaimed, flights[index].copy) = (true, look.value)
      flights[index].mayWait = look.mayStandIn(setting.policy(flight.how))
    }
    return fence
  }

  /// Asks the source in one question for all keys whose leases are held, or gives the leases back
  /// where it is left alone and every copy will do.
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
        landings[flight.id] = .failed(why)
      } else {
        (flight.isAsking, flight.attempt, flight.began) = (true, first.id, now.sinceBoot)
        flight.deadline = awake + setting.hardTimeout.milliseconds
        flight.nextRenewal = awake + Setting.renewal.milliseconds
      }
      flights.append(flight)
    }
  }

  /// What sources are asked, oldest first.
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

  /// The synchronizer asks for a record that it was handed from the queue; `nil` when it must not.
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
      how: .refresh, isBySync: true, isWanted: true)
    (flight.isClaimed, flight.copy, flight.fence) = (true, look.value, fence)
    flight.mayWait = look.mayStandIn(setting.policy)
    model.flights.append(flight)
    model.admit(party: flight.party)
    return model
  }

  /// Everything that flights do once nothing else happens: whoever waits for leases one of which is
  /// free takes what is free, in any order.
  func rested() -> [Model] {
    var (open, done): ([Model], Set<Model>) = ([self], [])
    while let model = open.popLast() {
      let waiting = model.flights.filter { !$0.isAsking && !model.hasHolder($0.key) }
      if waiting.isEmpty { done.insert(model) }
      for party in Set(waiting.map(\.party)) {
        var next = model
        next.claim(party: party, hasWaited: true)
        next.admit(party: party)
        for flight in waiting where flight.party == party { next.deliver(flight: flight.id) }
        open.append(next)
      }
    }
    return Array(done)
  }

  // MARK: Answers

  /// The source answers a fetch; with `nil` it fails.
  mutating func hear(_ attempt: Int, _ replies: [String: Reply]?) {
    guard let flight = flights.first(where: { $0.attempt == attempt }), replies != nil else {
      return
    }
    noteWay(flight.store, flight.how, isAnswered: true, began: flight.began)
  }

  /// What the answer to a fetch brought is stored.
  mutating func answer(_ attempt: Int, _ replies: [String: Reply]?) {
    let asking = flights.filter { $0.attempt == attempt }
    guard let first = asking.first else { return }
    noteOrigin(first.how, isAnswered: replies != nil)
    for flight in asking { landings[flight.id] = answer(flight, replies?[flight.key]) }
  }

  /// What is handed out of it for one key; `nil` when the source says nothing of that.
  private mutating func answer(_ flight: ModelFlight, _ reply: Reply?) -> ModelFlight.Outcome {
    let key = flight.key
    let lease = leases[key].flatMap { $0.flight == flight.id ? $0 : nil }
    if lease != nil { leases[key] = nil }
    let isKept = (lease != nil || flaw == .ignoresPuts) && records[key]?.isPending != true
    let (epoch, mark) = (lease?.fence ?? number, lease?.mark)
    switch reply {
    case .value(let value, let lifetime, let isTagged):
      if isKept {
        store(key, .value, value, lifetime, epoch: epoch, mark: mark, isTagged: isTagged)
      }
      return isKept ? .stored(value) : .unstored(value)
    case .unchanged(let lifetime):
      guard let copy = flight.copy else { return failed(key, isKept: isKept, epoch: epoch) }
      guard isKept, let current = records[key], current.kind == .value else {
        return .unstored(copy)
      }
      store(key, .value, current.value, lifetime, epoch: epoch, mark: mark)
      return .revalidated(copy)
    case .gone:
      if isKept { store(key, .absent, nil, Setting.expiry, epoch: epoch, mark: mark) }
      return .absent
    case .failure, nil: return failed(key, isKept: isKept, epoch: epoch)
    }
  }

  private mutating func failed(_ key: String, isKept: Bool, epoch: Int) -> ModelFlight.Outcome {
    if isKept {
      if records[key] == nil { store(key, .unfetched, nil, .unstated, epoch: epoch) }
      let failures = (records[key]?.failures ?? 0) + 1
      let end = pauseEnd(after: failures)
      records[key]?.failures = failures
      records[key]?.nextAttempt = end
    }
    return .failed(.failed)
  }
}
