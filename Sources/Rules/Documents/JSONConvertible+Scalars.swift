extension JSONValue: JSONConvertible {
  /// Takes any value.
  public init(json: JSONValue) { self = json }
  /// The value itself.
  public func json() -> JSONValue { self }
}

extension String: JSONConvertible {
  /// Reads a text.
  public init(json: JSONValue) throws(JSONTypeError) {
    guard case .string(let text) = json else {
      throw JSONTypeError(expected: "a text", found: json)
    }
    self = text
  }

  /// Writes a text.
  public func json() -> JSONValue { .string(self) }
}

extension Bool: JSONConvertible {
  /// Reads `true` or `false`.
  public init(json: JSONValue) throws(JSONTypeError) {
    guard case .boolean(let value) = json else {
      throw JSONTypeError(expected: "true or false", found: json)
    }
    self = value
  }

  /// Writes `true` or `false`.
  public func json() -> JSONValue { .boolean(self) }
}

extension Double: JSONConvertible {
  /// Reads a number, rounded to the nearest `Double`; one too big for any is refused.
  public init(json: JSONValue) throws(JSONTypeError) {
    guard case .number(let number) = json, let value = number.double else {
      throw JSONTypeError(expected: "a number that fits Double", found: json)
    }
    self = value
  }

  /// Writes a number.
  public func json() throws(JSONNumberError) -> JSONValue { .number(try JSONNumber(self)) }
}

extension Float: JSONConvertible {
  /// Reads a number, rounded to the nearest `Float`; one too big for any is refused.
  public init(json: JSONValue) throws(JSONTypeError) {
    guard case .number(let number) = json, let value = Float(number.description), value.isFinite
    else { throw JSONTypeError(expected: "a number that fits Float", found: json) }
    self = value
  }

  /// Writes a number.
  public func json() throws(JSONNumberError) -> JSONValue {
    guard isFinite else { throw JSONNumberError(value: Double(self)) }
    return .number(JSONNumber(wellFormed: "\(self)"))
  }
}

extension JSONConvertible where Self: FixedWidthInteger {
  /// Reads a whole number that fits.
  public init(json: JSONValue) throws(JSONTypeError) {
    guard case .number(let number) = json, let value = number.integer(as: Self.self) else {
      throw JSONTypeError(
        expected: "a whole number from \(Self.min) to \(Self.max)", found: json)
    }
    self = value
  }

  /// Writes a whole number.
  public func json() -> JSONValue { .number(JSONNumber(wellFormed: "\(self)")) }
}

extension Int: JSONConvertible {}
extension Int8: JSONConvertible {}
extension Int16: JSONConvertible {}
extension Int32: JSONConvertible {}
extension Int64: JSONConvertible {}
extension UInt: JSONConvertible {}
extension UInt8: JSONConvertible {}
extension UInt16: JSONConvertible {}
extension UInt32: JSONConvertible {}
extension UInt64: JSONConvertible {}
