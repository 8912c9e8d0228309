internal import Rules

/// The measured loops: take the next of eight values, check it, count.
enum CheckLoops {
  @inline(never)
  static func hand<Value>(_ condition: Condition<Value>, _ values: [Value], _ turns: Int) -> Int {
    var count = 0
    for turn in 0..<turns where condition.holds(for: values[turn & 7]) { count += 1 }
    return count
  }

  @inline(never)
  static func rule<Value>(_ rule: Rule<Value>, _ values: [Value], _ turns: Int) -> Int {
    var count = 0
    for turn in 0..<turns where rule.check(values[turn & 7]).isValid { count += 1 }
    return count
  }
}
