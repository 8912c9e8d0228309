/// The outcome of one rule, in one word.
public enum Outcome: String, Sendable, Hashable, CaseIterable {
  /// The value keeps the rule.
  case passed
  /// The value breaks the rule.
  case failed
  /// The rule does not concern the value.
  case skipped
  /// The rule is undecided.
  case undecided

  /// The outcome of two rules that must both be kept (Kleene's logic): a failure decides, then an
  /// undecided rule; a skipped rule does not count.
  public func and(_ other: Outcome) -> Outcome {
    switch (self, other) {
    case (.skipped, let outcome), (let outcome, .skipped): outcome
    case (.failed, _), (_, .failed): .failed
    case (.undecided, _), (_, .undecided): .undecided
    case (.passed, .passed): .passed
    }
  }

  /// The outcome of two rules of which one must be kept: a pass decides, then an undecided rule; a
  /// skipped rule does not count.
  public func or(_ other: Outcome) -> Outcome {
    (self.negated.and(other.negated)).negated
  }

  /// The outcome of the opposite rule.
  public var negated: Outcome {
    switch self {
    case .passed: .failed
    case .failed: .passed
    case .skipped, .undecided: self
    }
  }
}
