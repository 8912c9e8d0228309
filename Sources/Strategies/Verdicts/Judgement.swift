/// A chain's decision, the strategy that made it, and the reason.
public struct Judgement: Sendable, Hashable {
  /// One strategy that was asked, and its answer.
  public struct Step: Sendable, Hashable {
    /// The strategy's name.
    public let strategy: String
    /// Its answer.
    public let opinion: Opinion
    /// The strategies that it asked, in order; empty unless the strategy is composite.
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

  package init(_ opinion: Opinion, decidedBy: String?, trace: [Step] = []) {
    self.opinion = opinion
    self.decidedBy = decidedBy
    self.trace = trace
  }
}

extension Judgement: CustomStringConvertible {
  /// One line such as `valid: timestamp: age 3 s is below the expiry of 5 s`, and after it one
  /// indented line for each step of the trace.
  public var description: String {
    let decision =
      decidedBy.map { "\(verdict.rawValue): \($0): \(reason)" } ?? opinion.description
    return ([decision] + trace.flatMap { $0.lines(indentedBy: 1) }).joined(separator: "\n")
  }
}

extension Judgement.Step: CustomStringConvertible {
  /// One line such as `timestamp: valid: age 3 s is below the expiry of 5 s`, and after it one
  /// indented line for each part.
  public var description: String {
    lines(indentedBy: 0).joined(separator: "\n")
  }

  fileprivate func lines(indentedBy depth: Int) -> [String] {
    let indent = String(repeating: "  ", count: depth)
    return ["\(indent)\(strategy): \(opinion)"] + parts.flatMap { $0.lines(indentedBy: depth + 1) }
  }
}

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

/// One strategy's verdict and the reason for it.
public struct Opinion: Sendable, Hashable {
  /// The strategy's verdict.
  public let verdict: Verdict
  /// The reason, with its figures.
  public let reason: Reason

  /// The object may be served.
  public static func valid(_ reason: Reason) -> Opinion { Opinion(.valid, reason) }
  /// The object must be fetched again.
  public static func invalid(_ reason: Reason) -> Opinion { Opinion(.invalid, reason) }
  /// The strategy cannot decide.
  public static func unknown(_ reason: Reason) -> Opinion { Opinion(.unknown, reason) }

  /// Creates an opinion.
  public init(_ verdict: Verdict, _ reason: Reason) {
    self.verdict = verdict
    self.reason = reason
  }
}

extension Opinion: CustomStringConvertible {
  /// The verdict and the reason, such as `invalid: age 6 s is past the expiry of 5 s`.
  public var description: String { "\(verdict.rawValue): \(reason)" }
}

/// The decision of a strategy, or a whole chain, on an object.
public enum Verdict: String, Sendable, Hashable, CaseIterable, Codable {
  /// The object may be served.
  case valid
  /// The object must be fetched again.
  case invalid
  /// The strategy cannot decide; the next one is asked.
  case unknown

  /// True for ``valid`` and ``invalid``.
  public var isDecided: Bool { self != .unknown }
}
