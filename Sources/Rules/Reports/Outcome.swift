/// What one rule came to, in one word.
public enum Outcome: String, Sendable, Hashable, CaseIterable {
  /// The value keeps the rule.
  case passed
  /// The value breaks the rule.
  case failed
  /// The rule does not concern the value.
  case skipped
  /// The rule could not tell.
  case undecided

  /// What two rules come to that must both be kept (Kleene's logic): a failure decides, then doubt;
  /// a rule that was skipped has no say.
  public func and(_ other: Outcome) -> Outcome {
    switch (self, other) {
    case (.skipped, let outcome), (let outcome, .skipped): outcome
    case (.failed, _), (_, .failed): .failed
    case (.undecided, _), (_, .undecided): .undecided
    case (.passed, .passed): .passed
    }
  }

  /// What two rules come to of which one must be kept: a pass decides, then doubt; a rule that was
  /// skipped has no say.
  public func or(_ other: Outcome) -> Outcome {
    (self.negated.and(other.negated)).negated
  }

  /// What the opposite rule comes to.
  public var negated: Outcome {
    switch self {
    case .passed: .failed
    case .failed: .passed
    case .skipped, .undecided: self
    }
  }
}
