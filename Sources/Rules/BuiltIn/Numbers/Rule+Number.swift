extension Rule where Value: Numeric & Comparable & SendableMetatype {
  /// Kept by a number greater than zero.
  public static var positive: Rule { Rule(code: "not-positive") { $0 > 0 } }

  /// Kept by zero and every number greater than it.
  public static var notNegative: Rule { Rule(code: "negative") { $0 >= 0 } }

  /// Kept by a number less than zero.
  public static var negative: Rule { Rule(code: "not-negative") { $0 < 0 } }
}

extension Rule where Value: BinaryInteger & SendableMetatype & Sendable {
  /// Kept by a whole multiple of `step`, zero among them; zero alone is a multiple of zero.
  public static func multiple(of step: Value) -> Rule {
    Rule(code: "not-a-multiple", parameters: ["step": .of(step)]) { $0.isMultiple(of: step) }
  }

  /// Kept by a number that `Target` can hold without loss, such as `Int32`.
  public static func fits<Target: BinaryInteger & SendableMetatype>(
    in target: Target.Type
  ) -> Rule {
    Rule(code: "not-representable", parameters: ["type": .text("\(target)")]) {
      Target(exactly: $0) != nil
    }
  }
}

extension Rule where Value: BinaryFloatingPoint & SendableMetatype & Sendable {
  /// Kept by a number that is neither infinite nor NaN.
  public static var isFinite: Rule { Rule(code: "not-finite", \.isFinite) }

  /// Kept by a finite number without a fraction.
  public static var isInteger: Rule {
    Rule(code: "not-an-integer") { $0.isFinite && $0.rounded(.towardZero) == $0 }
  }

  /// Kept by a whole multiple of `step`, in the exact arithmetic of binary fractions: 0.5 is a
  /// multiple of 0.25, but 0.3 is none of 0.1, as neither has an exact binary form. For decimal
  /// steps see `asDecimal(_:)`.
  public static func multiple(of step: Value) -> Rule {
    Rule(code: "not-a-multiple", parameters: ["step": .of(step)]) { value in
      guard value.isFinite, step.isFinite else { return false }
      return step == 0 ? value == 0 : value.truncatingRemainder(dividingBy: step) == 0
    }
  }

  /// Kept by a number that `Target` can hold without loss; by no integer type for NaN or 0.5.
  public static func fits<Target: BinaryInteger & SendableMetatype>(
    in target: Target.Type
  ) -> Rule {
    Rule(code: "not-representable", parameters: ["type": .text("\(target)")]) {
      Target(exactly: $0) != nil
    }
  }
}
