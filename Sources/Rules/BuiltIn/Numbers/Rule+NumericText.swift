extension Rule where Value: FixedWidthInteger & SendableMetatype {
  /// The same rule for a text that is such a number: an optional sign and ASCII digits, nothing
  /// else. A text that is not, or whose number is out of the type's range, has the issue
  /// `not-a-number`.
  public var asInteger: Rule<String> {
    Rule<String> { text, findings in
      guard let number = Value(text) else { return findings.fail(Issue("not-a-number")) }
      return apply(to: number, &findings)
    }
  }
}

extension Rule<ExactDecimal> {
  /// The same rule for a text that is a decimal number, such as `-12.50`: sign, ASCII digits and
  /// point, nothing else. Any other text has the issue `not-a-number`.
  public var asDecimal: Rule<String> {
    Rule<String> { text, findings in
      guard let number = ExactDecimal(text) else { return findings.fail(Issue("not-a-number")) }
      return apply(to: number, &findings)
    }
  }

  /// Kept by a number with at most so many decimal places; trailing zeros do not count.
  public static func places(max: Int) -> Rule {
    Rule(code: "too-precise", parameters: ["max": .integer(max)]) { $0.scale <= max }
  }
}

extension Rule<String> {
  /// Kept by a text that is a whole number, of any length: an optional sign and ASCII digits.
  public static var integerText: Rule {
    Rule(code: "not-an-integer") { text in
      var cursor = TextCursor(text)
      if !cursor.take("-") { _ = cursor.take("+") }
      return cursor.take(while: \.isASCIIDigit) > 0 && cursor.isAtEnd
    }
  }

  /// Kept by a text that is a number, of any length: an optional sign, ASCII digits, and after a
  /// point more of them; no exponent, no grouping, no words such as `nan`.
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
