/// An exact JSON number of any size.
///
/// A whole number that fits 64 bits is kept as an integer; every other number keeps its text. Numbers compare by
/// value, in decimal, without rounding: `0.1` is less than `0.1000000000000000055`, which is the same `Double`.
public struct JSONNumber: Sendable {
  enum Storage: Sendable {
    case signed(Int64)
    /// Greater than `Int64.max`.
    case unsigned(UInt64)
    /// Well-formed JSON that fits neither of the other cases.
    case text(String)
  }

  let storage: Storage

  /// Creates a whole number.
  public init(_ value: Int64) { storage = .signed(value) }

  /// Creates a whole number.
  public init(_ value: UInt64) {
    storage = Int64(exactly: value).map(Storage.signed) ?? .unsigned(value)
  }

  /// Creates a whole number.
  public init(_ value: Int) { self.init(Int64(value)) }

  /// Creates the number from the shortest decimal form of the value.
  ///
  /// - Throws: ``JSONNumberError`` for NaN and the infinities, which JSON does not have.
  public init(_ value: Double) throws(JSONNumberError) {
    guard value.isFinite else { throw JSONNumberError(value: value) }
    self.init(wellFormed: "\(value)")
  }

  /// Creates a number from JSON text; `nil` for any other text, or an exponent beyond `JSONNumber.maximumExponent`.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    var scanner = NumberScanner(bytes: bytes[...], index: 0)
    guard scanner.scan() == nil, scanner.index == bytes.count else { return nil }
    self.init(wellFormed: text)
  }

  /// The greatest exponent a number may be written with, up or down.
  static let maximumExponent = 999_999_999

  init(wellFormed text: String) {
    if text == "-0" {
      storage = .text(text)
    } else if let value = Int64(text) {
      storage = .signed(value)
    } else if let value = UInt64(text) {
      storage = .unsigned(value)
    } else {
      storage = .text(text)
    }
  }

  /// The nearest `Double`; `nil` when the number is too big for any.
  public var double: Double? {
    switch storage {
    case .signed(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .text(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
    }
  }

  /// True for a whole number in any notation: `1`, `1.0`, `100e-2`.
  public var isInteger: Bool {
    if case .text(let text) = storage { DecimalForm(text).isInteger } else { true }
  }

  /// The number as an integer of this type; `nil` when it is not whole or does not fit.
  public func integer<Integer: FixedWidthInteger>(as type: Integer.Type) -> Integer? {
    switch storage {
    case .signed(let value): Integer(exactly: value)
    case .unsigned(let value): Integer(exactly: value)
    case .text(let text): DecimalForm(text).integer(as: type)
    }
  }

  var decimal: DecimalForm { DecimalForm(description) }
}

extension JSONNumber: CustomStringConvertible {
  /// The number as it was written.
  public var description: String {
    switch storage {
    case .signed(let value): String(value)
    case .unsigned(let value): String(value)
    case .text(let text): text
    }
  }
}

extension JSONNumber: Hashable, Comparable {
  /// True when both are the same number, in any notation.
  public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
    switch (left.storage, right.storage) {
    case (.signed(let left), .signed(let right)): left == right
    case (.unsigned(let left), .unsigned(let right)): left == right
    case (.signed, .unsigned), (.unsigned, .signed): false
    default: left.decimal == right.decimal
    }
  }

  /// Compares exactly.
  public static func < (left: JSONNumber, right: JSONNumber) -> Bool {
    if case .signed(let left) = left.storage, case .signed(let right) = right.storage {
      return left < right
    }
    return left.decimal < right.decimal
  }

  /// Hashes the number, not its notation.
  public func hash(into hasher: inout Hasher) {
    if let value = integer(as: Int64.self) {
      hasher.combine(value)
    } else {
      hasher.combine(decimal)
    }
  }
}

extension JSONNumber: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  /// Creates a whole number.
  public init(integerLiteral value: Int64) { self.init(value) }
  /// Creates a number; a literal too big for `Double` is a programming error.
  public init(floatLiteral value: Double) {
    precondition(value.isFinite, "a number literal must fit Double")
    self.init(wellFormed: "\(value)")
  }
}

/// A floating-point value that is not a JSON number: NaN or an infinity (RFC 8259, section 6).
public struct JSONNumberError: Error, Sendable, CustomStringConvertible {
  /// The value.
  public let value: Double

  /// The problem and the remedy.
  public var description: String {
    "JSON has no \(value): use null, or a text that says so"
  }
}

/// Finds the end of a number and its fault, if any (RFC 8259, section 6).
struct NumberScanner {
  let bytes: ArraySlice<UInt8>
  var index: Int

  /// Moves past the number. Returns its fault, if any; `index` is then the place of the fault.
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
