/// A named part of a model, with its rules and steps.
///
/// Each method returns a changed copy of the field: `Field(\Person.name, "name").trimmed().required()`. Rules and
/// steps have the order of the calls.
public struct Field<Model, Value>: Sendable {
  /// Its name in rules, issues, JSON and messages.
  public let name: String
  /// Its name for people, which fills the placeholder `{label}` of its issues.
  public var label: String?

  let read: @Sendable (Model) -> Value
  let write: (@Sendable (inout Model, Value) -> Void)?
  var decode: (@Sendable (JSONValue) throws(JSONTypeError) -> Value)?
  var encode: (@Sendable (Value) throws(JSONNumberError) -> JSONValue)?
  var rules: [FieldRule<Model, Value>] = []
  var steps: [FieldStep<Model, Value>] = []
  var marks: [(scope: Scope, isSafe: Bool)] = []
  var skipsEmpty = Value.self is any OptionalValue.Type
  var stopsAtFirst = false
  var isEmpty: @Sendable (Value) -> Bool = { Emptiness.isEmpty($0) }

  /// Creates a field that can be read and written.
  public init(
    _ keyPath: any WritableKeyPath<Model, Value> & Sendable, _ name: String, label: String? = nil
  ) {
    self.init(name, label, { $0[keyPath: keyPath] }, { $0[keyPath: keyPath] = $1 })
  }

  /// Creates a field that can only be read, such as a constant or a computed property.
  public init(
    readOnly keyPath: any KeyPath<Model, Value> & Sendable, _ name: String, label: String? = nil
  ) {
    self.init(name, label, { $0[keyPath: keyPath] }, nil)
  }

  /// Creates a field that can be read and written, also as JSON.
  public init(
    _ keyPath: any WritableKeyPath<Model, Value> & Sendable, _ name: String, label: String? = nil
  ) where Value: JSONConvertible {
    self.init(name, label, { $0[keyPath: keyPath] }, { $0[keyPath: keyPath] = $1 })
    decode = { (json) throws(JSONTypeError) in try Value(json: json) }
    encode = { (value) throws(JSONNumberError) in try value.json() }
  }

  /// Creates a field that can only be read, also as JSON.
  public init(
    readOnly keyPath: any KeyPath<Model, Value> & Sendable, _ name: String, label: String? = nil
  ) where Value: JSONConvertible {
    self.init(name, label, { $0[keyPath: keyPath] }, nil)
    encode = { (value) throws(JSONNumberError) in try value.json() }
  }

  private init(
    _ name: String, _ label: String?, _ read: @escaping @Sendable (Model) -> Value,
    _ write: (@Sendable (inout Model, Value) -> Void)?
  ) {
    self.name = name
    self.label = label
    self.read = read
    self.write = write
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

extension Field {
  /// Adds a rule.
  ///
  /// - Parameters:
  ///   - on: The scenarios in which it applies; all, when empty.
  ///   - except: The scenarios in which it does not apply, also when `on` names them.
  ///   - Whether it is skipped when the field is empty (`nil`, or without elements). By default optional fields
  ///     skip (``optional()``) and other fields ask.
  ///     default the field decides: optional fields skip (``optional()``), others ask.
  ///   - condition: Whether it concerns this model; asked last.
  public func rule(
    _ rule: Rule<Value>, on: Set<Scenario> = [], except: Set<Scenario> = [],
    skipsEmpty: Bool? = nil, when condition: (@Sendable (Model) -> Bool)? = nil
  ) -> Field {
    changing {
      $0.rules.append(
        FieldRule(
          rule: rule, scope: Scope(on: on, except: except), skipsEmpty: skipsEmpty,
          isPresence: false, condition: condition))
    }
  }

  /// Adds a rule for a present value; skipped for `nil`.
  public func rule<Wrapped>(
    _ rule: Rule<Wrapped>, on: Set<Scenario> = [], except: Set<Scenario> = [],
    skipsEmpty: Bool? = nil, when condition: (@Sendable (Model) -> Bool)? = nil
  ) -> Field where Value == Wrapped? {
    self.rule(rule.ifPresent, on: on, except: except, skipsEmpty: skipsEmpty, when: condition)
  }

  /// Demands that the field is not empty; an empty field has the issue `required`.
  ///
  /// `nil` and values without elements are empty; white space, zero and `false` are not.
  public func required(
    on: Set<Scenario> = [], except: Set<Scenario> = [],
    when condition: (@Sendable (Model) -> Bool)? = nil
  ) -> Field {
    changing {
      let isEmpty = $0.isEmpty
      $0.rules.append(
        FieldRule(
          rule: Rule(code: "required") { !isEmpty($0) }, scope: Scope(on: on, except: except),
          skipsEmpty: false, isPresence: true, condition: condition))
    }
  }

  /// The same field, whose rules are skipped when it is empty. The rules of an optional are skipped anyway.
  public func optional() -> Field { changing { $0.skipsEmpty = true } }

  /// The same field, whose rules are asked even when it is empty.
  public func askedWhenEmpty() -> Field { changing { $0.skipsEmpty = false } }

  /// The same field, ended by its first issue: later rules are not asked.
  public func stoppingAtFirst() -> Field { changing { $0.stopsAtFirst = true } }

  /// The same field with another definition of empty, for later additions.
  public func empty(when isEmpty: @escaping @Sendable (Value) -> Bool) -> Field {
    changing { $0.isEmpty = isEmpty }
  }

  /// Allows mass assignment to write the field in these scenarios; in all, when none are named.
  ///
  /// A field with a rule or a step in a scenario is assignable there without this.
  public func safe(in scenarios: Set<Scenario> = []) -> Field { mark(scenarios, isSafe: true) }

  /// Keeps mass assignment from writing the field in these scenarios; in all, when none are named. The later of two
  /// statements wins.
  public func unsafe(in scenarios: Set<Scenario> = []) -> Field { mark(scenarios, isSafe: false) }

  private func mark(_ scenarios: Set<Scenario>, isSafe: Bool) -> Field {
    changing { $0.marks.append((Scope(on: scenarios, except: []), isSafe)) }
  }
}

/// Normalising steps. ``Schema/normalise(_:in:)`` applies them in their order; a check never applies them.
extension Field {
  /// Replaces the value. The closure gets the model after the earlier steps.
  ///
  /// The field must not be read-only.
  public func filtered(
    on: Set<Scenario> = [], except: Set<Scenario> = [],
    _ change: @escaping @Sendable (_ value: Value, _ model: Model) -> Value
  ) -> Field {
    precondition(write != nil, "a step needs a field that can be written, and \(name) cannot")
    return changing {
      $0.steps.append(FieldStep(scope: Scope(on: on, except: except), change: change))
    }
  }

  /// Replaces the value.
  public func filtered(
    on: Set<Scenario> = [], except: Set<Scenario> = [],
    _ change: @escaping @Sendable (_ value: Value) -> Value
  ) -> Field {
    filtered(on: on, except: except) { value, _ in change(value) }
  }

  /// Replaces an empty value by the closure's result for the model.
  public func defaulting(
    on: Set<Scenario> = [], except: Set<Scenario> = [],
    _ value: @escaping @Sendable (_ model: Model) -> Value
  ) -> Field {
    let isEmpty = isEmpty
    return filtered(on: on, except: except) { isEmpty($0) ? value($1) : $0 }
  }

  /// Replaces an empty value.
  public func defaulting(
    to value: Value, on: Set<Scenario> = [], except: Set<Scenario> = []
  ) -> Field where Value: Sendable {
    defaulting(on: on, except: except) { _ in value }
  }
}

extension Field where Value == String {
  /// Trims characters at both ends: by default white space and line breaks.
  public func trimmed(
    of isCut: @escaping @Sendable (Character) -> Bool = \.isWhitespace,
    on: Set<Scenario> = [], except: Set<Scenario> = []
  ) -> Field {
    filtered(on: on, except: except) { $0.trimmed(of: isCut) }
  }
}

extension Field where Value == String? {
  /// Trims characters at both ends of a present text.
  public func trimmed(
    of isCut: @escaping @Sendable (Character) -> Bool = \.isWhitespace,
    on: Set<Scenario> = [], except: Set<Scenario> = []
  ) -> Field {
    filtered(on: on, except: except) { $0?.trimmed(of: isCut) }
  }
}

extension String {
  func trimmed(of isCut: (Character) -> Bool) -> String {
    guard let first = firstIndex(where: { !isCut($0) }), let last = lastIndex(where: { !isCut($0) })
    else { return "" }
    return String(self[first...last])
  }
}

/// A rule of a field, and when it applies.
struct FieldRule<Model, Value>: Sendable {
  let rule: Rule<Value>
  let scope: Scope
  /// Whether it is skipped when the field is empty; `nil` when the field decides.
  let skipsEmpty: Bool?
  /// Whether it demands a value.
  let isPresence: Bool
  let condition: (@Sendable (Model) -> Bool)?
}

/// A normalising step of a field, and when it applies.
struct FieldStep<Model, Value>: Sendable {
  let scope: Scope
  let change: @Sendable (Value, Model) -> Value
}

/// The empty values: `nil`, JSON's `null`, a text or collection without elements, and an optional that holds one of
/// these. White space, zero and `false` are not empty.
enum Emptiness {
  static func isEmpty<Value>(_ value: Value) -> Bool {
    switch value {
    case let optional as any OptionalValue: optional.isNilOrEmpty
    case let text as String: text.isEmpty
    case let json as JSONValue: json.isEmpty
    case let elements as any Collection: elements.isEmpty
    default: false
    }
  }
}

/// An optional of any type.
private protocol OptionalValue {
  var isNilOrEmpty: Bool { get }
}

extension Optional: OptionalValue {
  fileprivate var isNilOrEmpty: Bool { map(Emptiness.isEmpty) ?? true }
}
