/// The empty values: `nil`, JSON's `null`, a text or collection without elements, and an optional
/// that holds one of those. White space, zero and `false` are not empty.
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
