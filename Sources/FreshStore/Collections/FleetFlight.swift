internal import Strategies

/// The stage of a flight between the host's own leases and the source.
///
/// The fleet has the record, grants its lease, or names another host that is fetching it.
struct FleetFlight<Value: Sendable>: Sendable {
  let runner: FlightRunner<Value>
  let fleet: FleetMember
  let copies: [String: JudgedCopy<Value>]
  /// The time since boot at which the flight stops waiting for other hosts.
  let end: Duration
  let began: ClockReading

  var collection: RecordCollection<Value> { runner.collection }
  var store: Store { runner.collection.store }
  private var policy: Policy { runner.policy }

  /// The results of one question to the fleet.
  struct Round: Sendable {
    var granted: [String: SharedLease] = [:]
    /// The keys that this host may fetch: granted keys, keys that the tier says nothing of, and keys that every host
    /// fetches for itself.
    var free: [String] = []
    var found: [String: Finding] = [:]
    var held: [String: (owner: String, remaining: Duration)] = [:]
    var paused: [String: (remaining: Duration, failure: FetchFailure)] = [:]
    /// The editions of the findings that are of no use here, by key.
    var useless: [String: Int64] = [:]
    let reply: FleetReply
  }

  /// A record of the fleet that may be served here.
  struct Finding: Sendable {
    let write: Storage.Write
    let value: Value?
    let owner: String
  }

  /// Fetches the keys as the fleet allows it; returns when every key has its outcome.
  func run(_ leases: [Lease]) async {
    await withTaskGroup(of: Void.self) { group in
      var wishes = Dictionary(leases.map { ($0.key, FleetClaim($0)) }) { first, _ in first }
      var pause = Duration.milliseconds(5)
      var renewed = began
      while !wishes.isEmpty {
        guard !Task.isCancelled else { return await fail(wishes, .cancelled) }
        let round: Round
        switch await ask(&wishes) {
        case .success(let answer): round = answer
        case .failure(let obstacle):
          guard !Task.isCancelled else { return await fail(wishes, .cancelled) }
          let part = FleetPart(fleet: fleet, obstacle: obstacle)
          return await fetch(ownLeases(of: wishes), part)
        }
        let step = await meet(round, &wishes)
        if !step.asking.isEmpty {
          let keys = Set(step.asking.map(\.key))
          let part = FleetPart(
            fleet: fleet, leases: round.granted.filter { keys.contains($0.key) },
            heard: round.reply.heard, obstacle: step.obstacle)
          group.addTask { await fetch(step.asking, part) }
        }
        if !step.again.isEmpty { group.addTask { await repeatLost(step.again, round) } }
        guard !wishes.isEmpty, wishes.keys.allSatisfy({ round.held[$0] != nil }) else { continue }
        let left = end - .milliseconds(store.now().sinceBoot)
        guard left > .zero else {
          return await fail(wishes, .isFetchedElsewhere(runner.policy.waitingLimit))
        }
        let remaining = round.held.values.map(\.remaining).min() ?? pause
        do {
          try await store.pause(for: min(pause, left, max(remaining, .milliseconds(1))))
        } catch {
          continue
        }
        pause = min(pause * 2, .milliseconds(200))
        await renew(wishes, &renewed)
      }
    }
  }

  private func fetch(_ leases: [Lease], _ part: FleetPart) async {
    let keys = Set(leases.map(\.key))
    await runner.fetchFromSource(
      leases: leases, copies: copies.filter { keys.contains($0.key) }, part)
  }

  // MARK: The question

  /// Asks the fleet for all keys in one round trip.
  private func ask(_ wishes: inout [String: FleetClaim]) async -> Result<Round, StoreError> {
    let asked = store.now()
    // The rules for a record that is found may take longer than the host's own leases last.
    let keeper = LeaseKeeper(ownLeases(of: wishes), .none, in: store)
    defer { keeper.cancel() }
    // This runs beside the question, so that it costs no time.
    async let pauses: Void = takePause()
    do throws(StoreError) {
      let reply = try await store.claim(claims(wishes), in: fleet)
      await pauses
      var round = Round(reply: reply)
      for key in wishes.keys.sorted() {
        switch reply.results[SharedKey(collection.name, key)] {
        case .granted(let lease):
          round.granted[key] = lease
          round.free.append(key)
        // The tier does not hold back a key that it says nothing of.
        case nil: round.free.append(key)
        case .held(let owner, let remaining):
          round.held[key] = (owner, remaining)
          if wishes[key]?.hasWaited == false {
            store.report(.waitedForLease(collection: collection.name, key: key, owner: owner))
          }
          wishes[key]?.hasWaited = true
        case .paused(let remaining, let reason):
          let failure = FetchFailure.pausingInFleet(
            until: asked.wall.advanced(by: remaining), because: reason)
          round.paused[key] = (remaining, failure)
        case .found(let finding):
          if let usable = await usable(finding, key, asked: asked) {
            round.found[key] = usable
          } else if finding.record.isWithoutValue {
            round.free.append(key)
          } else {
            round.useless[key] = finding.edition
          }
        }
      }
      return .success(round)
    } catch {
      return .failure(error)
    }
  }

  /// Takes over the pause of the origin, if another host has found that it fails.
  private func takePause() async {
    guard policy.heedsPauses, let origin = runner.originGuard else { return }
    await store.takePause(of: origin, in: fleet)
  }

  private func claims(_ wishes: [String: FleetClaim]) -> [SharedClaim] {
    wishes.sorted { $0.key < $1.key }.map { key, wish in
      SharedClaim(
        SharedKey(collection.name, key), known: wish.known,
        // A record that another host has fetched since the request is as good as a fetch.
        asksAlways: wish.asksAlways || (policy.mode.asksAlways && !wish.hasWaited),
        ignoresPause: !policy.heedsPauses)
    }
  }

  /// The finding in the form to be stored and served here; `nil` when the key must be fetched.
  private func usable(
    _ finding: SharedFinding, _ key: String, asked: ClockReading
  ) async -> Finding? {
    guard
      let usable = collection.usable(
        finding, key, over: copies[key], policy, asked: asked, began: began)
    else { return nil }
    if let value = usable.value, await !isAdmitted(value, key) { return nil }
    return Finding(write: usable.write, value: usable.value, owner: finding.owner)
  }

  /// Asks the rules that have to be awaited, as after a fetch.
  private func isAdmitted(_ value: Value, _ key: String) async -> Bool {
    guard collection.awaitsRules else { return true }
    let admitted = await collection.admitted(
      .success([key: .value(value)]), for: [key], limit: policy.hardTimeout)
    if case .success = admitted[key] { return true }
    return false
  }

  // MARK: The wait

  /// Renews the host's own leases during a long wait.
  private func renew(_ wishes: [String: FleetClaim], _ renewed: inout ClockReading) async {
    let (now, duration) = (store.now(), store.configuration.leaseDuration)
    guard .milliseconds(now.sinceBoot - renewed.sinceBoot) > duration / 3 else { return }
    renewed = now
    let leases = ownLeases(of: wishes)
    do throws(StoreError) {
      try await store.queue.run { [store] () throws(StoreError) in
        try store.storage.renew(leases, for: duration, now: now)
      }
    } catch {
      // An expired lease costs a second question.
      store.report(.notStored(error))
    }
  }

  private func fail(_ wishes: [String: FleetClaim], _ failure: FetchFailure) async {
    await runner.release(ownLeases(of: wishes))
    for key in wishes.keys.sorted() { runner.deliver(.failed(failure), key) }
  }

  /// The host's own leases, in the order of their keys, so that a run can be repeated.
  func ownLeases(of wishes: [String: FleetClaim]) -> [Lease] {
    wishes.sorted { $0.key < $1.key }.map(\.value.lease)
  }
}
