/// The inputs of one judgement besides the subject: the time, read once per operation, and the
/// handling of reachability.
public struct JudgementContext: Sendable {
  /// How the reachability strategy answers in this judgement.
  public enum ReachabilityHandling: Sendable, Hashable {
    /// Ask the provider.
    case ask
    /// Do not ask; the strategy abstains.
    case ignore
    /// Do not ask; take this answer.
    case assume(Reachability)
  }

  /// The moment of the operation.
  public let now: Timestamp
  /// How the reachability strategy answers.
  public let reachability: ReachabilityHandling
  /// The reachability that fetches observed; it replaces the provider's answer, unless that is a
  /// proof of being offline.
  public let evidence: Reachability?

  /// Creates a context for the moment `now`.
  public init(
    now: Timestamp, reachability: ReachabilityHandling = .ask, evidence: Reachability? = nil
  ) {
    self.now = now
    self.reachability = reachability
    self.evidence = evidence
  }
}
