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

  /// Creates a report; with issues it is one of failure.
  public init(
    _ issues: [Issue] = [], omissions: [Omission] = [], outcome: Outcome? = nil
  ) {
    self.issues = issues
    self.omissions = omissions
    self.outcome = outcome ?? (issues.isEmpty ? .passed : .failed)
  }

  /// True when the value may be accepted: no issue of ``Severity/must``, and an undecided rule
  /// counts as kept.
  public var isValid: Bool { !issues.contains { $0.severity == .must } }

  /// The same, and a strict caller accepts no issue of any severity.
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
