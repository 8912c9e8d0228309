internal import Platform
public import Strategies

/// The plan of a get for one key: a pure function of the decision, the policy and the known state of the network.
enum GetPlan: Sendable, Equatable {
  /// Serve the copy; `refreshes` requests a fetch in the background.
  case serve(CopyUse, refreshes: Bool)
  /// Serve the copy, if it is usable: the source must not be asked now.
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
    /// A fresh record: the time in which a stale copy was acceptable is over.
    case renew
  }

  /// The inputs of a plan besides the decision and the policy.
  struct Situation {
    var intent: Intent
    /// The reason why the source must not be asked, given whether a copy could be served meanwhile.
    var obstacle: (_ canWait: Bool) -> SourceObstacle?
    /// A random number in 0 ..< 1.
    var random: () -> Double
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

/// The logarithm of the C library.
enum NaturalLogarithm {
  /// −ln(x) for a random number x in 0 ..< 1; finite also for 0.
  static func negated(of random: Double) -> Double {
    0 - log(max(random, .leastNonzeroMagnitude))
  }
}

/// The action of a get for a key, and its grounds.
public struct Explanation: Sendable {
  /// The action of a get.
  public enum Action: String, Sendable, Hashable, Codable {
    /// Serve the copy.
    case serve
    /// Serve the copy and refresh it in the background.
    case serveAndRefresh = "serve-and-refresh"
    /// Serve the copy, because the source failed, and is not asked for a while.
    case standIn = "stand-in"
    /// Ask the source, and wait for it.
    case fetch
    /// Fail at once.
    case fail

    init(_ plan: GetPlan) {
      self =
        switch plan {
        case .serve(_, refreshes: false): .serve
        case .serve(_, refreshes: true): .serveAndRefresh
        case .standIn: .standIn
        case .fail: .fail
        case .fetch: .fetch
        }
    }
  }

  /// The gate's decision, with every strategy that it asked.
  public let decision: Decision
  /// The action of a get.
  public let action: Action
  /// The reason why a get would not ask the source, although a fetch is wanted.
  /// `nil` when a get would ask, and when no fetch is wanted.
  public let refusal: FetchFailure?
  /// The owner that is fetching the key now; `nil` without one.
  public let fetchedBy: String?
  /// The origin whose breaker guards a fetch; `nil` when the policy names no origin.
  /// Then there is no breaker, and after failures each record pauses by itself.
  public let origin: Origin?
  /// The end of the origin's pause; `nil` without one.
  public let originIsDownUntil: Timestamp?
  /// The reason why a get would ask the source without the fleet; `nil` when it would not, and for a single host.
  public let sharedTierFailure: SharedTierError?
  /// The record's tags, sorted.
  public let tags: [String]
  /// True when the record is never pruned.
  public let isPinned: Bool
  /// The size of the value in bytes.
  public let size: Int
  /// The source's URL or label.
  public let source: String?
  /// The media type.
  public let contentType: String?
  /// The validators for a conditional request.
  public let validators: Validators
}

/// The action of a get on a host of a fleet, and its grounds.
package struct FleetExplanation: Sendable {
  /// The action of the host without the fleet, after it has applied the fleet's marks.
  package let explanation: Explanation
  /// The host whose record a get would take from the fleet, in place of a fetch; `nil` when it would fetch.
  package let owner: String?
}
