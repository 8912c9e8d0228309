/// An object in which every field is there.
struct PlaceholderFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: PlaceholderDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { [] }

  func contains(_ key: Key) -> Bool { true }
  func decodeNil(forKey key: Key) -> Bool { true }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decoder.make(type, key)
  }

  func decode(_: Bool.Type, forKey key: Key) -> Bool { false }
  func decode(_: String.Type, forKey key: Key) -> String { "" }
  func decode(_: Double.Type, forKey key: Key) -> Double { 0 }
  func decode(_: Float.Type, forKey key: Key) -> Float { 0 }
  func decode(_: Int.Type, forKey key: Key) -> Int { 0 }
  func decode(_: Int8.Type, forKey key: Key) -> Int8 { 0 }
  func decode(_: Int16.Type, forKey key: Key) -> Int16 { 0 }
  func decode(_: Int32.Type, forKey key: Key) -> Int32 { 0 }
  func decode(_: Int64.Type, forKey key: Key) -> Int64 { 0 }
  func decode(_: UInt.Type, forKey key: Key) -> UInt { 0 }
  func decode(_: UInt8.Type, forKey key: Key) -> UInt8 { 0 }
  func decode(_: UInt16.Type, forKey key: Key) -> UInt16 { 0 }
  func decode(_: UInt32.Type, forKey key: Key) -> UInt32 { 0 }
  func decode(_: UInt64.Type, forKey key: Key) -> UInt64 { 0 }

  func nestedContainer<Nested>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedDecodingContainer<Nested> { decoder.container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
    decoder.unkeyedContainer()
  }

  func superDecoder() -> any Decoder { decoder }
  func superDecoder(forKey key: Key) -> any Decoder { decoder }
}
