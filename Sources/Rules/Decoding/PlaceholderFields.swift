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
