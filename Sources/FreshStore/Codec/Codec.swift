/// Turns values into the bytes of a record and back.
public protocol Codec<Value>: Sendable {
  /// What is stored.
  associatedtype Value: Sendable
  /// Names the byte format; kept with each record, so that bytes of another format are never
  /// decoded by accident.
  var identifier: String { get }
  /// True when ``decode(_:)`` understands what the codec of that name wrote; by default only its
  /// own.
  func reads(_ identifier: String) -> Bool
  /// The value's bytes.
  func encode(_ value: Value) throws -> [UInt8]
  /// The value of bytes that ``encode(_:)`` made; throws for any others.
  func decode(_ bytes: [UInt8]) throws -> Value
}

extension Codec {
  /// True for the codec's own format.
  public func reads(_ identifier: String) -> Bool { identifier == self.identifier }
}
