internal import Strategies

/// One running get, for one key or many, from the request to the answer.
///
/// 1. ``look(_:)`` reads the records, and the gate judges them.
/// 2. ``settle(_:_:)`` plans each key (``GetPlan``): the copy answers, the get fails, or a fetch is needed.
/// 3. A key that needs a fetch joins the flight of another caller, or gets a new one (``FlightTable``).
/// 4. The flight takes the leases, asks the fleet for the records of other hosts, and calls the source
///    (``FlightRunner``, ``FleetFlight``, ``SourceCall``).
/// 5. The answer is admitted by the rules, stored under the leases, and delivered (``FlightLanding``).
/// 6. Each caller takes the delivery that answers its request (``wait(for:on:_:)``). It looks again where the flight's
///    answer is too old, or is for other callers.
struct Getter<Value: Sendable>: Sendable {
  typealias Fetch = @Sendable ([Previous<Value>]) async throws -> [String: Fetched<Value>]
  typealias Outcome = Result<Answer<Value>, GetError>

  let collection: RecordCollection<Value>
  let policy: Policy
  let intent: GetPlan.Intent
  let fetch: Fetch

  init(
    _ collection: RecordCollection<Value>, _ policy: Policy, _ intent: GetPlan.Intent,
    _ fetch: @escaping Fetch
  ) {
    self.collection = collection
    self.policy = policy
    self.intent = intent
    self.fetch = fetch
  }

  var store: Store { collection.store }

  func results(of keys: [String]) async -> [String: Outcome] {
    var results: [String: Outcome] = [:]
    var known = subjects(keys, &results)
    if policy.mode == .bypass {
      let fetched = await BypassingGet(getter: self).results(of: known.map(\.key))
      return results.merging(fetched) { first, _ in first }
    }
    let notes = store.storage.database.clockWatch?.noteCount
    look(&known)
    await heedClock(&known, since: notes)
    let (waiting, behind) = settle(known, &results)
    start(behind)
    for (key, outcome) in await awaitAll(waiting) { results[key] = outcome }
    return results
  }

  /// The results of a policy that asks no source.
  func storedResults(of keys: [String]) -> [String: Outcome] {
    var results: [String: Outcome] = [:]
    var known = subjects(keys, &results)
    look(&known)
    _ = settle(known, &results)
    return results
  }

  /// The subjects of the keys that can be looked up; the other keys have failed.
  private func subjects(_ keys: [String], _ results: inout [String: Outcome]) -> [Subject] {
    var known: [Subject] = []
    let ambiguousKey = collection.ambiguousKey(in: keys)
    for key in Set(keys) {
      do throws(StoreError) {
        try collection.check(key, .read)
        try collection.check(policy, .read)
        if key == ambiguousKey { throw collection.ambiguityError(.read, key) }
        known.append(Subject(key: key))
      } catch {
        results[key] = .failure(failure(.store, key, store: error))
      }
    }
    return known
  }

  /// Waits for a running fetch of a key without a stored record; `nil` when there is no such fetch.
  ///
  /// It does not read the file again, because many callers may want the key at once. It is for gets by the collection's
  /// own policy.
  func resultOfFlight(for key: String) async -> Outcome? {
    guard policy.mode == .cacheFirst, !store.isClosed,
      let header = store.storage.database.memory.header, !store.isOffline(policy),
      let (flight, look, asked) = collection.flights.join(key, under: header)
    else { return nil }
    store.report(.decided(look.decision))
    let examined = JudgedCopy<Value>(key: key, decision: look.decision, record: nil, value: nil)
    let subject = Subject(
      key: key, examined: examined, asked: asked, came: .milliseconds(store.now().sinceBoot))
    return await outcome(of: subject, on: flight, .joinedLate)
  }

  // MARK: The copies

  /// A key, and its stored record.
  struct Subject: Sendable {
    let key: String
    var examined: JudgedCopy<Value>?
    var storeFailure: StoreError?
    /// The number of the store's sequence at the request; `nil` before it is known. Marks and wipes up to this number
    /// came before the request.
    var asked: Int64?
    /// The time of the request, on the boot clock; `nil` before the request waits.
    var came: Duration?
    /// True when the request came before the read, so that the findings are newer than the request.
    var looksAgain = false
    /// True when a running flight returned a variant that does not answer this request.
    var isAlone = false
    /// True after a failure at the shorter limit of another caller, whose pause does not hold for this one.
    var passesPause = false
  }

  func look(_ subjects: inout [Subject]) {
    do throws(StoreError) {
      let examined = try collection.examine(subjects.map(\.key), policy)
      for index in subjects.indices { subjects[index].examined = examined[subjects[index].key] }
    } catch {
      // The store is only a cache here: the source can still answer.
      for index in subjects.indices { subjects[index].storeFailure = error }
    }
  }

  /// The subject with its current record, if its copy may have to be served after a wait.
  ///
  /// The copy is older by now. It may have been marked, or fetched by another owner.
  func presently(_ subject: Subject) -> Subject {
    guard let copy = subject.examined, copy.value != nil else { return subject }
    var present = subject
    do throws(StoreError) {
      present.examined = try collection.examine(subject.key, policy, isNoted: false)
    } catch {
      present.storeFailure = error
      if case .closed = error.code {
        present.examined = nil
      } else {
        present.examined = collection.examine(
          subject.key, copy.record, SharedPolicy(policy), now: store.now())
      }
    }
    return present
  }

  /// Reads again where a pause blocks an attempt and the clock was set meanwhile.
  private func heedClock(_ subjects: inout [Subject], since notes: Int?) async {
    guard subjects.contains(where: { $0.examined?.decision.nextAttempt != nil }),
      let watch = store.storage.database.clockWatch,
      watch.noteCount != notes || watch.news != nil
    else { return }
    do throws(StoreError) {
      try await store.keepTime(within: .zero)
      look(&subjects)
    } catch {
      // Then the pause stays as stored.
    }
  }

  /// Answers the subjects that need no wait. The rest must be fetched and waited for, or refreshed in the background.
  private func settle(
    _ subjects: [Subject], _ results: inout [String: Outcome]
  ) -> (waiting: [Subject], behind: [Subject]) {
    var (waiting, behind): ([Subject], [Subject]) = ([], [])
    for subject in subjects {
      guard let examined = subject.examined else {
        if let failure = subject.storeFailure, case .closed = failure.code {
          results[subject.key] = .failure(self.failure(.store, subject.key, store: failure))
        } else if case .cacheOnly = policy.mode {
          results[subject.key] = .failure(
            self.failure(.store, subject.key, store: subject.storeFailure))
        } else if store.isOffline(policy) {
          results[subject.key] = .failure(
            self.failure(.offline, subject.key, store: subject.storeFailure))
        } else {
          waiting.append(subject)
        }
        continue
      }
      let situation = collection.situation(
        intent, policy, examined, passesPause: subject.passesPause)
      switch GetPlan(examined.decision, policy, situation) {
      case .serve(let use, let refreshes):
        results[subject.key] = serve(examined, use, refreshes: refreshes)
        if refreshes, policy.backgroundRefresh == .byStore { behind.append(subject) }
      case .standIn(let obstacle):
        results[subject.key] = serveInstead(subject, obstacle.failure)
      case .fail(let code):
        results[subject.key] = .failure(
          failure(code, subject.key, examined.decision, store: subject.storeFailure))
      case .fetch where NestedFetch.isOf(subject.key, in: collection):
        results[subject.key] = serveInstead(subject, .waitsForItself)
      case .fetch:
        waiting.append(subject)
      }
    }
    return (waiting, behind)
  }

  // MARK: The fetches

  /// Starts fetches that no caller waits for.
  private func start(_ subjects: [Subject]) {
    guard !subjects.isEmpty else { return }
    let subjects = numbered(subjects)
    let assignment = assign(subjects, isBackground: true)
    for joined in assignment.joined.values { joined.flight.leaveUnserved() }
    run(assignment, subjects, isBackground: true)
  }

  private func awaitAll(_ subjects: [Subject]) async -> [String: Outcome] {
    guard !subjects.isEmpty else { return [:] }
    let subjects = numbered(subjects)
    let assignment = assign(subjects, isBackground: false)
    run(assignment, subjects)
    if subjects.count == 1, let subject = subjects.first {
      return [subject.key: await outcome(of: subject, from: assignment)]
    }
    // There is no task group: when a child ends, the group walks along all its children, so that many keys cost their
    // square.
    let waits = subjects.map { subject in
      (subject.key, Task.onCallersExecutor { await outcome(of: subject, from: assignment) })
    }
    return await withTaskCancellationHandler {
      var outcomes: [String: Outcome] = [:]
      for (key, wait) in waits { outcomes[key] = await wait.value }
      return outcomes
    } onCancel: {
      for (_, wait) in waits { wait.cancel() }
    }
  }

  private func outcome(
    of subject: Subject, from assignment: FlightTable<Value>.Assignment
  ) async -> Outcome {
    if let (flight, isLate) = assignment.joined[subject.key] {
      return await outcome(of: subject, on: flight, isLate ? .joinedLate : .joined)
    }
    guard let flight = assignment.started?.flight else {
      return .failure(failure(.missing, subject.key))
    }
    return await outcome(of: subject, on: flight, .began)
  }

  private func outcome(
    of subject: Subject, on flight: Flight<Value>, _ boarding: Flight<Value>.Boarding
  ) async -> Outcome {
    switch await wait(for: subject, on: flight, boarding) {
    case .ended(let outcome): outcome
    case .unserved: await lookAgain(at: subject)
    case .otherVariant: await lookAgain(at: subject, isAlone: true)
    // The record is here by now: only a later number shows that it is no news.
    case .foundTooEarly: await lookAgain(at: subject, isRenumbered: true)
    case .impatient: await lookAgain(at: subject, passesPause: true)
    }
  }

  /// Gets a key once more, because the result of the joined flight was not for this caller.
  ///
  /// The new result need only be newer than the first request. Otherwise, under a constant stream of marks, the caller
  /// would never get an answer.
  private func lookAgain(
    at subject: Subject, isAlone: Bool = false, passesPause: Bool = false,
    isRenumbered: Bool = false
  ) async -> Outcome {
    var again = [
      Subject(
        key: subject.key, asked: isRenumbered ? nil : subject.asked, came: subject.came,
        looksAgain: true,
        isAlone: isAlone, passesPause: passesPause)
    ]
    look(&again)
    var results: [String: Outcome] = [:]
    let (waiting, behind) = settle(again, &results)
    start(behind)
    if let result = results[subject.key] { return result }
    return await awaitAll(waiting)[subject.key] ?? .failure(failure(.missing, subject.key))
  }

  /// The subjects with the number of the store's sequence at this get. It separates earlier marks and wipes from later
  /// ones, during the wait.
  private func numbered(_ subjects: [Subject]) -> [Subject] {
    var numbered = subjects
    let now = Duration.milliseconds(store.now().sinceBoot)
    for index in numbered.indices where numbered[index].came == nil { numbered[index].came = now }
    do throws(StoreError) {
      let number = try store.storage.currentNumber()
      for index in numbered.indices where numbered[index].asked == nil {
        numbered[index].asked = number
      }
    } catch {
      // An unreadable store has no visible marks.
      store.report(.notStored(error))
    }
    return numbered
  }

  private func assign(
    _ subjects: [Subject], isBackground: Bool
  ) -> FlightTable<Value>.Assignment {
    collection.flights.assign(
      subjects.map { subject in
        let examined = subject.examined
        return FlightTable<Value>.Request(
          key: subject.key, newest: examined?.newestInvalidation ?? 0,
          look: subject.looksAgain ? nil : examined?.emptyLook, asked: subject.asked ?? 0,
          isAlone: subject.isAlone)
      }, isBackground: isBackground, by: policy)
  }

  private func run(
    _ assignment: FlightTable<Value>.Assignment, _ subjects: [Subject], isBackground: Bool = false
  ) {
    guard let (flight, keys) = assignment.started else { return }
    let runner = runner(of: flight, subjects)
    collection.flights.start(flight) {
      // No caller waits for a background flight: it is no part of the fetch that began it.
      guard isBackground else { return await runner.run(keys) }
      await NestedFetch.$current.withValue(nil) { await runner.run(keys) }
    }
  }

  func runner(of flight: Flight<Value>, _ subjects: [Subject]) -> FlightRunner<Value> {
    var copies: [String: JudgedCopy<Value>] = [:]
    for subject in subjects { copies[subject.key] = subject.examined }
    return FlightRunner(
      collection: collection, policy: policy, fetch: fetch, flight: flight, copies: copies,
      begun: subjects.compactMap(\.asked).min())
  }

  func failure(
    _ code: GetError.Code, _ key: String, _ decision: Decision? = nil,
    fetch: FetchFailure? = nil, store: StoreError? = nil
  ) -> GetError {
    GetError(
      code, collection: collection.name, key: key, decision: decision, fetchFailure: fetch,
      storeFailure: store)
  }
}
