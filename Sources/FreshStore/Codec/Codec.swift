/// Turns values into the bytes of a record and back.
public protocol Codec<Value>: Sendable {
  /// The type of the stored values.
  associatedtype Value: Sendable
  /// Names the byte format; kept with each record, so that bytes of another format are never
  /// decoded by accident.
  var identifier: String { get }
  /// The media type of the bytes, if the format has one; `nil` by default.
  var mediaType: String? { get }
  /// True when ``decode(_:)`` understands the output of the codec of that name; by default only its
  /// own.
  func reads(_ identifier: String) -> Bool
  /// The value's bytes.
  func encode(_ value: Value) throws -> [UInt8]
  /// Decodes bytes that ``encode(_:)`` made; throws for any others.
  func decode(_ bytes: [UInt8]) throws -> Value
  /// True when both are the same value, so that a source that holds one of them needs no update with the
  /// other; by default when their bytes are equal. A codec whose bytes differ from one encoding to the
  /// next ignores such differences here. Two values that differ in anything worth keeping are never the
  /// same.
  func areSame(_ one: Value, _ other: Value) throws -> Bool
}

extension Codec {
  /// None.
  public var mediaType: String? { nil }

  /// True for the codec's own format.
  public func reads(_ identifier: String) -> Bool { identifier == self.identifier }

  /// True when the bytes are equal.
  public func areSame(_ one: Value, _ other: Value) throws -> Bool {
    try encode(one) == encode(other)
  }
}
