import FreshStore
import Strategies

extension Model {
  /// A get looks at its copy, and answers if that will do.
  mutating func look(_ step: Int, _ store: Int, _ key: String, _ how: How) {
    let policy = setting.policy(how)
    let look = look(key, how)
    noteRead(key, look, by: store)
    let isPaused =
      (isPausing(until: look.nextAttempt) || wayPause(store, how) != nil)
      && look.mayStandIn(policy)
    let value = look.value.map(String.init) ?? ""
    switch (how, look.outcome) {
    case (_, .fresh) where how != .sourceFirst || look.isLocal: results[step] = "fresh \(value)"
    case (_, .absent) where how != .sourceFirst || look.isLocal || isOffline:
      results[step] = "error absent"
    case (_, .offline) where how != .sourceFirst || isOffline:
      results[step] = "stale-offline \(value)"
    case (.copyOnly, .stale):
      results[step] = look.mustRevalidate ? "error stale" : "stale \(value)"
    case (.copyOnly, _): results[step] = "error missing"
    case (.sourceFirst, .fresh) where isOffline: results[step] = "fresh \(value)"
    case _ where isOffline: results[step] = "error offline"
    case (.sourceFirst, _) where isPaused, (_, .stale) where isPaused:
      results[step] = look.inPlaceOfFetch(policy, .paused)
    case (.plain, .stale) where look.isWithin(policy.graceWhileRevalidating),
      (.strict, .stale) where look.isWithin(policy.graceWhileRevalidating):
      results[step] = "stale-while-revalidating \(value)"
      gets[step] = Get(
        store: store, key: key, how: how, look: look, newest: newestInvalidation(key))
    default:
      let caller = ModelFlight.Caller(
        step: step,
        instead: Dictionary(
          uniqueKeysWithValues: ModelFlight.Failure.allCases.map {
            ($0, look.inPlaceOfFetch(policy, $0))
          }))
      gets[step] = Get(
        store: store, key: key, how: how, look: look, newest: newestInvalidation(key),
        caller: caller)
    }
  }

  /// A get that needs a fetch joins the flight of the key, or opens one.
  mutating func board(_ step: Int) {
    guard let get = gets[step] else { return }
    let (store, key, how, look) = (get.store, get.key, get.how, get.look)
    let (caller, newest) = (get.caller, get.newest)
    if let seat = processes[store].seats[key],
      let index = flights.firstIndex(where: { $0.id == seat.flight }),
      newest <= seat.newest || newest < flights[index].fence
    {
      if let caller {
        flights[index].callers.append(caller)
      } else {
        flights[index].isWanted = true
      }
      gets[step] = nil
      return
    }
    flightCount += 1
    var flight = ModelFlight(
      id: flightCount, store: store, key: key, how: how, isBySync: false, isWanted: caller == nil)
    if let caller { flight.callers = [caller] }
    if how == .sourceFirst || look.isServable { flight.forced = look.version }
    flights.append(flight)
    processes[store].seats[key] = .init(flight: flight.id, newest: newest)
    gets[step]?.flight = flight.id
  }

  /// The flight that a get has opened wants its lease.
  mutating func claim(_ step: Int) {
    if let flight = gets[step]?.flight { claim(flight, hasWaited: false) }
  }

  /// The flight that a get has opened asks the source, or is put off.
  mutating func admit(_ step: Int) {
    if let flight = gets[step]?.flight { admit(flight: flight) }
  }

  /// The flight that a get has opened is over, if it was put off.
  mutating func deliver(_ step: Int) {
    if let flight = gets.removeValue(forKey: step)?.flight { deliver(flight: flight) }
  }

  func hasHolder(_ key: String) -> Bool {
    guard let lease = leases[key], flaw != .ignoresLeases else { return false }
    return lease.boot == now.boot && lease.deadline > now.sinceBoot
  }

  /// Takes the lease if nobody has it, and keeps it if the source is still to be asked.
  mutating func claim(_ id: Int, hasWaited: Bool) {
    guard let index = flights.firstIndex(where: { $0.id == id }), !hasHolder(flights[index].key)
    else { return }
    let flight = flights[index]
    let fence = nextNumber()
    if flight.fence == 0 { flights[index].fence = fence }
    leases[flight.key] = Lease(
      flight: id, fence: fence, boot: now.boot, deadline: now.sinceBoot + Setting.lease.milliseconds
    )
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
      return land(id, outcome)
    }
    flights[index].isClaimed = true
    (flights[index].copy, flights[index].fence) = (look.value, fence)
    flights[index].mayWait = look.mayStandIn(setting.policy(flight.how))
  }

  /// Asks the source, or gives the lease back where nobody answers and the copy will do.
  mutating func admit(flight id: Int) {
    guard let index = flights.firstIndex(where: { $0.id == id && $0.isClaimed }) else { return }
    var flight = flights.remove(at: index)
    flight.isClaimed = false
    defer { flights.append(flight) }
    if let why = obstacle(flight.store, flight.how, mayWait: flight.mayWait) {
      if leases[flight.key]?.flight == id { leases[flight.key] = nil }
      landings[id] = .failed(why)
      return
    }
    flight.isAsking = true
    flight.began = now.sinceBoot
    let awake = processes[flight.store].awake
    flight.deadline = awake + setting.hardTimeout.milliseconds
    flight.nextRenewal = awake + Setting.renewal.milliseconds
  }

  /// Hands out what became of a flight.
  mutating func land(_ id: Int, _ outcome: ModelFlight.Outcome) {
    guard let index = flights.firstIndex(where: { $0.id == id }) else { return }
    let flight = flights.remove(at: index)
    if processes[flight.store].seats[flight.key]?.flight == id {
      processes[flight.store].seats[flight.key] = nil
    }
    for caller in flight.callers { results[caller.step] = Self.words(outcome, caller) }
  }

  private static func words(
    _ outcome: ModelFlight.Outcome, _ caller: ModelFlight.Caller
  ) -> String {
    switch outcome {
    case .stored(let value): "fetched \(value)"
    case .unstored(let value): "fetched \(value), not stored"
    case .revalidated(let value): "revalidated \(value)"
    case .found(let value): "fresh \(value)"
    case .absent: "error absent"
    case .failed(let why): caller.instead[why] ?? ""
    }
  }

  /// The synchronizer asks for a record that it was handed from the queue; `nil` when it must not.
  func asking(_ question: SimulatedSource.Question) -> Model? {
    var model = self
    let key = question.key
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
      id: model.flightCount, store: question.store, key: key, how: .refresh, isBySync: true,
      isWanted: true)
    (flight.isClaimed, flight.copy, flight.fence) = (true, look.value, fence)
    flight.mayWait = look.mayStandIn(setting.policy)
    model.flights.append(flight)
    model.admit(flight: flight.id)
    return model
  }

  // MARK: Answers

  /// The source answers a fetch.
  mutating func hear(_ id: Int, _ reply: Reply) {
    guard let flight = flights.first(where: { $0.id == id }), reply != .failure else { return }
    noteWay(flight.store, flight.how, isAnswered: true, began: flight.began)
  }

  /// What the answer to a fetch brought is stored.
  mutating func answer(_ id: Int, _ reply: Reply) {
    guard let flight = flights.first(where: { $0.id == id }) else { return }
    noteOrigin(flight.how, isAnswered: reply != .failure)
    let key = flight.key
    let lease = leases[key].flatMap { $0.flight == id ? $0 : nil }
    if lease != nil { leases[key] = nil }
    let isKept = (lease != nil || flaw == .ignoresPuts) && records[key]?.isPending != true
    let (epoch, mark) = (lease?.fence ?? number, lease?.mark)
    switch reply {
    case .value(let value, let lifetime, let isTagged):
      if isKept {
        store(key, .value, value, lifetime, epoch: epoch, mark: mark, isTagged: isTagged)
      }
      landings[id] = isKept ? .stored(value) : .unstored(value)
    case .unchanged(let lifetime):
      guard let copy = flight.copy else { return fail(id, isKept: isKept, epoch: epoch) }
      guard isKept, let current = records[key], current.kind == .value else {
        landings[id] = .unstored(copy)
        return
      }
      store(key, .value, current.value, lifetime, epoch: epoch, mark: mark)
      landings[id] = .revalidated(copy)
    case .gone:
      if isKept { store(key, .absent, nil, Setting.expiry, epoch: epoch, mark: mark) }
      landings[id] = .absent
    case .failure:
      fail(id, isKept: isKept, epoch: epoch)
    }
  }

  private mutating func fail(_ id: Int, isKept: Bool, epoch: Int) {
    if isKept, let key = flights.first(where: { $0.id == id })?.key {
      if records[key] == nil { store(key, .unfetched, nil, .unstated, epoch: epoch) }
      let failures = (records[key]?.failures ?? 0) + 1
      let end = pauseEnd(after: failures)
      records[key]?.failures = failures
      records[key]?.nextAttempt = end
    }
    landings[id] = .failed(.failed)
  }

  /// What a flight has brought is handed out.
  mutating func deliver(flight id: Int) {
    if let outcome = landings.removeValue(forKey: id) { land(id, outcome) }
  }

  /// Everyone who waits in a store for a key goes.
  mutating func cancel(_ store: Int, _ key: String) {
    for flight in flights where flight.store == store && flight.key == key && !flight.isBySync {
      guard let index = flights.firstIndex(where: { $0.id == flight.id }) else { continue }
      for caller in flight.callers { results[caller.step] = "error cancelled" }
      flights[index].callers = []
      if !flight.isWanted, !flight.callers.isEmpty { end(flight.id) }
    }
  }

  /// Ends a flight, which gives its lease back.
  mutating func end(_ id: Int) {
    guard let flight = flights.first(where: { $0.id == id }) else { return }
    if leases[flight.key]?.flight == id { leases[flight.key] = nil }
    land(id, .failed(.failed))
  }

  /// Everything that flights do once nothing else happens: whoever waits for a lease that is free
  /// takes it, in any order.
  func rested() -> [Model] {
    var (open, done): ([Model], Set<Model>) = ([self], [])
    while let model = open.popLast() {
      let waiting = model.flights.filter { !$0.isAsking && !model.hasHolder($0.key) }
      if waiting.isEmpty { done.insert(model) }
      for flight in waiting {
        var next = model
        next.claim(flight.id, hasWaited: true)
        next.admit(flight: flight.id)
        next.deliver(flight: flight.id)
        open.append(next)
      }
    }
    return Array(done)
  }
}
