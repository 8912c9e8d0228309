extension DecimalForm {
  /// A number to divide by: `digits` × 10^`exponent`.
  struct Divisor: Sendable {
    let digits: UInt64
    let exponent: Int
  }

  /// The number as a divisor, if it is more than 0 and has at most 18 digits.
  var divisor: Divisor? {
    guard !isNegative, !digits.isEmpty, digits.count <= 18 else { return nil }
    let whole = digits.reduce(UInt64(0)) { $0 * 10 + UInt64($1 - UInt8(ascii: "0")) }
    return Divisor(digits: whole, exponent: exponent - digits.count)
  }

  /// The number of digits after the point.
  var places: Int { max(0, digits.count - exponent) }

  /// True when the number is a whole number of times the divisor; exact, and as quick for a number
  /// with a huge exponent as for a small one.
  func isMultiple(of divisor: Divisor) -> Bool {
    guard !digits.isEmpty else { return true }
    // The last digit is not zero, so a number with places below the divisor's is no multiple.
    let zeros = exponent - digits.count - divisor.exponent
    guard zeros >= 0 else { return false }
    let modulus = divisor.digits
    let rest = digits.reduce(UInt64(0)) {
      Self.product($0, 10, modulus) &+ UInt64($1 - UInt8(ascii: "0"))
    }
    return Self.product(rest, Self.powerOfTen(zeros, modulus), modulus) == 0
  }

  private static func powerOfTen(_ exponent: Int, _ modulus: UInt64) -> UInt64 {
    var (result, square, rest) = (1 % modulus, 10 % modulus, exponent)
    while rest > 0 {
      if rest & 1 == 1 { result = product(result, square, modulus) }
      square = product(square, square, modulus)
      rest >>= 1
    }
    return result
  }

  private static func product(_ left: UInt64, _ right: UInt64, _ modulus: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return modulus.dividingFullWidth((product.high % modulus, product.low)).remainder
  }
}
