/// A chain's decision, the strategy that made it, and the reason.
public struct Judgement: Sendable, Hashable {
  /// One strategy that was asked, and its answer.
  public struct Step: Sendable, Hashable {
    /// The strategy's name.
    public let strategy: String
    /// Its answer.
    public let opinion: Opinion
    /// The strategies it asked in turn, in order; empty unless the strategy is composite.
    public let parts: [Step]

    /// Creates a step.
    public init(strategy: String, opinion: Opinion, parts: [Step] = []) {
      self.strategy = strategy
      self.opinion = opinion
      self.parts = parts
    }
  }

  /// The verdict and its reason.
  public let opinion: Opinion
  /// The strategy that decided; `nil` when none did.
  public let decidedBy: String?
  /// Every strategy asked, in order; filled only by `explain`.
  public let trace: [Step]

  /// The verdict.
  public var verdict: Verdict { opinion.verdict }
  /// The reason.
  public var reason: Reason { opinion.reason }
  /// True when the object may be served.
  public var isValid: Bool { opinion.verdict == .valid }

  /// Creates a judgement.
  package init(_ opinion: Opinion, decidedBy: String?, trace: [Step] = []) {
    self.opinion = opinion
    self.decidedBy = decidedBy
    self.trace = trace
  }
}
