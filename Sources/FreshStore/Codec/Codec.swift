/// Turns values into the bytes of a record and back.
public protocol Codec<Value>: Sendable {
  /// What is stored.
  associatedtype Value: Sendable
  /// Names the byte format; kept with each record, so that bytes of another format are never
  /// decoded by accident.
  var identifier: String { get }
  /// The value's bytes.
  func encode(_ value: Value) throws -> [UInt8]
  /// The value of bytes that ``encode(_:)`` made; throws for any others.
  func decode(_ bytes: [UInt8]) throws -> Value
}
