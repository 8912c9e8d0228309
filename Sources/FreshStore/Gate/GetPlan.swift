internal import Strategies

/// The plan of a get for one key: a pure function of the decision, the policy and the known state
/// of the network.
enum GetPlan: Sendable, Equatable {
  /// Serve the copy; `refreshes` requests a fetch in the background.
  case serve(CopyUse, refreshes: Bool)
  /// Serve the copy, if there is a usable one: the source must not be asked now.
  case standIn(SourceObstacle)
  /// No answer, and no attempt.
  case fail(GetError.Code)
  /// Fetch and wait.
  case fetch

  /// The reason why a copy is served without a fetch before it.
  enum CopyUse: Sendable, Equatable {
    case fresh, whileRevalidating, offline, stale
  }

  /// The intent of a caller.
  enum Intent: Sendable {
    /// An answer.
    case get
    /// A fresh record: the window in which a stale copy was acceptable is over.
    case renew
  }

  /// The inputs of a plan besides the decision and the policy.
  struct Situation {
    var intent: Intent
    /// The reason why the source must not be asked, given whether a copy could be served meanwhile;
    /// called only where it matters.
    var obstacle: (_ canWait: Bool) -> SourceObstacle?
    /// A random number in 0 ..< 1.
    var random: () -> Double
    /// The duration of the last fetch.
    var fetchCost: Duration?
  }

  init(_ decision: Decision, _ policy: Policy, _ situation: Situation) {
    switch policy.mode {
    case .cacheOnly(let allowsStale):
      self = Self.cacheOnly(decision, allowsStale: allowsStale)
    case .bypass:
      self = .fetch
    case .sourceOnly:
      self = situation.obstacle(false).map { .standIn($0) } ?? .fetch
    case .sourceFirst:
      self = Self.sourceFirst(decision, situation)
    case .cacheFirst:
      self = Self.cacheFirst(decision, policy, situation)
    }
  }

  private static func cacheOnly(_ decision: Decision, allowsStale: Bool) -> GetPlan {
    switch decision.outcome {
    case .fresh: .serve(.fresh, refreshes: false)
    case .offline: .serve(.offline, refreshes: false)
    case .stale:
      allowsStale && !decision.mustRevalidate ? .serve(.stale, refreshes: false) : .fail(.stale)
    case .absent: .fail(.absent)
    case .missing, .unusable: .fail(.missing)
    }
  }

  private static func sourceFirst(_ decision: Decision, _ situation: Situation) -> GetPlan {
    // A local write that has not reached the source is newer than anything there.
    if decision.isLocalWrite {
      return decision.outcome == .fresh ? .serve(.fresh, refreshes: false) : .fail(.absent)
    }
    guard let obstacle = situation.obstacle(decision.mayStandIn) else { return .fetch }
    if case .offline = obstacle, decision.outcome == .absent { return .fail(.absent) }
    return .standIn(obstacle)
  }

  private static func cacheFirst(
    _ decision: Decision, _ policy: Policy, _ situation: Situation
  ) -> GetPlan {
    switch decision.outcome {
    case .fresh:
      return .serve(.fresh, refreshes: isEager(decision, policy, situation))
    case .offline: return .serve(.offline, refreshes: false)
    case .absent: return .fail(.absent)
    case .missing, .unusable, .stale:
      if let obstacle = situation.obstacle(decision.mayStandIn) { return .standIn(obstacle) }
      let isInWindow = decision.isWithin(decision.graceWhileRevalidating)
      return isInWindow && situation.intent == .get
        ? .serve(.whileRevalidating, refreshes: true) : .fetch
    }
  }

  private static func isEager(
    _ decision: Decision, _ policy: Policy, _ situation: Situation
  ) -> Bool {
    guard !decision.isLocalWrite,
      case .after(let lifetime) = decision.expiry, let age = decision.age
    else { return false }
    let isTime: Bool
    switch policy.eagerRefresh {
    case .never: return false
    case .afterFraction(let fraction):
      isTime = age >= lifetime * min(1, max(0, fraction))
    case .probabilistic(let beta):
      // XFetch (https://cseweb.ucsd.edu/~avattani/papers/cache_stampede.pdf): −δ·β·ln(rand).
      let cost = Double((situation.fetchCost ?? .zero).wholeMilliseconds)
      let ahead = cost * beta * NaturalLogarithm.negated(of: situation.random())
      isTime = ahead >= Double((lifetime - age).wholeMilliseconds)
    }
    return isTime && situation.obstacle(true) == nil
  }
}
