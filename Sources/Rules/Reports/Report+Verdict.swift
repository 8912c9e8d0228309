extension Report {
  /// What one rule came to, with its grounds.
  public enum Verdict: Sendable, Hashable {
    /// The value keeps the rule.
    case passed
    /// The value breaks the rule, in these ways.
    case failed([Issue])
    /// The rule does not concern the value.
    case skipped(String)
    /// The rule could not tell.
    case undecided(String)
  }
}
