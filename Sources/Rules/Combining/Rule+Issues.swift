extension Rule {
  /// The same rule, with its issues as advice only.
  public var advised: Rule { changing { $0.severity = .should } }

  /// The same rule, with other words for its issues; `{placeholders}` name their parameters.
  public func message(_ wording: String) -> Rule { changing { $0.wording = wording } }

  /// The same rule, with words for each of its issues from a closure, for translations and for
  /// words that depend on a figure; `{placeholders}` in them name the issue's parameters.
  public func message(_ words: @escaping @Sendable (Issue) -> String) -> Rule {
    changing { $0.wording = words($0) }
  }

  /// The same rule, whose issues carry the value as the parameter `value`, for `{value}` in
  /// messages. For values that are no secret: messages end up in logs.
  public var showingValue: Rule {
    Rule { value, findings in
      let first = findings.issues.count
      let outcome = apply(to: value, &findings)
      for index in findings.issues.indices.dropFirst(first)
      where findings.issues[index].parameters["value"] == nil {
        findings.issues[index].parameters["value"] = .of(value)
      }
      return outcome
    }
  }

  /// The same rule with a name, which its issues and omissions carry unless they have one.
  public func named(_ name: String) -> Rule {
    Rule { value, findings in
      let (firstIssue, firstOmission) = (findings.issues.count, findings.omissions.count)
      let outcome = apply(to: value, &findings)
      for index in findings.issues.indices.dropFirst(firstIssue)
      where findings.issues[index].rule == nil {
        findings.issues[index].rule = name
      }
      for index in findings.omissions.indices.dropFirst(firstOmission)
      where findings.omissions[index].rule == nil {
        findings.omissions[index].rule = name
      }
      return outcome
    }
  }

  private func changing(_ change: @escaping @Sendable (inout Issue) -> Void) -> Rule {
    Rule { value, findings in
      let first = findings.issues.count
      let outcome = apply(to: value, &findings)
      for index in findings.issues.indices.dropFirst(first) { change(&findings.issues[index]) }
      return outcome
    }
  }
}
