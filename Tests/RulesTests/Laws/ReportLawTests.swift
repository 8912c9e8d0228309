import Rules
import Testing

@Suite struct ReportLawTests {
  private static let outcomes = Outcome.allCases
  private static let reports =
    outcomes.map { Report(outcome: $0) } + [
      Report([Issue("a")]), Report([Issue("b", severity: .should), Issue("c")]),
      Report(omissions: [Omission(.skipped, "s")], outcome: .skipped),
      Report(omissions: [Omission(.undecided, "u")], outcome: .undecided),
    ]

  @Test(arguments: reports, reports)
  func `merging is associative`(left: Report, right: Report) {
    for other in Self.reports {
      #expect(
        left.merging(right).merging(other) == left.merging(right.merging(other)))
    }
  }

  @Test(arguments: reports)
  func `an empty report changes nothing it is merged with`(report: Report) {
    let nothing = Report(outcome: .skipped)
    #expect(report.merging(nothing) == report)
    #expect(nothing.merging(report) == report)
  }

  @Test(arguments: reports, reports)
  func `merged reports are valid when both are`(left: Report, right: Report) {
    #expect(left.merging(right).isValid == (left.isValid && right.isValid))
    #expect(left.merging(right).issues == left.issues + right.issues)
  }

  @Test(arguments: outcomes, outcomes)
  func `and and or are commutative and dual to each other`(
    left: Outcome, right: Outcome
  ) {
    #expect(left.and(right) == right.and(left))
    #expect(left.or(right) == right.or(left))
    #expect(left.and(right).negated == left.negated.or(right.negated))
  }

  @Test(arguments: [
    "{min}", "{path}", "{code}", "{{min}}", "{", "}", "{}", "{min", "{other}", "\0{min}\r\n",
  ])
  func `text inserted into a message is not expanded again`(value: String) {
    let issue = Issue(
      "x", path: IssuePath([.field(value)]),
      parameters: ["value": .text(value), "min": 3, "list": [.text(value), .text(value)]],
      wording: "{value}|{list}|{path}")
    #expect(issue.message == "\(value)|\(value), \(value)|\(value)")
  }
}
