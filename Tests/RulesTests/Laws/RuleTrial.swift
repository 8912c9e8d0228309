import Rules

/// The results of a rule, and of rules combined from it and another, on one value.
struct RuleTrial: Sendable {
  let report: Report
  let again: Report
  let first: Report
  let isKept: Bool
  let denied: Report
  let deniedTwice: Report
  let both: Report
  let either: Report
  let other: Report
  let notBoth: Report
  let notEither: Report
  let eitherDenied: Report
  let bothDenied: Report

  init<Value>(_ rule: Rule<Value>, _ other: Rule<Value>, _ value: Value) {
    report = rule.check(value)
    again = rule.check(value)
    first = rule.check(value, .first)
    isKept = rule.isKept(by: value)
    denied = (!rule).check(value)
    deniedTwice = (!(!rule)).check(value)
    self.other = other.check(value)
    both = (rule && other).check(value)
    either = (rule || other).check(value)
    notBoth = (!(rule && other)).check(value)
    notEither = (!(rule || other)).check(value)
    eitherDenied = (!rule || !other).check(value)
    bothDenied = (!rule && !other).check(value)
  }
}
