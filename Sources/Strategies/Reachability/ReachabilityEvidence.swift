/// What a program's own fetches say of the way to the source, for free.
///
/// A kernel proves at best that there is no way; that a way leads to the source only a fetch can
/// tell. A success makes a way ``Reachability/validated`` for ``lifetime``. A connection that timed
/// out, or found no network, makes it ``Reachability/suspected(_:)`` until one succeeds. What
/// failed later than that, in TLS or HTTP, had reached something and is not to be noted here.
///
/// Evidence belongs to the network it was found in: with another generation of the
/// ``RouteMonitor`` it is void, because a new network is a new chance.
public struct ReachabilityEvidence: Sendable, Hashable {
  /// How long a success speaks for the way.
  public static let lifetime: Duration = .seconds(60)

  private enum Finding: Sendable, Hashable {
    case success(ContinuousClock.Instant)
    case failures(Int, String)
  }

  private var finding: Finding?
  private var generation: UInt64 = 0

  /// Creates evidence of nothing.
  public init() {}

  /// Notes a fetch that reached the source, and the generation of the network it began in.
  public mutating func noteSuccess(at now: ContinuousClock.Instant, generation: UInt64) {
    guard supersedes(generation) else { return }
    finding = .success(now)
    self.generation = generation
  }

  /// Notes a fetch that did not reach the source, and the generation of the network it began in.
  public mutating func noteFailure(_ cause: String, generation: UInt64) {
    guard supersedes(generation) else { return }
    if generation == self.generation, case .failures(let count, _) = finding {
      finding = .failures(count + 1, cause)
    } else {
      finding = .failures(1, cause)
    }
    self.generation = generation
  }

  /// The state that was asked for, made more exact by the evidence. A proof of being offline stands
  /// whatever was fetched before.
  public func refine(
    _ reachability: Reachability, at now: ContinuousClock.Instant, generation: UInt64
  ) -> Reachability {
    guard !reachability.isProvablyOffline, generation == self.generation else {
      return reachability
    }
    switch finding {
    case .success(let moment) where now - moment < Self.lifetime: return .validated
    case .failures(1, let cause): return .suspected(cause)
    case .failures(let count, let cause): return .suspected("\(count) failures, last \(cause)")
    case .success, nil: return reachability
    }
  }

  /// A fetch that began in a network of the past says nothing of the present one.
  private func supersedes(_ generation: UInt64) -> Bool {
    finding == nil || generation >= self.generation
  }
}
