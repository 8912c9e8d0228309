/// What one judgement may know beside the subject: the time, read once per operation, and how to
/// treat reachability.
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

  /// Creates a context for the moment `now`.
  public init(now: Timestamp, reachability: ReachabilityHandling = .ask) {
    self.now = now
    self.reachability = reachability
  }
}
