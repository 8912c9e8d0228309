/// A number in canonical form: 0.`digits` × 10^`exponent` with a sign, and no zero at either end of the digits.
/// Zero has no digits, exponent 0 and no sign.
struct DecimalForm: Hashable, Comparable {
  private(set) var isNegative = false
  private(set) var digits: [UInt8] = []
  private(set) var exponent = 0

  /// Reads well-formed JSON text with an exponent that fits.
  init(_ text: String) {
    var bytes = Array(text.utf8)[...]
    if bytes.first == UInt8(ascii: "-") {
      isNegative = true
      bytes.removeFirst()
    }
    if let mark = bytes.lastIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
      exponent = Int(String(decoding: bytes[(mark + 1)...], as: UTF8.self)) ?? 0
      bytes = bytes[..<mark]
    }
    let point = bytes.firstIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex
    exponent += point - bytes.startIndex
    let leading = bytes.prefix { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
    exponent -= leading.count { $0 != UInt8(ascii: ".") }
    digits = bytes.dropFirst(leading.count).filter { $0 != UInt8(ascii: ".") }
    let significant = digits.lastIndex { $0 != UInt8(ascii: "0") }.map { $0 + 1 } ?? 0
    digits.removeLast(digits.count - significant)
    if digits.isEmpty { (isNegative, exponent) = (false, 0) }
  }

  var isInteger: Bool { digits.count <= max(exponent, 0) }

  func integer<Integer: FixedWidthInteger>(as type: Integer.Type) -> Integer? {
    // No integer has more decimal digits than bits, but an exponent may demand a billion digits.
    guard isInteger, exponent <= Integer.bitWidth else { return nil }
    let zeros = String(repeating: "0", count: exponent - digits.count)
    let magnitude = String(decoding: digits, as: UTF8.self) + zeros
    return Integer((isNegative ? "-" : "") + (magnitude.isEmpty ? "0" : magnitude))
  }

  static func < (left: DecimalForm, right: DecimalForm) -> Bool {
    if left.signum != right.signum { return left.signum < right.signum }
    return left.isNegative
      ? right.isLessInMagnitude(than: left) : left.isLessInMagnitude(than: right)
  }

  private var signum: Int { digits.isEmpty ? 0 : isNegative ? -1 : 1 }

  private func isLessInMagnitude(than other: DecimalForm) -> Bool {
    exponent == other.exponent
      ? digits.lexicographicallyPrecedes(other.digits) : exponent < other.exponent
  }

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

  /// True when the number is a whole multiple of the divisor. Exact, and as quick for a huge exponent as for a
  /// small one.
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
