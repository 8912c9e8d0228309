/// The findings of a check so far. A rule adds to them and returns its outcome.
public struct Findings: Sendable {
  /// How far a check continues after an issue.
  public enum Mode: Sendable, Hashable {
    /// The check continues to the end: every issue is reported.
    case all
    /// The check ends: the first issue of ``Severity/must`` is enough.
    case first
  }

  /// How far this check continues.
  public internal(set) var mode: Mode
  /// The issues, in the order of the rules.
  public internal(set) var issues: [Issue] = []
  /// The rules without a verdict, in order.
  public internal(set) var omissions: [Omission] = []
  /// The number of leading issues known to be advice, so that no issue is examined twice.
  private var adviceCount = 0

  /// True while there is nothing to report.
  var isEmpty: Bool { issues.isEmpty && omissions.isEmpty }

  /// Creates empty findings.
  public init(mode: Mode = .all) {
    self.mode = mode
  }

  /// True when a check may end here: its mode wants no more than the first issue that matters.
  public mutating func isEnough(after outcome: Outcome) -> Bool {
    guard mode == .first, outcome == .failed else { return false }
    if issues[adviceCount...].contains(where: { $0.severity == .must }) { return true }
    adviceCount = issues.count
    return false
  }

  /// Adds an issue.
  public mutating func fail(_ issue: @autoclosure () -> Issue) -> Outcome {
    issues.append(issue())
    return .failed
  }

  /// Notes that the rule does not concern the value.
  public mutating func skip(_ reason: String) -> Outcome {
    omissions.append(Omission(.skipped, reason))
    return .skipped
  }

  /// Notes that the rule is undecided.
  public mutating func leaveUndecided(_ reason: String) -> Outcome {
    omissions.append(Omission(.undecided, reason))
    return .undecided
  }

  /// Adds the findings of another check, and returns its outcome.
  public mutating func add(_ report: Report) -> Outcome {
    issues += report.issues
    omissions += report.omissions
    return report.outcome
  }

  /// Applies a rule to a part of the value: its findings lie inside that part.
  public mutating func check<Part>(
    _ part: Part, at component: @autoclosure () -> IssuePath.Component, _ rule: Rule<Part>
  ) -> Outcome {
    let (firstIssue, firstOmission) = (issues.count, omissions.count)
    let outcome = rule.apply(to: part, &self)
    move(inside: component, from: firstIssue, firstOmission)
    return outcome
  }

  // Most values keep their rules, and pay for no path.
  mutating func move(
    inside component: () -> IssuePath.Component, from firstIssue: Int, _ firstOmission: Int
  ) {
    guard issues.count > firstIssue || omissions.count > firstOmission else { return }
    let component = component()
    change(from: firstIssue, firstOmission) {
      $0.path = $0.path.inside(component)
    } omission: {
      $0.path = $0.path.inside(component)
    }
  }

  /// Changes the later issues and omissions.
  mutating func change(
    from firstIssue: Int, _ firstOmission: Int, issue change: (inout Issue) -> Void,
    omission changeOmission: (inout Omission) -> Void = { _ in }
  ) {
    for index in issues.indices.dropFirst(firstIssue) { change(&issues[index]) }
    for index in omissions.indices.dropFirst(firstOmission) { changeOmission(&omissions[index]) }
  }

  /// The findings as a report with this outcome.
  func report(_ outcome: Outcome) -> Report {
    Report(issues, omissions: omissions, outcome: outcome)
  }
}
