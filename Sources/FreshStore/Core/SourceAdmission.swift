internal import Strategies

/// Decides whether a source may be asked now: the single place for gets, pushes, lists, background
/// work and explanations.
///
/// First comes the kernel's view: a provably unreachable source is not asked. Then come the pauses,
/// unless the refresh is manual (``Policy/heedsPauses``): that of the record, that of a route which
/// fetches found dead, and the breaker of the origin, or the hold on it. The pause of a route is a suspicion, and
/// blocks only callers that can wait; the others block all.
struct SourceAdmission: Sendable {
  let store: Store
  let collection: String
  let policy: Policy

  /// A request to a source.
  struct Request {
    /// The pause of the record; `nil` when there is none.
    var pause: AttemptPause?
    /// True when there is a copy to serve meanwhile, or no caller waits. A suspected route may well work: a
    /// caller without a copy tries it.
    var canWait = true
  }

  /// The route that the fetches of the source share.
  var route: FetchEvidence.Route {
    if let origin = policy.origin { return .origin(origin) }
    let collection = ExactName(collection)
    return policy.route.map { .source(of: collection, ExactName($0)) } ?? .collection(collection)
  }

  /// The origin with the rules of its breaker; `nil` for none.
  var origin: OriginGuard? {
    policy.origin.map {
      OriginGuard(
        origin: $0, policy: policy.breaker ?? store.configuration.breaker,
        random: store.configuration.random())
    }
  }

  /// True when the source is provably unreachable.
  var isOffline: Bool { offlineCause != nil }

  /// The obstacle of a provably unreachable source.
  var offline: SourceObstacle? { offlineCause.map { .offline("\($0)") } }

  /// The obstacle that is known without reading the file; changes nothing.
  func obstacle(to request: Request) -> SourceObstacle? {
    if let offline { return offline }
    guard policy.heedsPauses else { return nil }
    if let pause = request.pause { return .paused(pause) }
    guard heedsRoute(request) else { return nil }
    return store.evidence.pause(over: route, at: store.now(), atMost: longestPause)
      .map { .paused($0) }
  }

  /// As ``obstacle(to:)``, and checks the breaker, too; changes nothing. Cost: negligible; one
  /// SELECT where there is a breaker.
  func look(for request: Request) throws(StoreError) -> SourceObstacle? {
    if let obstacle = currentObstacle(to: request) { return obstacle }
    guard policy.heedsPauses, let origin else { return nil }
    let now = store.now()
    return origin.pause(in: try breaker(origin, at: now), at: now).map { .paused($0) }
  }

  /// Decides whether an attempt may begin: `nil` when it may. While a route is suspected or a
  /// breaker is open, one caller is admitted after each pause, and one more in another network.
  /// Cost: as of ``look(for:)``, and a turn in the queue of writes where the breaker is not closed, or may not be.
  func admit(_ request: Request = Request()) async throws(StoreError) -> SourceObstacle? {
    if let obstacle = currentObstacle(to: request) { return obstacle }
    guard policy.heedsPauses else { return nil }
    let now = store.now()
    if heedsRoute(request),
      let pause = store.evidence.admit(over: route, at: now, atMost: longestPause)
    {
      return .paused(pause)
    }
    guard let origin else { return nil }
    if let fleet = store.fleet { await store.takePause(of: origin, in: fleet) }
    let isNewNetwork = store.evidence.takeNewNetwork(for: origin.origin)
    // A pause that was taken over just now is judged from then on.
    let moment = store.now()
    do throws(StoreError) {
      // A closed breaker has nothing to write: no caller waits for the writers, unless a failure waits for them that
      // may open it.
      if !store.hasFailuresToNote,
        case .closed = try store.storage.breakerState(of: origin, now: moment)
      {
        return nil
      }
      let pause = try await store.queue.run { [store] () throws(StoreError) in
        try store.storage.admit(origin, isNewNetwork: isNewNetwork, now: moment)
      }
      return pause.map { .paused($0) }
    } catch {
      // A file that cannot be written, as on a full disk, can be read: a hold or a pause in it still counts.
      guard let obstacle = try look(for: request) else { throw error }
      return obstacle
    }
  }

  /// As ``admit(_:)`` for an attempt that the file cannot note: what such attempts have found counts, too.
  func admitUnnoted(_ request: Request) throws(StoreError) -> SourceObstacle? {
    let found: Result<SourceObstacle?, StoreError>
    do throws(StoreError) {
      found = .success(try look(for: request))
    } catch {
      found = .failure(error)
    }
    if case .success(let obstacle?) = found { return obstacle }
    if policy.heedsPauses, let origin,
      let pause = store.unwrittenBreakers.admit(origin, at: store.now())
    {
      return .paused(pause)
    }
    return try found.get()
  }

  /// The obstacle of an origin that is held, for a get that heeds no breaker. Cost: that of ``look(for:)``.
  func hold() throws(StoreError) -> SourceObstacle? {
    guard let obstacle = try goOn(), case .paused = obstacle else { return nil }
    return obstacle
  }

  /// As ``admit(_:)``, once for all that go in one request, which is one trial: each gets the same result.
  func admitAll() async -> Result<SourceObstacle?, StoreError> {
    do throws(StoreError) {
      return .success(try await admit())
    } catch {
      return .failure(error)
    }
  }

  /// Decides whether work that was admitted may ask once more: `nil` when it may. It keeps its trial. A hold that has
  /// come since, or the loss of the network, ends it. Changes nothing.
  ///
  /// Cost: negligible; one SELECT where there is an origin.
  func goOn() throws(StoreError) -> SourceObstacle? {
    if let offline { return offline }
    guard policy.heedsPauses, let origin else { return nil }
    let now = store.now()
    let state = try store.storage.breakerState(of: origin, now: now)
    guard case .held = state else { return nil }
    return origin.pause(in: state, at: now).map { .paused($0) }
  }

  /// The state of the source for a caller that can wait; changes nothing.
  func state() throws(StoreError) -> SourceState {
    switch obstacle(to: Request()) {
    case .offline(let cause): return .offline(cause)
    case .paused(let pause): return .paused(until: pause.until, reason: pause.cause)
    case nil: break
    }
    let now = store.now()
    guard policy.heedsPauses else { return .open }
    if let origin {
      switch try breaker(origin, at: now) {
      case .closed: break
      case .open(let until):
        return .paused(until: until, reason: origin.pause(until: until).cause)
      case .trial: return .trial
      case .held(let reason): return .held(reason)
      }
    }
    guard policy.reachability == .ask,
      case .suspected = store.evidence.reachability(over: route, at: now)
    else { return .open }
    return .trial
  }

  private func breaker(
    _ origin: OriginGuard, at now: ClockReading
  ) throws(StoreError) -> OriginGuard.State {
    let state = try store.storage.breakerState(of: origin, now: now)
    guard case .open = state, store.evidence.isNewNetwork(for: origin.origin) else { return state }
    return .trial
  }

  /// As ``obstacle(to:)``. Where the file had a failure behind the suspicion of a route, and has none any more, the
  /// suspicion is over: the origin has answered another process, or somebody has ended its pauses.
  private func currentObstacle(to request: Request) -> SourceObstacle? {
    let obstacle = obstacle(to: request)
    guard case .paused(let pause)? = obstacle, pause.origin == .backoff, let origin,
      store.evidence.isStored(over: route)
    else { return obstacle }
    do throws(StoreError) {
      guard try store.storage.failures(of: origin.name) == 0 else { return obstacle }
    } catch {
      // A file that cannot be read ends no pause.
      return obstacle
    }
    store.evidence.forgetFailures(over: route)
    return self.obstacle(to: request)
  }

  /// An application that forces or ignores reachability overrides the findings of earlier fetches. Where the breaker
  /// never opens, no suspicion holds back a call, either.
  private func heedsRoute(_ request: Request) -> Bool {
    request.canWait && policy.reachability == .ask && policy.breaker?.threshold != Int.max
  }

  /// The longest pause of a suspected route: what a policy says of its own breaker holds for that, too.
  private var longestPause: Duration? { policy.breaker?.maximumPause }

  private var offlineCause: OfflineCause? {
    let reachability: Reachability
    switch policy.reachability {
    case .ask: reachability = store.configuration.reachability.reachability()
    case .ignore: return nil
    case .assume(let assumed): reachability = assumed
    }
    guard case .offline(let cause) = reachability else { return nil }
    return cause
  }
}

extension Store {
  /// Runs a fetch and notes its findings about its route. Where nobody is signed in, its origin is held.
  ///
  /// - Parameter signsIn: False for a fetch that needs nobody to be signed in.
  func watched<Value>(
    _ route: FetchEvidence.Route, signsIn: Bool = true,
    _ fetch: () async -> Result<Value, FetchFailure>
  ) async -> Result<Value, FetchFailure> {
    let attempt = evidence.attempt(over: route, at: now())
    // A route that is never held needs none.
    let begun: Int64? = if signsIn, case .origin = route { numberOfRequest() } else { nil }
    let result = await fetch()
    guard case .failure(let failure) = result else {
      evidence.note(nil, of: attempt, over: route, at: now())
      return result
    }
    evidence.note(failure, of: attempt, over: route, at: now())
    guard failure.needsSignIn, case .origin(let origin) = route, let begun,
      await hold(origin, failure, begun: begun)
    else { return result }
    return .failure(
      FetchFailure(.held, failure.message, underlying: failure.underlying))
  }

  /// Holds an origin; false when somebody may have signed in since the request, in any process, or it
  /// could not be stored: then the failure is one like others.
  private func hold(_ origin: Origin, _ failure: FetchFailure, begun: Int64) async -> Bool {
    let reason = failure.cause
    do throws(StoreError) {
      return try await queue.run { [storage] () throws(StoreError) in
        try storage.hold(origin.name, because: reason, begun: begun)
      }
    } catch {
      report(.notStored(error))
      return false
    }
  }
}
