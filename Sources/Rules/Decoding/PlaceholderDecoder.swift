/// A decoder that reads nothing and produces the emptiest value of any type.
struct PlaceholderDecoder: Decoder {
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any] = [:]

  /// Finite types are less deep.
  private static let maximumDepth = 32

  /// The emptiest value of a type; `nil` where it does not allow one.
  static func value<Value: Decodable>(of type: Value.Type) -> Value? {
    // The failure means only that there is no such value.
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

/// An object that has every field.
struct PlaceholderFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: PlaceholderDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { [] }

  func contains(_ key: Key) -> Bool { true }
  func decodeNil(forKey key: Key) -> Bool { true }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decoder.make(type, key)
  }

  // The protocol's own methods for these two always fail.
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try decoder.make(type, key) }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try decoder.make(type, key)
  }

  func nestedContainer<Nested>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedDecodingContainer<Nested> { decoder.container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
    decoder.unkeyedContainer()
  }

  func superDecoder() -> any Decoder { decoder }
  func superDecoder(forKey key: Key) -> any Decoder { decoder }
}

/// An empty list. A type that takes elements all the same gets them.
struct PlaceholderList: UnkeyedDecodingContainer {
  let decoder: PlaceholderDecoder
  private(set) var currentIndex = 0

  init(decoder: PlaceholderDecoder) { self.decoder = decoder }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { 0 }
  var isAtEnd: Bool { true }

  mutating func decodeNil() -> Bool { true }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try element(type)
  }

  private mutating func element<Value: Decodable>(_ type: Value.Type) throws -> Value {
    currentIndex += 1
    return try decoder.make(type, nil)
  }

  // The protocol's own methods for these two always fail.
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try element(type) }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try element(type) }

  mutating func nestedContainer<Key>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    decoder.container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer {
    decoder.unkeyedContainer()
  }

  mutating func superDecoder() -> any Decoder { decoder }
}

/// A null, a zero, or an empty text, as requested.
struct PlaceholderValue: SingleValueDecodingContainer {
  let decoder: PlaceholderDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { true }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.make(type, nil) }

  func decode(_: Bool.Type) -> Bool { false }
  func decode(_: String.Type) -> String { "" }
  func decode(_: Double.Type) -> Double { 0 }
  func decode(_: Float.Type) -> Float { 0 }
  func decode(_: Int.Type) -> Int { 0 }
  func decode(_: Int8.Type) -> Int8 { 0 }
  func decode(_: Int16.Type) -> Int16 { 0 }
  func decode(_: Int32.Type) -> Int32 { 0 }
  func decode(_: Int64.Type) -> Int64 { 0 }
  func decode(_: UInt.Type) -> UInt { 0 }
  func decode(_: UInt8.Type) -> UInt8 { 0 }
  func decode(_: UInt16.Type) -> UInt16 { 0 }
  func decode(_: UInt32.Type) -> UInt32 { 0 }
  func decode(_: UInt64.Type) -> UInt64 { 0 }
  func decode(_: Int128.Type) -> Int128 { 0 }
  func decode(_: UInt128.Type) -> UInt128 { 0 }
}

/// A key for places that have none.
struct PlaceholderKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
