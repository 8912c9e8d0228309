internal import BenchmarkKit
internal import Rules

/// A rule beside a condition written by hand, on values that keep it or on values that break it.
struct CheckPair {
  /// The name of the check.
  let name: String
  /// Whether the values keep the rule.
  let isKept: Bool
  /// The condition written by hand.
  let hand: Contestant
  /// The rule.
  let rule: Contestant

  /// Both kinds of values; `kept` and `broken` are eight each.
  static func both<Value: Sendable>(
    _ name: String, _ rule: Rule<Value>, kept: [Value], broken: [Value],
    _ condition: @escaping @Sendable (Value) -> Bool
  ) -> [CheckPair] {
    [kept, broken].enumerated().map { index, values in
      CheckPair(name, isKept: index == 0, rule, Condition(condition), values)
    }
  }

  private init<Value>(
    _ name: String, isKept: Bool, _ rule: Rule<Value>, _ condition: Condition<Value>,
    _ values: [Value]
  ) {
    precondition(values.count == 8, "the loops go round eight values")
    precondition(
      values.allSatisfy { rule.isKept(by: $0) == isKept && condition.holds(for: $0) == isKept },
      "\(name): the rule and the condition agree on the values")
    let answer = isKept ? "kept" : "broken"
    self.name = name
    self.isKept = isKept
    hand = Contestant("\(name) by hand", answer: answer) { CheckLoops.hand(condition, values, $0) }
    self.rule = Contestant("\(name) by rule", answer: answer) { CheckLoops.rule(rule, values, $0) }
  }
}
