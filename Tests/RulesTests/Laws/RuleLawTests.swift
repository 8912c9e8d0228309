import Rules
import Testing

@Suite struct RuleLawTests {
  @Test(arguments: RuleCases.all)
  func `every rule is pure and agrees with itself in both modes`(rule: RuleCase) {
    for trial in rule.trials {
      #expect(trial.report == trial.again)
      #expect(trial.first.isValid == trial.report.isValid)
      #expect(trial.first.outcome == trial.report.outcome)
      #expect(trial.isKept == trial.report.isValid)
      for report in [trial.report, trial.both, trial.either] {
        #expect(report.issues.isEmpty == (report.outcome != .failed))
      }
    }
  }

  @Test(arguments: RuleCases.all)
  func `every rule handles texts of a mebibyte`(rule: RuleCase) {
    #expect(rule.hugeTrials().allSatisfy { $0 })
  }

  @Test(arguments: RuleCases.all)
  func `double negation restores the outcome, and negation inverts it`(rule: RuleCase) {
    for trial in rule.trials {
      #expect(trial.denied.outcome == trial.report.outcome.negated)
      #expect(trial.deniedTwice.outcome == trial.report.outcome)
      #expect(trial.deniedTwice.isValid == trial.report.isValid)
    }
  }

  @Test(arguments: RuleCases.all)
  func `De Morgan's laws hold by outcome`(rule: RuleCase) {
    for trial in rule.trials {
      #expect(trial.both.outcome == trial.report.outcome.and(trial.other.outcome))
      #expect(trial.either.outcome == trial.report.outcome.or(trial.other.outcome))
      #expect(trial.notBoth.outcome == trial.eitherDenied.outcome)
      #expect(trial.notEither.outcome == trial.bothDenied.outcome)
    }
  }

  @Test(arguments: RuleCases.all)
  func `every rule has exactly the documented codes`(rule: RuleCase) {
    let codes = rule.trials.flatMap(\.report.issues).map(\.code)
    #expect(Set(codes) == rule.codes)
  }

  @Test(arguments: RuleCases.all)
  func `every issue has a message with parameters for all placeholders`(rule: RuleCase) throws {
    for issue in Set(rule.trials.flatMap(\.report.issues)) {
      let template = try #require(MessageCatalogue.standard.templates[issue.code])
      let names = template.split(separator: "{").dropFirst().compactMap {
        $0.split(separator: "}").first.map(String.init)
      }
      for name in names { #expect(issue.parameters[name] != nil, "\(issue.code): \(name)") }
    }
  }

  @Test func `the standard catalogue has no message for an unused code`() {
    // Codes of asynchronous rules, of schemas and of decoding are tested with them.
    let others: Set = [
      "none-of-fields", "not-assignable", "not-comparable", "not-json",
      "not-one-of-fields", "remote", "remote-unanswered", "several-of-fields", "some-of-fields",
      "unknown-domain", "unknown-field", "unknown-scenario", "unreadable", "wrong-type",
    ]
    let codes = RuleCases.all.reduce(into: others) { $0.formUnion($1.codes) }
    #expect(Set(MessageCatalogue.standard.templates.keys).subtracting(codes).isEmpty)
  }
}
