/// Everything that one check found, in the order of the rules.
public struct Report: Sendable, Hashable {
  /// The report of a value that breaks no rule.
  public static let valid = Report([])

  /// What is wrong; empty when nothing is.
  public let issues: [Issue]

  /// True when the value breaks no rule.
  public var isValid: Bool { issues.isEmpty }

  /// Creates a report.
  public init(_ issues: [Issue]) {
    self.issues = issues
  }
}

extension Report: CustomStringConvertible {
  /// `valid`, or the issues separated by semicolons.
  public var description: String {
    isValid ? "valid" : issues.map(\.description).joined(separator: "; ")
  }
}
