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
