extension KeyedDecodingContainer {
  /// Decodes a value by the container's own method for its type, which is several times as fast as
  /// the method for all types.
  @inlinable func decodeDirectly<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws
    -> Value
  {
    if type == String.self, let value = try decode(String.self, forKey: key) as? Value {
      return value
    }
    if type == Int.self, let value = try decode(Int.self, forKey: key) as? Value {
      return value
    }
    if type == Double.self, let value = try decode(Double.self, forKey: key) as? Value {
      return value
    }
    if type == Bool.self, let value = try decode(Bool.self, forKey: key) as? Value {
      return value
    }
    return try decode(type, forKey: key)
  }

  /// The same for a value that may be absent.
  @inlinable func decodeDirectlyIfPresent<Value: Decodable>(
    _ type: Value.Type, forKey key: Key
  ) throws -> Value? {
    try contains(key) && !decodeNil(forKey: key) ? decodeDirectly(type, forKey: key) : nil
  }
}
