/// An empty list. A type that takes elements from it nevertheless gets them.
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
