/// A named part of a model, with its rules and steps.
///
/// Each method returns the field with more: `Field(\Person.name, "name").trimmed().required()`.
/// The order of the rules and of the steps is that of the calls.
public struct Field<Model, Value>: Sendable {
  /// Its name in rules, issues, JSON and messages.
  public let name: String
  /// Its name for people; a parameter of its issues, for the placeholder `{label}`.
  public var label: String?

  let read: @Sendable (Model) -> Value
  let write: (@Sendable (inout Model, Value) -> Void)?
  var decode: (@Sendable (JSONValue) throws(JSONTypeError) -> Value)?
  var encode: (@Sendable (Value) throws(JSONNumberError) -> JSONValue)?
  var rules: [FieldRule<Model, Value>] = []
  var steps: [FieldStep<Model, Value>] = []
  var marks: [(scope: Scope, isSafe: Bool)] = []
  var skipsEmpty = Value.self is any OptionalType.Type
  var stopsAtFirst = false
  var isEmpty: @Sendable (Value) -> Bool = { Emptiness.isEmpty($0) }

  /// Creates a field that can be read and written.
  public init(
    _ keyPath: any WritableKeyPath<Model, Value> & Sendable, _ name: String, label: String? = nil
  ) {
    self.name = name
    self.label = label
    read = { $0[keyPath: keyPath] }
    write = { $0[keyPath: keyPath] = $1 }
  }

  /// Creates a field that can only be read, such as a constant or one computed from others.
  public init(
    readOnly keyPath: any KeyPath<Model, Value> & Sendable, _ name: String, label: String? = nil
  ) {
    self.name = name
    self.label = label
    read = { $0[keyPath: keyPath] }
    write = nil
  }

  /// Creates a field that can be read and written, also as JSON.
  public init(
    _ keyPath: any WritableKeyPath<Model, Value> & Sendable, _ name: String, label: String? = nil
  ) where Value: JSONConvertible {
    self.name = name
    self.label = label
    read = { $0[keyPath: keyPath] }
    write = { $0[keyPath: keyPath] = $1 }
    decode = { (json) throws(JSONTypeError) in try Value(json: json) }
    encode = { (value) throws(JSONNumberError) in try value.json() }
  }

  /// Creates a field that can only be read, also as JSON.
  public init(
    readOnly keyPath: any KeyPath<Model, Value> & Sendable, _ name: String, label: String? = nil
  ) where Value: JSONConvertible {
    self.name = name
    self.label = label
    read = { $0[keyPath: keyPath] }
    write = nil
    encode = { (value) throws(JSONNumberError) in try value.json() }
  }

  /// The same field, read from JSON and written to it in these ways.
  public func json(
    decode: @escaping @Sendable (JSONValue) throws(JSONTypeError) -> Value,
    encode: @escaping @Sendable (Value) throws(JSONNumberError) -> JSONValue
  ) -> Field {
    changing {
      $0.decode = decode
      $0.encode = encode
    }
  }

  func changing(_ change: (inout Field) -> Void) -> Field {
    var field = self
    change(&field)
    return field
  }
}

/// Distinguishes the type of an optional from all others.
private protocol OptionalType {}
extension Optional: OptionalType {}
