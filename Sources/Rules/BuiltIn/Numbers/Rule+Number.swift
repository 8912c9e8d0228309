extension Rule where Value: Numeric & Comparable & SendableMetatype {
  /// Accepts a number greater than zero.
  public static var positive: Rule { Rule(code: "not-positive") { $0 > 0 } }

  /// Accepts zero and every number greater than it.
  public static var notNegative: Rule { Rule(code: "negative") { $0 >= 0 } }

  /// Accepts a number less than zero.
  public static var negative: Rule { Rule(code: "not-negative") { $0 < 0 } }
}

extension Rule where Value: BinaryInteger & SendableMetatype & Sendable {
  /// Accepts a whole multiple of `step`, also zero. Only zero is a multiple of zero.
  public static func multiple(of step: Value) -> Rule {
    Rule(code: "not-a-multiple", parameters: ["step": .of(step)]) { $0.isMultiple(of: step) }
  }

  /// Accepts a number that `Target` can hold without loss, such as `Int32`.
  public static func fits<Target: BinaryInteger & SendableMetatype>(
    in target: Target.Type
  ) -> Rule {
    Rule(code: "not-representable", parameters: ["type": .text("\(target)")]) {
      Target(exactly: $0) != nil
    }
  }
}

extension Rule where Value: BinaryFloatingPoint & SendableMetatype & Sendable {
  /// Accepts a number that is neither infinite nor NaN.
  public static var isFinite: Rule { Rule(code: "not-finite", \.isFinite) }

  /// Accepts a finite number without a fraction.
  public static var isInteger: Rule {
    Rule(code: "not-an-integer") { $0.isFinite && $0.rounded(.towardZero) == $0 }
  }

  /// Accepts a whole multiple of `step`, in the exact arithmetic of binary fractions. 0.5 is a multiple of 0.25. But
  /// 0.3 is no multiple of 0.1, because neither has an exact binary form. For decimal steps see `asDecimal(_:)`.
  public static func multiple(of step: Value) -> Rule {
    Rule(code: "not-a-multiple", parameters: ["step": .of(step)]) { value in
      guard value.isFinite, step.isFinite else { return false }
      return step == 0 ? value == 0 : value.truncatingRemainder(dividingBy: step) == 0
    }
  }

  /// Accepts a number that `Target` can hold without loss. No integer type can hold NaN or 0.5.
  public static func fits<Target: BinaryInteger & SendableMetatype>(
    in target: Target.Type
  ) -> Rule {
    Rule(code: "not-representable", parameters: ["type": .text("\(target)")]) {
      Target(exactly: $0) != nil
    }
  }
}

extension Rule where Value: FixedWidthInteger & SendableMetatype {
  /// The same rule for a text that is such a number: only an optional sign and ASCII digits. Any other text, and a
  /// number out of the type's range, has the issue `not-a-number`.
  public var asInteger: Rule<String> {
    Rule<String> { text, findings in
      guard let number = Value(text) else { return findings.fail(Issue("not-a-number")) }
      return apply(to: number, &findings)
    }
  }
}

extension Rule<ExactDecimal> {
  /// The same rule for a text that is a decimal number, such as `-12.50`: only sign, ASCII digits and point. Any
  /// other text has the issue `not-a-number`.
  public var asDecimal: Rule<String> {
    Rule<String> { text, findings in
      guard let number = ExactDecimal(text) else { return findings.fail(Issue("not-a-number")) }
      return apply(to: number, &findings)
    }
  }

  /// Accepts a number with at most so many decimal places; trailing zeros do not count.
  public static func places(max: Int) -> Rule {
    Rule(code: "too-precise", parameters: ["max": .integer(max)]) { $0.scale <= max }
  }
}

extension Rule<String> {
  /// Accepts a text that is a whole number of any length: an optional sign and ASCII digits.
  public static var integerText: Rule {
    Rule(code: "not-an-integer") { text in
      var cursor = TextCursor(text)
      if !cursor.take("-") { _ = cursor.take("+") }
      return cursor.take(while: \.isASCIIDigit) > 0 && cursor.isAtEnd
    }
  }

  /// Accepts a text that is a number of any length: an optional sign, ASCII digits, and after a point more digits.
  /// No exponent, no grouping, no words such as `nan`.
  public static var numberText: Rule {
    Rule(code: "not-a-number") { text in
      var cursor = TextCursor(text)
      if !cursor.take("-") { _ = cursor.take("+") }
      guard cursor.take(while: \.isASCIIDigit) > 0 else { return false }
      if cursor.take("."), cursor.take(while: \.isASCIIDigit) == 0 { return false }
      return cursor.isAtEnd
    }
  }
}
