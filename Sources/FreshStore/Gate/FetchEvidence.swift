internal import Reachability
internal import Strategies
internal import Synchronization

/// The findings of this store's own fetches about the routes to their sources.
/// They live only in memory: another process, or another boot, may be in another network.
final class FetchEvidence: Sendable {
  /// A route to sources, whose fetches share their findings.
  enum Route: Hashable {
    case origin(Origin)
    /// The sources of a collection whose policy names no origin.
    case collection(ExactName)
    /// One of several sources of such a collection.
    case source(of: ExactName, ExactName)
  }

  /// The most routes, more than a program has origins. Beyond it the evidence, which is only a hint, begins anew.
  private static let capacity = 1024

  private let provider: any ReachabilityProvider
  private let random: @Sendable () -> Double
  private let routes = Mutex<[Route: ReachabilityEvidence]>([:])
  /// The routes whose last failure is also in the file, for the breaker of their origin.
  private let stored = Mutex<Set<Route>>([])
  /// The network in which this process last asked each origin.
  private let networks = Mutex<[Origin: UInt64]>([:])
  /// The network in which the store was opened.
  private let firstNetwork: UInt64

  init(provider: any ReachabilityProvider, random: @escaping @Sendable () -> Double) {
    self.provider = provider
    self.random = random
    firstNetwork = provider.generation
  }

  /// The number of the present network.
  var network: UInt64 { provider.generation }

  /// A fetch that begins now.
  func attempt(over route: Route, at now: ClockReading) -> ReachabilityEvidence.Attempt {
    if case .origin(let origin) = route { _ = takeNewNetwork(for: origin) }
    return ReachabilityEvidence.Attempt(at: now.steady, generation: provider.generation)
  }

  /// True when the network has changed since this process last asked the origin. A failure in the former network tells
  /// nothing about the present one.
  func isNewNetwork(for origin: Origin) -> Bool {
    let generation = provider.generation
    return networks.withLock { $0[origin] ?? firstNetwork } != generation
  }

  /// As ``isNewNetwork(for:)``, for a caller that is about to ask: true only once for each network.
  func takeNewNetwork(for origin: Origin) -> Bool {
    let generation = provider.generation
    return networks.withLock { networks in
      let last = networks[origin] ?? firstNetwork
      if last == generation, networks[origin] != nil { return false }
      if networks[origin] == nil, networks.count >= Self.capacity { networks = [:] }
      networks[origin] = generation
      return last != generation
    }
  }

  /// Notes the end of a fetch. A failure that tells nothing about the route is ignored.
  func note(
    _ failure: FetchFailure?, of attempt: ReachabilityEvidence.Attempt, over route: Route,
    at now: ClockReading
  ) {
    if let failure, !failure.isUnreachable { return }
    if failure == nil { stored.withLock { _ = $0.remove(route) } }
    let random = random()
    change(route) { evidence in
      if let failure {
        evidence.noteFailure(failure.cause, of: attempt, at: now.steady, random: random)
      } else {
        evidence.noteSuccess(of: attempt, at: now.steady)
      }
    }
  }

  /// The provider's state, refined by the evidence.
  func reachability(over route: Route, at now: ClockReading) -> Reachability {
    refine(provider.reachability(), over: route, at: now)
  }

  /// A provider's state, refined by the evidence.
  func refine(_ reachability: Reachability, over route: Route, at now: ClockReading) -> Reachability
  {
    guard let evidence = evidence(of: route) else { return reachability }
    return evidence.refine(reachability, at: now.steady, generation: provider.generation)
  }

  /// Notes that the file has a failure over the route, too. When the file has none any more, the origin has answered
  /// another process, or a caller has ended its pauses.
  func noteStored(over route: Route) {
    stored.withLock { stored in
      if stored.count >= Self.capacity { stored = [] }
      stored.insert(route)
    }
  }

  /// True when the file had a failure over the route.
  func isStored(over route: Route) -> Bool { stored.withLock { $0.contains(route) } }

  /// The pause of a suspected route; `nil` when there is none.
  ///
  /// - Parameter longest: The caller's limit of the pause; `nil` for none.
  func pause(
    over route: Route, at now: ClockReading, atMost longest: Duration? = nil
  ) -> AttemptPause? {
    guard let evidence = evidence(of: route) else { return nil }
    let generation = provider.generation
    guard
      let pause = evidence.pause(at: now.steady, generation: generation, atMost: longest),
      case .suspected(let cause) = evidence.refine(.online, at: now.steady, generation: generation)
    else { return nil }
    return AttemptPause(until: now.wall.advanced(by: pause), cause: cause)
  }

  /// Admits a fetch: `nil` when it may begin, otherwise the pause.
  func admit(
    over route: Route, at now: ClockReading, atMost longest: Duration? = nil
  ) -> AttemptPause? {
    let generation = provider.generation
    let isAdmitted = routes.withLock { routes in
      routes[route]?.admit(at: now.steady, generation: generation, atMost: longest) ?? true
    }
    return isAdmitted ? nil : pause(over: route, at: now, atMost: longest)
  }

  /// Forgets the failures over a route, or over all of them; true when there were any.
  @discardableResult
  func forgetFailures(over route: Route?) -> Bool {
    stored.withLock { stored in
      if let route { _ = stored.remove(route) } else { stored = [] }
    }
    return routes.withLock { routes in
      if let route { return routes.removeValue(forKey: route) != nil }
      defer { routes = [:] }
      return !routes.isEmpty
    }
  }

  private func evidence(of route: Route) -> ReachabilityEvidence? { routes.withLock { $0[route] } }

  private func change(_ route: Route, _ body: (inout ReachabilityEvidence) -> Void) {
    routes.withLock { routes in
      if routes[route] == nil, routes.count >= Self.capacity { routes = [:] }
      body(&routes[route, default: ReachabilityEvidence()])
    }
  }
}

extension ClockReading {
  /// The time since boot, which only goes forward.
  fileprivate var steady: Duration { .milliseconds(sinceBoot) }
}
