import FreshStore
import Strategies

extension Model {
  /// A get looks at its copies, and answers where they suffice.
  mutating func look(_ step: Int, _ store: Int, _ keys: [String], _ how: How) {
    guard gets[step] == nil else { return }
    gets[step] = []
    if keys.count > 1 { batches[step] = Batch(store: store, keys: Set(keys)) }
    for key in keys { look(step, store, key, how) }
  }

  private mutating func look(_ step: Int, _ store: Int, _ key: String, _ how: How) {
    let policy = setting.policy(how)
    let look = look(key, how)
    noteRead(key, look, by: store)
    let isRouteSuspected = routePause(store, how) != nil && look.mayStandIn(policy)
    let isPaused = how != .refresh && (isPausing(until: look.nextAttempt) || isRouteSuspected)
    let answersByCopy = !how.asksAlways || (look.isLocal && how != .sourceOnly)
    let isCutOff = isOffline && how != .sourceOnly
    let value = look.value.map(String.init) ?? ""
    var get = Get(
      store: store, key: key, how: how, look: look, newest: newestInvalidation(key),
      failed: records[key]?.failed)
    let words: String
    switch (how, look.outcome) {
    case (_, .fresh) where answersByCopy || isCutOff: words = "fresh \(value)"
    case (_, .absent) where answersByCopy || isCutOff: words = "error absent"
    case (_, .offline) where answersByCopy || isCutOff: words = "stale-offline \(value)"
    case (.cacheOnly, .stale): words = look.mustRevalidate ? "error stale" : "stale \(value)"
    case (.cacheOnly, _): words = "error missing"
    case _ where isOffline: words = "error offline"
    case _ where isPaused:
      words = look.inPlaceOfFetch(policy, .paused)
    case (.plain, .stale) where look.isWithin(policy.graceWhileRevalidating),
      (.strict, .stale) where look.isWithin(policy.graceWhileRevalidating):
      words = "stale-while-revalidating \(value)"
      gets[step]?.append(get)
    default:
      get.caller = ModelFlight.Caller(step: step, how: how, hasCopy: look.value != nil)
      gets[step]?.append(get)
      return
    }
    answer(step, key, words)
  }

  /// A get has its answer for a key; with the last one it ends.
  private mutating func answer(_ step: Int, _ key: String, _ words: String) {
    guard var batch = batches[step] else {
      results[step] = words
      return
    }
    batch.answers[key] = words
    let isOver = batch.answers.count == batch.keys.count
    batches[step] = isOver ? nil : batch
    if isOver { results[step] = batch.words }
  }

  // MARK: Flights

  /// The keys of a get that need a fetch join the flights of others, or get one: one for all keys that
  /// are waited for, and one for all others.
  mutating func board(_ step: Int) {
    var opened: [Get] = []
    for isBehind in [true, false] {
      let party = flightCount + 1
      for get in gets[step] ?? [] where (get.caller == nil) == isBehind {
        guard get.flight == nil else { return }
        if !joins(get) { opened.append(open(get, party)) }
      }
    }
    gets[step] = opened
  }

  private mutating func joins(_ get: Get) -> Bool {
    guard let seat = processes[get.store].seats[get.key],
      let index = flights.firstIndex(where: { $0.id == seat.flight }),
      get.newest <= seat.newest || get.newest < flights[index].fence
    else { return false }
    if var caller = get.caller {
      (caller.asked, caller.isJoined) = (get.asked ?? number, true)
      caller.isLate = flights[index].hasAsked
      flights[index].callers.append(caller)
    } else {
      let party = flights[index].party
      for index in flights.indices where flights[index].party == party {
        flights[index].isWanted = true
      }
    }
    return true
  }

  private mutating func open(_ get: Get, _ party: Int) -> Get {
    var get = get
    flightCount += 1
    var flight = ModelFlight(
      id: flightCount, party: party, store: get.store, key: get.key, how: get.how, isBySync: false,
      isWanted: get.caller == nil)
    if let caller = get.caller { flight.callers = [caller] }
    flight.failed = get.failed
    flight.opened = get.asked ?? number
    flight.waitsUntil = now.sinceBoot + setting.hardTimeout.milliseconds
    if !get.how.asksAlways, get.look.isServable { flight.forced = get.look.edition }
    flights.append(flight)
    processes[get.store].seats[get.key] = .init(flight: flight.id, newest: get.newest)
    get.flight = flight.id
    return get
  }

  /// The flights that a get has opened, and that are not over.
  private func flights(_ step: Int, isBehind: Bool) -> [ModelFlight] {
    let ids = (gets[step] ?? []).filter { ($0.caller == nil) == isBehind }.map(\.flight)
    return flights.filter { ids.contains($0.id) }
  }

  /// The flights that a get has opened want their leases.
  mutating func claim(_ step: Int, isBehind: Bool) {
    if let party = flights(step, isBehind: isBehind).first?.party {
      claim(party: party)
    }
  }

  /// The flights that a get has opened ask the source, or are put off.
  mutating func admit(_ step: Int, isBehind: Bool) {
    if let party = flights(step, isBehind: isBehind).first?.party { admit(party: party) }
  }

  /// The flights that a get has opened are over, if they were put off.
  mutating func deliver(_ step: Int, isBehind: Bool) {
    for flight in flights(step, isBehind: isBehind) { deliver(flight: flight.id) }
  }

  /// The result of a flight is handed out.
  mutating func deliver(flight id: Int) {
    if let landing = landings.removeValue(forKey: id) { land(id, landing) }
  }

  /// Hands out the result of a flight.
  mutating func land(_ id: Int, _ landing: ModelFlight.Landing) {
    guard let index = flights.firstIndex(where: { $0.id == id }) else { return }
    let flight = flights.remove(at: index)
    if processes[flight.store].seats[flight.key]?.flight == id {
      processes[flight.store].seats[flight.key] = nil
    }
    for caller in flight.callers {
      errands.insert(.land(landing, store: flight.store, key: flight.key, caller))
    }
  }

  /// False when the result of a flight is not usable for a task that has joined it. Such a result
  /// is older than a mark from before the caller came, or does not satisfy the caller's own policy.
  private func serves(
    _ landing: ModelFlight.Landing, _ key: String, _ caller: ModelFlight.Caller
  ) -> Bool {
    guard !(1...max(1, caller.asked)).contains(landing.coveredBy) else { return false }
    if caller.how.asksAlways, caller.isLate, let request = landing.request,
      request <= caller.asked, flaw != .answersEarlier
    {
      return false
    }
    switch landing.outcome {
    case .found(_, let found):
      if caller.how.asksAlways, found.edition.map({ $0.epoch <= caller.asked }) ?? true {
        return false
      }
      if caller.how == .sourceOnly, !found.isFresh || found.isLocal { return false }
      let look = look(key, caller.how)
      return look.isServable || look.outcome == .absent
    case .failed(.paused), .failed(.down), .failed(.held):
      return caller.how != .refresh && caller.how != .sourceOnly
    case .wiped: return false
    case .failed, .stored, .unstored, .revalidated, .absent: return true
    }
  }

  // MARK: Errands

  /// An errand whose result does not depend on others; `nil` when there is none.
  var settledErrand: Errand? {
    errands.first { errand in
      guard case .land(let landing, _, let key, let caller) = errand else { return false }
      switch landing.outcome {
      case .failed where caller.hasCopy: return false
      case .found where caller.isJoined: return false
      default: return !caller.isJoined || serves(landing, key, caller)
      }
    }
  }

  /// True when some flights have been opened and have not tried to get the lease yet.
  var isAnybodyToFly: Bool {
    errands.contains { if case .fly = $0 { true } else { false } }
  }

  /// True when the errand only delivers an answer, and changes nothing else.
  func isAnswer(_ errand: Errand) -> Bool {
    guard case .land(let landing, _, let key, let caller) = errand else { return false }
    return !caller.isJoined || serves(landing, key, caller)
  }

  mutating func run(_ errand: Errand) {
    errands.remove(errand)
    switch errand {
    case .land(let landing, _, let key, let caller) where isAnswer(errand):
      answer(caller.step, key, words(landing.outcome, key, caller))
    case .land(_, let store, let key, let caller):
      let gets = lookAgain(caller, store, key)
      if !gets.isEmpty { errands.insert(.fly(step: caller.step, gets)) }
    case .fly(let step, let gets): fly(step, gets)
    }
  }

  /// A get that has joined a flight whose answer is older than a mark before it starts again; it needs
  /// no newer answer than before.
  private mutating func lookAgain(
    _ caller: ModelFlight.Caller, _ store: Int, _ key: String
  ) -> [Get] {
    let step = caller.step
    let others = gets[step]
    gets[step] = []
    look(step, store, key, caller.how)
    gets[step] = gets[step]?.map { get in
      var get = get
      get.asked = caller.asked
      return get
    }
    board(step)
    defer { gets[step] = others }
    return gets[step] ?? []
  }

  private mutating func fly(_ step: Int, _ boarded: [Get]) {
    let others = gets[step]
    gets[step] = boarded
    for isBehind in [true, false] {
      claim(step, isBehind: isBehind)
      admit(step, isBehind: isBehind)
      deliver(step, isBehind: isBehind)
    }
    gets[step] = others
  }

  private func words(
    _ outcome: ModelFlight.Outcome, _ key: String, _ caller: ModelFlight.Caller
  ) -> String {
    switch outcome {
    case .stored(let value): "fetched \(value)"
    case .unstored(let value): "fetched \(value), not stored"
    case .revalidated(let value): "revalidated \(value)"
    case .found(let value?, let found): "\(found.isFresh ? "fresh" : "stale-offline") \(value)"
    case .found(nil, _): "error absent"
    case .absent: "error absent"
    case .wiped: "error store"
    case .failed(let why):
      (caller.hasCopy ? look(key, caller.how) : Look(.missing))
        .inPlaceOfFetch(setting.policy(caller.how), why)
    }
  }

  // MARK: Ends

  /// Every task that waits in a store for a key is cancelled, whatever else it waits for.
  mutating func cancel(_ store: Int, _ key: String) {
    var gone = Set(
      batches.filter { $0.value.store == store && $0.value.keys.contains(key) }.map(\.key))
    for flight in flights where flight.store == store && flight.key == key {
      gone.formUnion(flight.callers.map(\.step))
    }
    var left: Set<Int> = []
    for index in flights.indices where flights[index].store == store {
      let flight = flights[index]
      let callers = flight.callers.filter { gone.contains($0.step) }
      guard !callers.isEmpty else { continue }
      flights[index].callers.removeAll { gone.contains($0.step) }
      for caller in callers { answer(caller.step, flight.key, "error cancelled") }
      left.insert(flight.party)
    }
    for party in left {
      let flights = flights.filter { $0.party == party }
      guard flights.allSatisfy({ !$0.isWanted && $0.callers.isEmpty }) else { continue }
      for flight in flights { end(flight.id) }
    }
  }

  /// Ends a flight, which gives its lease back.
  mutating func end(_ id: Int) {
    guard let flight = flights.first(where: { $0.id == id }) else { return }
    if leases[flight.key]?.flight == id { leases[flight.key] = nil }
    land(id, .init(outcome: .failed(.failed)))
  }
}
