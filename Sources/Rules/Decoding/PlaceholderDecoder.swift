/// A decoder that reads nothing and produces the emptiest value of any type.
struct PlaceholderDecoder: Decoder {
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any] = [:]

  /// Deeper than any finite type.
  private static let maximumDepth = 32

  /// The emptiest value of a type; `nil` where it does not allow one.
  static func value<Value: Decodable>(of type: Value.Type) -> Value? {
    // The failure means only that there is none.
    try? PlaceholderDecoder(codingPath: []).make(type, nil)
  }

  func make<Value: Decodable>(_ type: Value.Type, _ key: (any CodingKey)?) throws -> Value {
    if let cases = type as? any CaseIterable.Type, let first = Self.first(of: cases) as? Value {
      return first
    }
    let path = codingPath + [key ?? PlaceholderKey(stringValue: "")]
    guard path.count <= Self.maximumDepth else {
      throw DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: "too deep"))
    }
    return try Value(from: PlaceholderDecoder(codingPath: path))
  }

  private static func first<Cases: CaseIterable>(of type: Cases.Type) -> Any? {
    type.allCases.first
  }

  func container<Key>(keyedBy: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(PlaceholderFields(decoder: self))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer { PlaceholderList(decoder: self) }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    PlaceholderValue(decoder: self)
  }
}
