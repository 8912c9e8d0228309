/// The identity of a record in the shared tier: bytes, compared as such.
public struct SharedKey: Sendable, Hashable {
  /// The bytes of the collection's name.
  public let collection: [UInt8]
  /// The bytes of the key.
  public let key: [UInt8]

  /// Creates one from any bytes.
  public init(collection: [UInt8], key: [UInt8]) {
    (self.collection, self.key) = (collection, key)
  }

  /// Creates one from names as a store has them.
  public init(_ collection: String, _ key: String) {
    self.init(collection: Array(collection.utf8), key: Array(key.utf8))
  }
}
