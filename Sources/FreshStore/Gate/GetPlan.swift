internal import Strategies

/// What a get does about one key: a pure function of the decision, the policy and what is known of
/// the network.
enum GetPlan: Sendable, Equatable {
  /// Serve the copy; `refreshes` asks for a fetch behind it.
  case serve(CopyUse, refreshes: Bool)
  /// Serve the copy: the last attempt failed, and the pause is not over.
  case standIn(AttemptPause)
  /// No answer, and no attempt.
  case fail(GetError.Code)
  /// Fetch and wait.
  case fetch

  /// Why a copy is served without a fetch before it.
  enum CopyUse: Sendable, Equatable {
    case fresh, whileRevalidating, offline, stale
  }

  /// What a caller wants.
  enum Intent: Sendable {
    /// An answer.
    case get
    /// The record fresh: the window in which a stale copy would do is over.
    case refresh
  }

  /// What the plan depends on beside the decision and the policy.
  struct Situation {
    var intent: Intent
    /// Whether the source is provably out of reach; asked only where it matters.
    var isOffline: () -> Bool
    /// The pause in which a way that others found dead is left alone; asked only where it matters.
    var wayPause: () -> AttemptPause?
    /// A random number in 0 ..< 1.
    var random: () -> Double
    /// How long the last fetch took.
    var fetchCost: Duration?
  }

  init(_ decision: Decision, _ policy: Policy, _ situation: Situation) {
    switch policy.mode {
    case .copyOnly(let allowsStale):
      self = Self.copyOnly(decision, allowsStale: allowsStale)
    case .sourceOnly:
      self = .fetch
    case .sourceFirst:
      self = Self.sourceFirst(decision, policy, situation)
    case .copyFirst:
      self = Self.copyFirst(decision, policy, situation)
    }
  }

  private static func copyOnly(_ decision: Decision, allowsStale: Bool) -> GetPlan {
    switch decision.outcome {
    case .fresh: .serve(.fresh, refreshes: false)
    case .offline: .serve(.offline, refreshes: false)
    case .stale:
      allowsStale && !decision.mustRevalidate ? .serve(.stale, refreshes: false) : .fail(.stale)
    case .absent: .fail(.absent)
    case .missing, .unusable: .fail(.missing)
    }
  }

  private static func sourceFirst(
    _ decision: Decision, _ policy: Policy, _ situation: Situation
  ) -> GetPlan {
    // What is written here and not yet there is newer than anything the source has.
    if decision.cause == .pendingWrite, situation.intent == .get {
      return decision.outcome == .fresh ? .serve(.fresh, refreshes: false) : .fail(.absent)
    }
    guard situation.isOffline() else {
      return pause(decision, policy, situation).map { .standIn($0) } ?? .fetch
    }
    return switch decision.outcome {
    case .fresh: .serve(.fresh, refreshes: false)
    case .offline: .serve(.offline, refreshes: false)
    case .absent: .fail(.absent)
    case .stale, .missing, .unusable: .fail(.offline)
    }
  }

  private static func copyFirst(
    _ decision: Decision, _ policy: Policy, _ situation: Situation
  ) -> GetPlan {
    switch decision.outcome {
    case .fresh:
      return .serve(.fresh, refreshes: isEager(decision, policy, situation))
    case .offline: return .serve(.offline, refreshes: false)
    case .absent: return .fail(.absent)
    case .missing, .unusable: return situation.isOffline() ? .fail(.offline) : .fetch
    case .stale:
      if situation.isOffline() { return .fail(.offline) }
      if let pause = pause(decision, policy, situation) { return .standIn(pause) }
      let isInWindow = decision.isWithin(decision.graceWhileRevalidating)
      return isInWindow && situation.intent == .get
        ? .serve(.whileRevalidating, refreshes: true) : .fetch
    }
  }

  /// The pause in which a copy that may stand in spares the source another attempt.
  private static func pause(
    _ decision: Decision, _ policy: Policy, _ situation: Situation
  ) -> AttemptPause? {
    guard decision.mayStandIn else { return nil }
    let next = Backoff.end(
      decision.nextAttempt, at: decision.now, maximum: policy.maximumRetryPause)
    return next.map {
      AttemptPause(until: $0, cause: decision.failure ?? "no reason kept")
    } ?? situation.wayPause()
  }

  private static func isEager(
    _ decision: Decision, _ policy: Policy, _ situation: Situation
  ) -> Bool {
    guard decision.cause != .pendingWrite,
      case .after(let lifetime) = decision.expiry, let age = decision.age,
      decision.nextAttempt.map({ $0 <= decision.now }) ?? true
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
    return isTime && !situation.isOffline()
  }
}
