/// A type whose values are read from JSON, and written to it, exactly.
///
/// Nothing is guessed: `"1"` is no number, `1` is no truth value, `null` is only a value of an optional. A number
/// is read by its value, not by its notation: `1.0` and `1e0` are the integer 1, `1.5` and `1e30` are no `Int`. A
/// type with a raw value only has to declare its conformance.
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
  /// Reads a number, rounded to the nearest `Double`; refuses a number that is too big.
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
  /// Reads a number, rounded to the nearest `Float`; refuses a number that is too big.
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

extension Optional: JSONConvertible where Wrapped: JSONConvertible {
  /// Reads `null` as `nil`.
  public init(json: JSONValue) throws(JSONTypeError) {
    self = json == .null ? nil : try Wrapped(json: json)
  }

  /// Writes `nil` as `null`.
  public func json() throws(JSONNumberError) -> JSONValue { try self?.json() ?? .null }
}

extension Array: JSONConvertible where Element: JSONConvertible {
  /// Reads a list.
  public init(json: JSONValue) throws(JSONTypeError) {
    guard case .array(let items) = json else {
      throw JSONTypeError(expected: "a list", found: json)
    }
    self = []
    reserveCapacity(items.count)
    for (index, item) in items.enumerated() {
      do throws(JSONTypeError) { append(try Element(json: item)) } catch {
        throw error.inside(.index(index))
      }
    }
  }

  /// Writes a list.
  public func json() throws(JSONNumberError) -> JSONValue {
    .array(try map { (element) throws(JSONNumberError) in try element.json() })
  }
}

extension Set: JSONConvertible where Element: JSONConvertible {
  /// Reads a list in which nothing occurs twice.
  public init(json: JSONValue) throws(JSONTypeError) {
    let items = try [Element](json: json)
    self.init(items)
    guard count == items.count else {
      throw JSONTypeError(expected: "a list in which nothing occurs twice", found: json)
    }
  }

  /// Writes a list, in the order of its elements' JSON texts.
  public func json() throws(JSONNumberError) -> JSONValue {
    let items = try map { (element) throws(JSONNumberError) in try element.json() }
    return .array(items.map { ($0.text(), $0) }.sorted { $0.0 < $1.0 }.map(\.1))
  }
}

extension Dictionary: JSONConvertible where Key == String, Value: JSONConvertible {
  /// Reads an object.
  public init(json: JSONValue) throws(JSONTypeError) {
    guard case .object(let object) = json else {
      throw JSONTypeError(expected: "an object", found: json)
    }
    self = [:]
    for member in object.members {
      do throws(JSONTypeError) { self[member.name] = try Value(json: member.value) } catch {
        throw error.inside(.field(member.name))
      }
    }
  }

  /// Writes an object, in the order of its names.
  public func json() throws(JSONNumberError) -> JSONValue {
    var object = JSONObject()
    for (name, value) in sorted(by: { $0.key < $1.key }) { object[name] = try value.json() }
    return .object(object)
  }
}

/// The error of reading a JSON value as another type.
public struct JSONTypeError: Error, Sendable, Hashable {
  /// The place in the value.
  public var path: IssuePath
  /// The expected type in words, such as `a whole number from 0 to 255`.
  public var expected: String
  /// The kind found.
  public var found: JSONKind

  /// Creates an error about the value itself.
  public init(expected: String, found: JSONValue) {
    path = .whole
    self.expected = expected
    self.found = found.kind
  }

  /// The same error, seen from the value that holds this value in `component`.
  public func inside(_ component: IssuePath.Component) -> JSONTypeError {
    var error = self
    error.path = path.inside(component)
    return error
  }
}

extension JSONTypeError: CustomStringConvertible {
  /// The place, the kind found and the expected type.
  public var description: String {
    let statement = "\(found.rawValue) where \(expected) should be"
    return path.components.isEmpty ? statement : "\(path): \(statement)"
  }
}
