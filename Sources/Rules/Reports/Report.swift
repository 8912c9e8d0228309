/// All findings of one check, in the order of the rules.
public struct Report: Sendable, Hashable {
  /// The report of a value that breaks no rule.
  public static let valid = Report()

  /// The combined outcome of the rules.
  public var outcome: Outcome
  /// The issues; empty when there are none.
  public var issues: [Issue]
  /// The rules that have no verdict.
  public var omissions: [Omission]

  /// Creates a report; with issues its default outcome is failure.
  public init(
    _ issues: [Issue] = [], omissions: [Omission] = [], outcome: Outcome? = nil
  ) {
    self.issues = issues
    self.omissions = omissions
    self.outcome = outcome ?? (issues.isEmpty ? .passed : .failed)
  }

  /// True when the value may be accepted: no issue of ``Severity/must``, and an undecided rule counts as kept.
  public var isValid: Bool { !issues.contains { $0.severity == .must } }

  /// True when the value may be accepted; a strict caller accepts no issue of any severity.
  public func isValid(strict: Bool) -> Bool { strict ? issues.isEmpty : isValid }

  /// The combined outcome of the rules, with the grounds.
  public var verdict: Verdict {
    switch outcome {
    case .passed: .passed
    case .failed: .failed(issues)
    case .skipped: .skipped(reason(.skipped))
    case .undecided: .undecided(reason(.undecided))
    }
  }

  /// The reports of two checks that must both be kept, as one; merging is associative.
  public func merging(_ other: Report) -> Report {
    var report = self
    report.merge(other)
    return report
  }

  /// Merges in place: the findings so far are not copied, however many they are.
  mutating func merge(_ other: Report) {
    issues += other.issues
    omissions += other.omissions
    outcome = outcome.and(other.outcome)
  }

  /// The issues at a path and below it.
  public func issues(at path: IssuePath) -> [Issue] {
    issues.filter { $0.path.components.starts(with: path.components) }
  }

  private func reason(_ kind: Omission.Kind) -> String {
    omissions.filter { $0.kind == kind }.map(\.reason).joined(separator: "; ")
  }
}

extension Report: CustomStringConvertible {
  /// `valid`, or the issues separated by semicolons.
  public var description: String {
    issues.isEmpty ? "valid" : issues.map(\.description).joined(separator: "; ")
  }
}

extension Report {
  /// The outcome of one rule, with its grounds.
  public enum Verdict: Sendable, Hashable {
    /// The value keeps the rule.
    case passed
    /// The value breaks the rule, in these ways.
    case failed([Issue])
    /// The rule does not concern the value.
    case skipped(String)
    /// The rule is undecided.
    case undecided(String)
  }
}

/// The outcome of one rule, in one word.
public enum Outcome: String, Sendable, Hashable, CaseIterable {
  /// The value keeps the rule.
  case passed
  /// The value breaks the rule.
  case failed
  /// The rule does not concern the value.
  case skipped
  /// The rule is undecided.
  case undecided

  /// The outcome of two rules that must both be kept (Kleene's logic). A failure decides, then an undecided rule; a
  /// skipped rule does not count.
  public func and(_ other: Outcome) -> Outcome {
    switch (self, other) {
    case (.skipped, let outcome), (let outcome, .skipped): outcome
    case (.failed, _), (_, .failed): .failed
    case (.undecided, _), (_, .undecided): .undecided
    case (.passed, .passed): .passed
    }
  }

  /// The outcome of two rules of which one must be kept. A pass decides, then an undecided rule; a skipped rule
  /// does not count.
  public func or(_ other: Outcome) -> Outcome {
    (self.negated.and(other.negated)).negated
  }

  /// The outcome of the opposite rule.
  public var negated: Outcome {
    switch self {
    case .passed: .failed
    case .failed: .passed
    case .skipped, .undecided: self
    }
  }
}

/// A rule that was not applied, or is undecided.
public struct Omission: Sendable, Hashable {
  /// Why there is no verdict.
  public enum Kind: String, Sendable, Hashable {
    /// The rule does not concern this value: it is absent, or a condition does not hold.
    case skipped
    /// The rule concerns the value, but is undecided.
    case undecided
  }

  /// The place in the value.
  public var path: IssuePath
  /// Why there is no verdict.
  public var kind: Kind
  /// The same in words.
  public var reason: String
  /// The name of the rule, where it was given one.
  public var rule: String?

  /// Creates an omission.
  public init(
    _ kind: Kind, _ reason: String, path: IssuePath = .whole, rule: String? = nil
  ) {
    self.path = path
    self.kind = kind
    self.reason = reason
    self.rule = rule
  }
}
