#if CommandLine
  internal import Rules

  /// The findings on one document.
  struct ValidationOutput: Encodable {
    let file: String
    /// The line of a text of JSON lines.
    let line: Int?
    let isValid: Bool
    let outcome: String
    let issues: [IssueOutput]

    init(_ report: Report, file: String, line: Int?, strict: Bool) {
      self.file = file
      self.line = line
      isValid = report.isValid(strict: strict)
      outcome = report.outcome.rawValue
      issues = report.issues.map(IssueOutput.init)
    }
  }
#endif
