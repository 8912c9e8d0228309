#if CommandLine
  internal import Rules

  /// One way in which a value breaks a rule, for programs and for people.
  struct IssueOutput: Encodable {
    let path: String
    let code: String
    let severity: String
    let message: String
    let parameters: [String: ParameterOutput]
    let rule: String?

    init(_ issue: Issue) {
      path = issue.path.description
      code = issue.code
      severity = issue.severity.rawValue
      message = issue.message
      parameters = issue.parameters.mapValues(ParameterOutput.init)
      rule = issue.rule
    }
  }
#endif
