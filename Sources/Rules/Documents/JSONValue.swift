/// A JSON document, or a part of one (RFC 8259).
///
/// Equal by value: `1`, `1.0` and `1e0` are one number, and the order of an object's keys does not
/// count; both are preserved and written back as read.
public enum JSONValue: Sendable, Hashable {
  /// An explicit null.
  case null
  /// True or false.
  case boolean(Bool)
  /// A number, exact.
  case number(JSONNumber)
  /// A text.
  case string(String)
  /// A list.
  case array([JSONValue])
  /// Members by name, in order.
  case object(JSONObject)

  /// The kind of this value; a whole number is an ``JSONKind/integer``.
  public var kind: JSONKind {
    switch self {
    case .null: .null
    case .boolean: .boolean
    case .number(let number): number.isInteger ? .integer : .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }

  /// True for `null`, the empty text, the empty list and the object without members. White space,
  /// zero and `false` are not empty.
  public var isEmpty: Bool {
    switch self {
    case .null: true
    case .boolean, .number: false
    case .string(let text): text.isEmpty
    case .array(let items): items.isEmpty
    case .object(let object): object.isEmpty
    }
  }

  /// The member of this name, of an object that has one.
  public subscript(name: String) -> JSONValue? {
    if case .object(let object) = self { object[name] } else { nil }
  }

  /// The element at this index, counted from 0, of a list that is long enough.
  public subscript(index: Int) -> JSONValue? {
    if case .array(let items) = self, items.indices.contains(index) { items[index] } else { nil }
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as compact JSON.
  public var description: String { text() }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates `null`.
  public init(nilLiteral: ()) { self = .null }
  /// Creates a truth value.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// Creates a whole number.
  public init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }
  /// Creates a number; a literal too big for `Double` is a programming error.
  public init(floatLiteral value: Double) { self = .number(JSONNumber(floatLiteral: value)) }
  /// Creates a text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates a list.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// Creates an object; a repeated key is a programming error, and its last value stays.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements))
  }
}
