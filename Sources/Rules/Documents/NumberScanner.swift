/// Finds the end of a number and its fault, if any (RFC 8259, section 6).
struct NumberScanner {
  let bytes: ArraySlice<UInt8>
  var index: Int

  /// Moves past the number; returns its fault, if any, and then `index` is the place of it.
  mutating func scan() -> String? {
    skip("-")
    if let problem = whole() { return problem }
    if skip("."), digits().isEmpty { return "a digit must follow the decimal point" }
    guard skip("e") || skip("E") else { return nil }
    if !skip("-") { skip("+") }
    let start = index
    let exponent = digits()
    if exponent.isEmpty { return "a digit must follow the exponent's mark" }
    guard let size = Int(String(decoding: exponent, as: UTF8.self)),
      size <= JSONNumber.maximumExponent
    else {
      index = start
      return "its exponent is beyond \(JSONNumber.maximumExponent)"
    }
    return nil
  }

  private mutating func whole() -> String? {
    let start = index
    let whole = digits()
    if whole.isEmpty {
      return "it begins with a digit, after at most one minus; NaN and Infinity are not numbers"
    }
    if whole.count > 1, whole.first == UInt8(ascii: "0") {
      index = start
      return "it must not begin with a zero"
    }
    return nil
  }

  private mutating func digits() -> ArraySlice<UInt8> {
    let start = index
    while index < bytes.endIndex, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) {
      index += 1
    }
    return bytes[start..<index]
  }

  @discardableResult
  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard index < bytes.endIndex, bytes[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }
}
