extension Report {
  /// The outcome of one rule, with its grounds.
  public enum Verdict: Sendable, Hashable {
    /// The value keeps the rule.
    case passed
    /// The value breaks the rule, in these ways.
    case failed([Issue])
    /// The rule does not concern the value.
    case skipped(String)
    /// The rule is undecided.
    case undecided(String)
  }
}
