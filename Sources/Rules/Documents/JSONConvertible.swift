/// A type whose values are read from JSON, and written to it, exactly.
///
/// Nothing is guessed: `"1"` is no number, `1` is no truth value, `null` is a value of an optional
/// only. A number is read by its value, not by its notation: `1.0` and `1e0` are the integer 1,
/// `1.5` and `1e30` are none. A type with a raw value only has to declare its conformance.
public protocol JSONConvertible: SendableMetatype {
  /// Reads a value.
  init(json: JSONValue) throws(JSONTypeError)

  /// Writes the value; JSON has no NaN and no infinities.
  func json() throws(JSONNumberError) -> JSONValue
}

extension JSONConvertible where Self: RawRepresentable, RawValue: JSONConvertible {
  /// Reads a raw value.
  public init(json: JSONValue) throws(JSONTypeError) {
    guard let value = Self(rawValue: try RawValue(json: json)) else {
      throw JSONTypeError(expected: "one of the values of \(Self.self)", found: json)
    }
    self = value
  }

  /// Writes the raw value.
  public func json() throws(JSONNumberError) -> JSONValue { try rawValue.json() }
}
