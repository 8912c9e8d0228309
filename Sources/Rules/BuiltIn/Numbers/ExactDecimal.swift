/// An exact decimal number of up to 38 digits: 0.1 is a tenth.
public struct ExactDecimal: Sendable, Hashable {
  /// All digits as one integer.
  public let digits: Int128
  /// The number of digits after the point.
  public let scale: Int

  /// Creates `digits` · 10^−`scale`, such as 1.05 from 105 and 2. Trailing zeros are removed, so that equal numbers
  /// are equal. The scale must not be negative.
  public init(_ digits: Int128, scale: Int = 0) {
    precondition(scale >= 0, "a decimal has no negative number of places")
    var (digits, scale) = (digits, scale)
    while scale > 0, digits % 10 == 0 {
      digits /= 10
      scale -= digits == 0 ? scale : 1
    }
    self.digits = digits
    self.scale = scale
  }
}

extension ExactDecimal: LosslessStringConvertible {
  /// Reads an optional sign, ASCII digits and, after a point, more digits: no exponent, no white space, no
  /// grouping. `nil` for any other text and for more than 38 digits.
  public init?(_ description: String) {
    var cursor = TextCursor(description)
    let isNegative = cursor.take("-")
    if !isNegative { _ = cursor.take("+") }
    var digits: Int128 = 0
    guard let whole = cursor.takeDigits(into: &digits), whole > 0 else { return nil }
    var scale = 0
    if cursor.take(".") {
      guard let places = cursor.takeDigits(into: &digits), places > 0 else { return nil }
      scale = places
    }
    guard cursor.isAtEnd else { return nil }
    self.init(isNegative ? -digits : digits, scale: scale)
  }

  /// The number in plain decimal notation, such as `-0.05`.
  public var description: String {
    let text = String(digits.magnitude)
    let padded = String(repeating: "0", count: max(0, scale + 1 - text.count)) + text
    let sign = digits < 0 ? "-" : ""
    return scale == 0
      ? sign + padded : "\(sign)\(padded.dropLast(scale)).\(padded.suffix(scale))"
  }
}

extension ExactDecimal: Comparable {
  /// True when the first is less; exact, also where the two have different scales.
  public static func < (left: ExactDecimal, right: ExactDecimal) -> Bool {
    if left.digits.signum() != right.digits.signum() { return left.digits < right.digits }
    // A number too big for the integer when scaled up is further from zero than any other number.
    if left.scale < right.scale {
      guard let scaled = left.scaled(to: right.scale) else { return left.digits < 0 }
      return scaled < right.digits
    }
    guard let scaled = right.scaled(to: left.scale) else { return right.digits > 0 }
    return left.digits < scaled
  }

  private func scaled(to scale: Int) -> Int128? {
    var digits = digits
    for _ in self.scale..<scale {
      let (product, overflow) = digits.multipliedReportingOverflow(by: 10)
      guard !overflow else { return nil }
      digits = product
    }
    return digits
  }
}

extension ExactDecimal: ExpressibleByIntegerLiteral {
  /// Creates a whole number.
  public init(integerLiteral value: Int) {
    self.init(Int128(value))
  }
}

extension TextCursor {
  /// Takes ASCII digits, appends them to `digits` and returns their number; `nil` when there are too many.
  fileprivate mutating func takeDigits(into digits: inout Int128) -> Int? {
    var count = 0
    while let digit = take(where: \.isASCIIDigit) {
      let (tens, isTooBig) = digits.multipliedReportingOverflow(by: 10)
      let (sum, isTooBigNow) = tens.addingReportingOverflow(Int128(digit.digitValue))
      guard !isTooBig, !isTooBigNow else { return nil }
      digits = sum
      count += 1
    }
    return count
  }
}
